"""What a connection gives a container: `CONNECTION_<NAME>_<KEY>` variables, the same on every compute kind.

| source | keys |
|---|---|
| a URL | SCHEME, HOSTNAME, PORT, and HOST, URL besides; a host that is a container of the application is found where it runs |
| a container | HOST, HOSTNAME, PORT, SCHEME, URL of its first port; of each of several also `<PORT>_PORT`, `<PORT>_URL` |
| an extender, or any other resource | each property, and each secret |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from engine.app.environment import application_of
from engine.app.ports import outline, ports_of
from engine.contract.app import Endpoint, Port
from engine.contract.operator import View
from engine.contract.platform import Platform
from engine.contract.resource import Condition, Resource, Wait, body, short
from engine.contract.value import Deferred, Secret, Value, compose, leaves, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import nearest

CONTAINERS = "applications.core/containers"
_URL = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#]+)(?::(\d+))?(.*)$", re.S)
_PORTS = {"http": 80, "https": 443, "redis": 6379, "amqp": 5672, "postgres": 5432, "postgresql": 5432, "mongodb": 27017}
_HIDDEN = frozenset(
    {
        "application",
        "environment",
        "status",
        "connections",
        "codereference",
        "secrets",
        "recipe",
        "resourceprovisioning",
        "provisioningstate",
    }
)

Keys = dict[str, Value]


class Connections:
    """What the connections of one container come to."""

    __slots__ = ("env", "needs", "problems", "waits")

    def __init__(self, waits: tuple[Wait, ...]) -> None:
        self.env: Keys = {}
        self.waits = list(waits)
        self.needs: frozenset[str] = frozenset()
        self.problems: list[Diagnostic] = []


def connect(resource: Resource, view: View, platform: Platform) -> Connections:
    """The variables, gates and problems of a container's connections."""
    result = Connections(resource.waits)
    connections = body(resource).get("connections")
    for name, connection in connections.items() if isinstance(connections, Mapping) else ():
        source = connection.get("source")
        if not isinstance(source, str):
            text = f"The source of the connection '{name}' of '{resource.name}' must be the id of a resource, or a URL"
            result.problems.append(_error("ULN312", resource, text, ""))
            continue
        keys = _keys(name, source, connection, resource, view, platform, result)
        if connection.get("disableDefaultEnvVars") is not True:
            result.env.update({f"CONNECTION_{name.upper()}_{key.upper()}": value for key, value in keys.items()})
    return result


def _keys(
    name: str,
    source: str,
    connection: Mapping[str, Value],
    resource: Resource,
    view: View,
    platform: Platform,
    result: Connections,
) -> Keys:
    if not source.startswith("/"):
        if (url := _URL.match(source)) is not None:
            return _from_url(url, name, resource, view, platform, result)
        result.problems.append(_not_a_source(name, source, resource, view))
        return {}
    target = view.find(source)
    if target is None:
        if not _elsewhere(source):
            result.problems.append(_unknown(name, source, resource, view))
        return {}
    _gate(target, connection.get("waitFor"), result)
    if target.type.lower() != CONTAINERS:
        return dict(_from_properties(target))
    if target.existing:
        message = f"The connection '{name}' of '{resource.name}' goes to a container that is declared as existing"
        help = "Use its URL as the source: its ports are known only where it is declared."
        result.problems.append(_error("ULN313", resource, message, help))
        return {}
    result.needs |= needs(_ports(target))
    ports = ports_of(body(target))
    if not ports:
        message = f"The container '{target.name}' has no ports, so the connection '{name}' of '{resource.name}' gives no variables"
        help = "Add 'ports' to the container, or set 'disableDefaultEnvVars: true'."
        if connection.get("disableDefaultEnvVars") is not True:
            result.problems.append(Diagnostic("ULN313", Severity.WARNING, message, resource.origin, help=help))
        return {}
    return _from_ports(target, ports, view, platform)


def _from_ports(target: Resource, ports: tuple[Port, ...], view: View, platform: Platform) -> Keys:
    """The first port under the plain keys; where there are several, each under its name too."""
    workload = outline(target, view)
    keys = _endpoint(platform.endpoint(workload, ports[0]))
    for port in ports if len(ports) > 1 else ():
        endpoint = platform.endpoint(workload, port)
        keys[f"{port.name}_PORT"] = text(endpoint.port)
        keys[f"{port.name}_URL"] = url_of(endpoint)
    return keys


def _endpoint(endpoint: Endpoint, rest: str = "") -> Keys:
    host = text(endpoint.host)
    url = compose("{0}{1}", url_of(endpoint), rest) if rest else url_of(endpoint)
    return {"HOST": host, "HOSTNAME": host, "PORT": text(endpoint.port), "SCHEME": endpoint.scheme, "URL": url}


def url_of(endpoint: Endpoint) -> Value:
    """The URL of an endpoint."""
    return compose("{0}://{1}:{2}", endpoint.scheme, endpoint.host, endpoint.port)


def _from_url(
    url: re.Match[str], name: str, resource: Resource, view: View, platform: Platform, result: Connections
) -> Keys:
    scheme, host, given, rest = url.groups()
    port = int(given) if given else _PORTS.get(scheme.lower())
    if port is None:
        message = f"The URL '{url.string}' of the connection '{name}' of '{resource.name}' has no port"
        result.problems.append(_error("ULN312", resource, message, f"Write it as {scheme}://{host}:PORT."))
        return {}
    sibling = _sibling(host, resource, view)
    if sibling is None:
        keys = _endpoint(Endpoint(host.strip("[]"), port, scheme))
        return keys | {"URL": url.string}
    result.needs |= needs(_ports(sibling))
    for candidate in ports_of(body(sibling)):
        if candidate.port == port:
            endpoint = platform.endpoint(outline(sibling, view), candidate)
            return _endpoint(endpoint.replace(scheme=scheme), rest)
    message = f"The connection '{name}' of '{resource.name}' goes to port {port} of '{host}', which has no such port"
    known = ", ".join(str(p.port) for p in ports_of(body(sibling)))
    help = f"Its ports: {known}." if known else "It has no ports."
    result.problems.append(Diagnostic("ULN313", Severity.WARNING, message, resource.origin, help=help))
    return _endpoint(Endpoint(host, port, scheme)) | {"URL": url.string}


def _ports(target: Resource) -> Value:
    container = body(target).get("container")
    return container.get("ports") if isinstance(container, Mapping) else container


def _sibling(host: str, resource: Resource, view: View) -> Resource | None:
    """The container of the same application that a host name means, as it does where services have names."""
    found = view.find(f"{str(resource.id).rpartition('/')[0]}/{host}")
    if found is None or found.existing or found.type.lower() != CONTAINERS:
        return None
    return found if application_of(found, view.find)[0] == application_of(resource, view.find)[0] else None


def _from_properties(target: Resource) -> Iterator[tuple[str, Value]]:
    """Every property and secret, as text."""
    properties = body(target)
    for key, value in properties.items():
        if key.lower() not in _HIDDEN and value is not None:
            yield key, text(value)
    secrets = properties.get("secrets")
    for key, value in secrets.items() if isinstance(secrets, Mapping) else ():
        if value is not None:
            yield key, text(value)


def text(value: Value) -> Value:
    """A value as the text of a variable: text as it is, numbers plain, lists of numbers with commas, the rest as JSON."""
    if isinstance(value, str | Secret):
        return value
    if any(True for _ in leaves(value)):
        return Deferred("string", (value,))
    if isinstance(value, float):
        return _plain(value)
    if isinstance(value, list | tuple) and value and all(type(v) in (int, float) for v in value):
        return ",".join(_plain(v) for v in value)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _plain(number: float) -> str:
    """Without an exponent, and without `.0`."""
    if isinstance(number, float) and number == int(number):
        return str(int(number))
    shown = repr(number)
    if "e" not in shown:
        return shown
    from decimal import Decimal

    return format(Decimal(shown), "f")


def _gate(target: Resource, condition: Value, result: Connections) -> None:
    """Wait for what is connected to, for what `waitFor` says, or for readiness."""
    wanted = Condition(condition) if isinstance(condition, str) else None
    for index, wait in enumerate(result.waits):
        if wait.address == target.address:
            if wanted is not None:
                result.waits[index] = wait.replace(condition=wanted)
            return
    result.waits.append(Wait(target.address, wanted or Condition.READY))


def _elsewhere(id: str) -> bool:
    """Whether an id is of a cloud: nothing of ours, and no variables come from it."""
    lower = id.lower()
    return lower.startswith(("/subscriptions/", "/planes/aws/", "/planes/azure/", "/planes/kubernetes/"))


def _unknown(name: str, source: str, resource: Resource, view: View) -> Diagnostic:
    message = f"The connection '{name}' of '{resource.name}' goes to '{source}', which is not declared"
    ids = [str(r.id) for r in view.resources() if r.address != resource.address]
    near = nearest(source, ids)
    if near is None and (by_name := nearest(short(source), [short(i) for i in ids])) is not None:
        near = next(i for i in ids if short(i) == by_name)
    help = f"Did you mean '{near}'?" if near else "Declare the resource, or take the id from its symbol: backend.id."
    return _error("ULN312", resource, message, help)


def _not_a_source(name: str, source: str, resource: Resource, view: View) -> Diagnostic:
    message = f"The source '{source}' of the connection '{name}' of '{resource.name}' is neither the id of a resource nor a URL"
    named = next((r for r in view.resources() if str(r.name).lower() == source.lower()), None)
    help = (
        f"Use the id of '{named.name}': its symbol and '.id'."
        if named is not None
        else "Write SYMBOL.id, or scheme://host:port."
    )
    return _error("ULN312", resource, message, help)


def _error(code: str, resource: Resource, message: str, help: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, resource.origin, help=help)
