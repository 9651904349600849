"""Portable types given by hand: a cache, a database, a queue that is there, and what follows of where it is.

| type | computed | secrets |
|---|---|---|
| redisCaches | tls | connectionString, password, url |
| mongoDatabases, sqlDatabases | | connectionString, password |
| rabbitMQQueues | tls | password, uri |

Where `host` (or `server`) is the name of a container of the application, it is found where that runs, as with the URL of a
connection. A text that holds a password is a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.app.lowered import Gates
from engine.app.ports import outline, ports_of, shape_of, sibling_of
from engine.app.text import text
from engine.contract.operator import View
from engine.contract.platform import Platform, endpoint_of
from engine.contract.resource import Resource, body
from engine.contract.value import Deferred, Leaf, Properties, Value, compose, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity

REDIS = "applications.datastores/rediscaches"
MONGO = "applications.datastores/mongodatabases"
SQL = "applications.datastores/sqldatabases"
RABBIT = "applications.messaging/rabbitmqqueues"
_PORTS: Mapping[str, int] = {REDIS: 6379, MONGO: 27017, SQL: 1433, RABBIT: 5672}
_SHOWN: Mapping[str, tuple[str, ...]] = {
    REDIS: ("host", "port", "username", "tls"),
    MONGO: ("host", "port", "database", "username"),
    SQL: ("server", "port", "database", "username"),
    RABBIT: ("queue", "host", "port", "vHost", "username", "tls"),
}
_TLS = {REDIS: 6380, RABBIT: 5671}
"""The ports on which TLS is spoken by default."""

PORTABLE = frozenset(_SHOWN)
"""The types this is about, in lower case."""


def is_manual(properties: Properties) -> bool:
    """Whether its connection is given by hand."""
    return properties.get("resourceProvisioning") == "manual"


class Service:
    """One resource of a portable type: where it is, and what follows of that."""

    __slots__ = ("gates", "needs", "problems", "properties", "resource", "shown", "type")

    def __init__(self, resource: Resource, view: View, platform: Platform | None) -> None:
        self.resource = resource
        self.type = resource.type.lower()
        self.properties = body(resource)
        self.gates = Gates(resource.waits)
        self.needs: frozenset[str] = frozenset()
        self.problems: list[Diagnostic] = []
        self.shown: dict[str, Value] = {k: v for k in _SHOWN[self.type] if (v := self._given(k)) is not None}
        self._place(view, platform)

    def secrets(self) -> dict[str, Value]:
        """What listSecrets() gives: as it is given, else as it follows; deferred where it holds a secret."""
        given = self.properties.get("secrets")
        if isinstance(given, Leaf):
            return {}
        made = dict(_SECRETS[self.type](self.shown, dict(given or {})))
        return {k: v for k, v in {**made, **{k: v for k, v in (given or {}).items() if v}}.items() if v is not None}

    def outputs(self) -> dict[str, Value]:
        """What it reports besides what is written."""
        computed = {"tls": self.shown["tls"]} if "tls" in self.shown else {}
        where = {k: v for k, v in self.shown.items() if k in ("host", "server", "port") and v != self.properties.get(k)}
        return computed | where | {"secrets": self.secrets()}

    def variables(self) -> dict[str, Value]:
        """What a connection to it gives, by key."""
        return {k: text(v) for k, v in (self.shown | self.secrets()).items()}

    def _given(self, key: str) -> Value:
        value = self.properties.get(key)
        port = self.properties.get("port")
        if key == "port" and value is None:
            return _PORTS[self.type]
        if key == "tls" and value is None:
            return port == _TLS[self.type]
        return value if value != "" else None

    def _place(self, view: View, platform: Platform | None) -> None:
        """Where the container runs that its host names, if it names one."""
        key = "server" if self.type == SQL else "host"
        host, port = self.shown.get(key), self.shown["port"]
        container = sibling_of(self.resource, host, view) if isinstance(host, str) and platform is not None else None
        if container is None or platform is None:
            return
        self.needs = needs(shape_of(container))
        self.gates.add(container)
        ports = ports_of(body(container))
        for each in ports:
            if each.port == port:
                endpoint = endpoint_of(platform, outline(container, view), each, view)
                self.shown |= {key: endpoint.host, "port": endpoint.port}
                return
        known = ", ".join(str(p.port) for p in ports)
        message = f"'{self.resource.name}' is at port {port} of '{host}', which has no such port"
        help = f"Its ports: {known}." if known else f"Add 'ports' to the container '{host}'."
        self.problems.append(Diagnostic("ULN313", Severity.ERROR, message, self.resource.origin, help=help))


def _redis(shown: Properties, given: Properties) -> Iterator[tuple[str, Value]]:
    host, port = shown.get("host", ""), shown["port"]
    user, password = shown.get("username"), given.get("password")
    parts = [compose("{0}:{1},abortConnect=False", host, port), ",ssl=True" if shown["tls"] is True else ""]
    parts += [compose(",user={0}", user)] if user else []
    parts += [compose(",password={0}", password)] if password else []
    yield "connectionString", _joined(*parts)
    scheme = "rediss" if shown["tls"] is True else "redis"
    yield "url", compose("{0}://{1}{2}:{3}/0?", scheme, _login(user, password), host, port)


def _mongo(shown: Properties, given: Properties) -> Iterator[tuple[str, Value]]:
    login = _login(shown.get("username"), given.get("password"))
    url = compose("mongodb://{0}{1}:{2}/{3}", login, shown.get("host", ""), shown["port"], shown.get("database", ""))
    yield "connectionString", url


def _sql(shown: Properties, given: Properties) -> Iterator[tuple[str, Value]]:
    form = (
        "Data Source=tcp:{0},{1};Initial Catalog={2};User Id={3};Password={4};Encrypt=True;TrustServerCertificate=True"
    )
    server, port, database = shown.get("server", ""), shown["port"], shown.get("database", "")
    yield (
        "connectionString",
        compose(form, server, port, database, shown.get("username", ""), given.get("password") or ""),
    )


def _rabbit(shown: Properties, given: Properties) -> Iterator[tuple[str, Value]]:
    scheme = "amqps" if shown["tls"] is True else "amqp"
    login = _login(shown.get("username"), given.get("password"))
    host = shown.get("vHost")
    path = "" if host is None else compose("/{0}", _quoted(host))
    yield "uri", compose("{0}://{1}{2}:{3}{4}", scheme, login, shown.get("host", ""), shown["port"], path)


_SECRETS: Mapping[str, Callable[[Properties, Properties], Iterator[tuple[str, Value]]]] = {
    REDIS: _redis,
    MONGO: _mongo,
    SQL: _sql,
    RABBIT: _rabbit,
}


def _login(user: Value, password: Value) -> Value:
    """`user:password@` in a URL, as far as there is any."""
    if not user and not password:
        return ""
    if not password:
        return compose("{0}@", _quoted(user))
    return compose("{0}:{1}@", _quoted(user or ""), _quoted(password))


def _quoted(value: Value) -> Value:
    if not isinstance(value, str):
        return Deferred("uriComponent", (value,))
    from urllib.parse import quote

    return quote(value, safe="")


def _joined(*parts: Value) -> Value:
    return compose("".join(f"{{{n}}}" for n in range(len(parts))), *parts)


def recipe_problem(resource: Resource) -> Diagnostic:
    """That it asks for a recipe, and what to do instead."""
    needed = {
        REDIS: "host and port",
        MONGO: "host, port and database",
        SQL: "server and database",
        RABBIT: "queue, host and port",
    }
    what = needed.get(resource.type.lower(), "type, version and metadata")
    message = f"'{resource.name}' is to be made by a recipe, and recipes cannot be run yet"
    help = f"Set resourceProvisioning: 'manual', and give {what}; a container of the application may be the host."
    return Diagnostic("ULN323", Severity.ERROR, message, resource.origin, help=help)
