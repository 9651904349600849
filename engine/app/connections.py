"""What a connection gives a container: `CONNECTION_<NAME>_<KEY>` variables, the same on every compute kind.

| source | keys |
|---|---|
| a URL | SCHEME, HOSTNAME, PORT, and HOST, URL besides; a host that is a container of the application is found where it runs |
| a container | HOST, HOSTNAME, PORT, SCHEME, URL of its first port; of each of several also `<PORT>_PORT`, `<PORT>_URL` |
| a cache, a database, a queue of a portable type | what it is made of, and what follows: HOST, PORT, PASSWORD, URL, … |
| a Dapr building block | COMPONENTNAME |
| a gateway | URL |
| a secret store | each key, by reference |
| an extender, or any other resource | each property, and each secret |
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.app.lowered import Gates
from engine.app.portable import PORTABLE, Service, is_manual
from engine.app.ports import CONTAINERS, outline, ports_of, shape_of, sibling_of
from engine.app.stores import STORES, values_of
from engine.app.text import text
from engine.contract.app import Endpoint, SecretKey
from engine.contract.operator import View
from engine.contract.platform import Platform, endpoint_of
from engine.contract.resource import Resource, body, short
from engine.contract.value import Output, Properties, Value, compose, needs
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.place import place
from engine.diagnostics.suggest import nearest

_URL = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#]+)(?::(\d+))?(.*)$", re.S)
_PORTS = {"http": 80, "https": 443, "redis": 6379, "amqp": 5672, "postgres": 5432, "postgresql": 5432, "mongodb": 27017}
_HIDDEN = frozenset(
    "application environment status connections codereference secrets recipe resourceprovisioning provisioningstate".split()  # noqa: SIM905
)
_CLOUDS = ("/subscriptions/", "/planes/aws/", "/planes/azure/", "/planes/kubernetes/")
"""Ids that begin so are of a cloud: nothing of ours, and no variables come from them."""

Keys = dict[str, Value]


class Connections:
    """What the connections of one container come to: variables, gates, and the outputs that its shape hangs on."""

    __slots__ = ("env", "gates", "name", "needs", "platform", "problems", "resource", "secrets", "view")

    def __init__(self, resource: Resource, view: View, platform: Platform, gates: Gates) -> None:
        self.resource = resource
        self.view = view
        self.platform = platform
        self.gates = gates
        self.env: Keys = {}
        self.secrets: dict[str, SecretKey] = {}
        self.needs: frozenset[str] = frozenset()
        self.problems: list[Diagnostic] = []
        self.name = ""

    def add(self, name: str, connection: Mapping[str, Value]) -> None:
        """One connection."""
        self.name = name
        silent = connection.get("disableDefaultEnvVars") is True
        keys = self._keys(connection.get("source"), _gate(connection), silent)
        if not silent:
            self.env.update({f"CONNECTION_{name.upper()}_{key.upper()}": value for key, value in keys.items()})

    def _keys(self, source: Value, gate: Properties | None, silent: bool) -> Keys:
        if not isinstance(source, str):
            return self._error("ULN312", f"The source of {self._it} must be the id of a resource, or a URL", "")
        if not source.startswith("/"):
            url = _URL.match(source)
            return self._not_a_source(source) if url is None else self._from_url(url)
        target = self.view.find(source)
        if target is None:
            return {} if source.lower().startswith(_CLOUDS) else self._unknown(source)
        self.gates.add(target, gate)
        match target.type.lower():
            case t if t == CONTAINERS:
                return self._from_container(target, silent or _is_for_order(gate))
            case t if t in PORTABLE:
                return self._from_service(target)
            case t if t == STORES:
                return self._from_store(target, silent)
            case "applications.core/gateways":
                return _from_gateway(target)
            case "applications.core/volumes":
                return {}
            case t if t.startswith("applications.dapr/"):
                return {"COMPONENTNAME": str(target.name)}
            case _:
                return self._from_properties(target, silent)

    def _from_container(self, target: Resource, silent: bool) -> Keys:
        """The first port under the plain keys; where there are several, each under its name too."""
        if target.existing:
            help = "Use its URL as the source: its ports are known only where it is declared."
            return self._error("ULN313", f"{self._subject} goes to a container that is declared as existing", help)
        self.needs |= needs(shape_of(target))
        ports = ports_of(body(target))
        if not ports:
            if not silent:
                message = f"The container '{target.name}' has no ports, so {self._it} gives no variables"
                self._warn(message, "Add 'ports' to the container, or set 'disableDefaultEnvVars: true'.")
            return {}
        workload = outline(target, self.view)
        keys = _from_endpoint(endpoint_of(self.platform, workload, ports[0], self.view))
        for port in ports if len(ports) > 1 else ():
            endpoint = endpoint_of(self.platform, workload, port, self.view)
            keys[f"{port.name}_PORT"] = text(endpoint.port)
            keys[f"{port.name}_URL"] = url_of(endpoint)
        return keys

    def _from_url(self, url: re.Match[str]) -> Keys:
        scheme, host, given, rest = url.groups()
        port = int(given) if given else _PORTS.get(scheme.lower())
        if port is None:
            help = f"Write it as {scheme}://{host}:PORT."
            return self._error("ULN312", f"The URL '{url.string}' of {self._it} has no port", help)
        keys = _from_endpoint(Endpoint(host.strip("[]"), port, scheme)) | {"URL": url.string}
        sibling = sibling_of(self.resource, host, self.view)
        if sibling is None:
            return keys
        self.needs |= needs(shape_of(sibling))
        ports = ports_of(body(sibling))
        for candidate in ports:
            if candidate.port == port:
                endpoint = endpoint_of(self.platform, outline(sibling, self.view), candidate, self.view)
                return _from_endpoint(endpoint.replace(scheme=scheme), rest)
        known = ", ".join(str(p.port) for p in ports)
        message = f"{self._subject} goes to port {port} of '{host}', which has no such port"
        self._warn(message, f"Its ports: {known}." if known else "It has no ports.")
        return keys

    def _from_service(self, target: Resource) -> Keys:
        """Of a portable type; nothing where a recipe should make it, which is said there."""
        if target.existing:
            return self._elsewhere(target)
        if not is_manual(body(target)):
            return {}
        service = Service(target, self.view, self.platform)
        self.needs |= service.needs
        return {} if service.needs or service.problems else service.variables()

    def _from_store(self, target: Resource, silent: bool) -> Keys:
        """Each key of a secret store, as a reference."""
        if target.existing:
            return {} if silent else self._elsewhere(target)
        values = {} if silent else values_of(body(target))
        for key, value in values.items():
            variable = f"CONNECTION_{self.name.upper()}_{''.join(c if c.isalnum() else '_' for c in key).upper()}"
            self.secrets[variable] = SecretKey(str(target.id), key, value)
        return {}

    def _elsewhere(self, target: Resource) -> Keys:
        """Declared as existing, and not deployed to this environment: nothing is known of it."""
        message = f"'{target.name}' is declared as existing and is not deployed here, so {self._it} gives no variables"
        self._warn(message, "Deploy it to this environment first, or give the variables in 'env'.")
        return {}

    def _from_properties(self, target: Resource, silent: bool) -> Keys:
        """Every property and secret, as text."""
        properties = body(target)
        secrets = properties.get("secrets")
        if secrets is not None and not isinstance(secrets, Mapping) and not silent:
            self.needs |= needs(secrets)
            message = f"The secrets of '{target.name}' are one secure value, so {self._it} gives no variables for them"
            self._warn(message, "Name them one by one: secrets: { password: credentials.password }.")
        shown = ((k, v) for k, v in properties.items() if k.lower() not in _HIDDEN)
        hidden = secrets.items() if isinstance(secrets, Mapping) else ()
        return {key: text(value) for key, value in (*shown, *hidden) if value is not None}

    # ------------------------------------------------------------ what is wrong

    @property
    def _it(self) -> str:
        return f"the connection '{self.name}' of '{self.resource.name}'"

    @property
    def _subject(self) -> str:
        return f"The connection '{self.name}' of '{self.resource.name}'"

    @property
    def _place(self) -> Label | None:
        return place(self.resource.origin, ("connections", self.name, "source"))

    def _unknown(self, source: str) -> Keys:
        ids = [str(r.id) for r in self.view.resources() if r.address != self.resource.address]
        near = nearest(source, ids)
        if near is None and (by_name := nearest(short(source), map(short, ids))) is not None:
            near = next(i for i in ids if short(i) == by_name)
        help = (
            f"Did you mean '{near}'?" if near else "Declare the resource, or take the id from its symbol: backend.id."
        )
        return self._error("ULN312", f"{self._subject} goes to '{source}', which is not declared", help)

    def _not_a_source(self, source: str) -> Keys:
        named = next((r for r in self.view.resources() if str(r.name).lower() == source.lower()), None)
        help = "Write SYMBOL.id, or scheme://host:port."
        if named is not None:
            help = f"Use the id of '{named.name}': its symbol and '.id'."
        return self._error(
            "ULN312", f"The source '{source}' of {self._it} is neither the id of a resource nor a URL", help
        )

    def _error(self, code: str, message: str, help: str) -> Keys:
        self.problems.append(Diagnostic(code, Severity.ERROR, message, self._place, help=help))
        return {}

    def _warn(self, message: str, help: str) -> None:
        self.problems.append(Diagnostic("ULN313", Severity.WARNING, message, self._place, help=help))


def connect(resource: Resource, view: View, platform: Platform, gates: Gates) -> Connections:
    """The variables, gates and problems of a container's connections."""
    result = Connections(resource, view, platform, gates)
    connections = body(resource).get("connections")
    for name, connection in connections.items() if isinstance(connections, Mapping) else ():
        result.add(name, connection)
    return result


def _from_endpoint(endpoint: Endpoint, rest: str = "") -> Keys:
    host = text(endpoint.host)
    url = compose("{0}{1}", url_of(endpoint), rest) if rest else url_of(endpoint)
    return {"HOST": host, "HOSTNAME": host, "PORT": text(endpoint.port), "SCHEME": endpoint.scheme, "URL": url}


def _from_gateway(gateway: Resource) -> Keys:
    return {"URL": Output(gateway.address, ("properties", "url"))}


def _gate(connection: Mapping[str, Value]) -> Properties | None:
    """What a connection says of how it waits, None where it says nothing."""
    condition, gate = connection.get("waitFor"), connection.get("gate")
    if condition is None and gate is None:
        return None
    return {**(gate if isinstance(gate, Mapping) else {}), **({"condition": condition} if condition else {})}


def _is_for_order(gate: Properties | None) -> bool:
    """Whether it waits for something else than that the other side can be used."""
    return gate is not None and gate.get("condition", "ready") != "ready"


def url_of(endpoint: Endpoint) -> Value:
    """The URL of an endpoint."""
    return compose("{0}://{1}:{2}", endpoint.scheme, endpoint.host, endpoint.port)
