"""A gateway on an engine: Caddy in a container of the application's network. Pure.

gate                 Applications.Core/gateways
└── proxy            Ulna.Docker/gateways      published on one port, the same for as long as the gateway lives
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract.app import Gateway, Route
from engine.contract.caddy import routes
from engine.contract.operator import Children, View
from engine.contract.resource import Resource, body, join
from engine.contract.secretfiles import reference
from engine.contract.value import Output, Properties, Value, compose
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.docker.options import labels_of, merged
from providers.docker.surroundings import (
    HOST,
    compute_of,
    given_network,
    homeless,
    joins_of,
    part,
    replica_of,
    scoped,
)

HTTP, HTTPS = 8080, 8443
IMAGE = "caddy:2"
DOMAIN = "localhost"
"""What a prefix is completed with: browsers and curl know that every name in it is this machine."""
CONFIG = "/etc/ulna/caddy.json"
PROGRAM = ["caddy", "run", "--config", CONFIG]
MACHINE = "host.docker.internal"


def gateway_children(gateway: Gateway, view: View) -> Children:
    """The proxy of one gateway."""
    resource = gateway.resource
    if gateway.tls is not None and gateway.tls.passthrough:
        return _passthrough(gateway, view)
    joins, problems = joins_of(resource, gateway.application, _targets(gateway), view)
    problems += [*homeless(resource, gateway.application, view), *_namesakes(gateway, view)]
    if problems:
        return Children((), {}, tuple(problems))
    scheme = "http" if gateway.tls is None else "https"
    inside = 80 if gateway.tls is None else 443
    wish = _wish(gateway, joins, inside, view)
    proxy = part(resource, "gateways", "proxy", wish)
    if gateway.internal:
        return Children((proxy,), {"url": f"{scheme}://{hostname(gateway, view) or resource.name}:{inside}"})
    port = Output(proxy.address, ("properties", "ports", scheme))
    url = compose("{0}://{1}:{2}", scheme, hostname(gateway, view) or HOST, port)
    return Children((proxy,), {"url": url})


def hostname(gateway: Gateway, view: View) -> str | None:
    """The full name that it answers for; None for any."""
    if gateway.prefix is not None:
        return f"{gateway.prefix}.{_block(view).get('domain') or DOMAIN}"
    return gateway.hostname


def _block(view: View) -> Mapping[str, Value]:
    block = compute_of(view).get("gateway")
    return block if isinstance(block, Mapping) else {}


def _wish(gateway: Gateway, joins: list[str], inside: int, view: View) -> dict[str, Value]:
    scheme, key = ("http" if inside == 80 else "https"), f"{inside}/tcp"
    given = {**gateway.annotations, **gateway.labels}
    labels = {k: v for k, v in given.items() if not k.startswith("ulna.")}
    host: dict[str, Value] = {"RestartPolicy": {"Name": "unless-stopped"}}
    if any(route.endpoint.host == MACHINE for route in gateway.routes):
        host["ExtraHosts"] = [f"{MACHINE}:host-gateway"]
    options: dict[str, Value] = {
        "Image": _block(view).get("image") or IMAGE,
        "Entrypoint": PROGRAM,
        "Labels": {**labels, **labels_of(gateway.application, str(gateway.resource.name), view)},
        "ExposedPorts": {key: {}},
        "StopTimeout": 5,
        "HostConfig": host,
    }
    network = given_network(view)
    wish: dict[str, Value] = {
        "name": scoped(view, gateway.application, str(gateway.resource.name)),
        "state": "running",
        "pull": "IfNotPresent",
        "options": merged(options, gateway.resource, gateway.runtime, view),
        "network": f"={network}" if network is not None else scoped(view, gateway.application),
        "aliases": [str(gateway.resource.name)] if gateway.internal else [],
        "listens": {scheme: key},
        "routes": routes(gateway, _to),
    }
    if joins and network is None:
        wish["joins"] = joins
    if not gateway.internal:
        wish["publish"] = {key: _block(view).get("port") or (HTTP if scheme == "http" else HTTPS)}
    if (name := hostname(gateway, view)) is not None:
        wish["hostname"] = name
    if gateway.tls is not None and gateway.tls.certificate is not None and gateway.tls.key is not None:
        wish["tls"] = {
            "certificate": reference(gateway.tls.certificate),
            "key": reference(gateway.tls.key),
            "minimumVersion": gateway.tls.minimum_version,
        }
    return wish


def _to(route: Route) -> Properties:
    """Where a route leads: to a name that all replicas answer to, or elsewhere."""
    if route.workload is None:
        return {"to": [compose("{0}:{1}", route.endpoint.host, route.endpoint.port)]}
    return {"name": route.endpoint.host, "port": route.endpoint.port}


def _targets(gateway: Gateway) -> Iterator[tuple[str, Resource]]:
    for route in gateway.routes:
        if route.workload is not None:
            yield f"The route '{route.path}'", route.workload.resource


def _namesakes(gateway: Gateway, view: View) -> Iterator[Diagnostic]:
    """An internal gateway is found by its name, which must be its own."""
    own = str(body(gateway.resource).get("application")).lower()
    for other in view.resources() if gateway.internal else ():
        kind = other.type.lower().rpartition("/")[2]
        if kind != "containers" or other.name != gateway.resource.name:
            continue
        if str(body(other).get("application")).lower() == own:
            message = f"The internal gateway '{gateway.resource.name}' has the name of a container of its application"
            help = "Give one of them another name: they are found by name on compute kind 'docker'."
            yield Diagnostic("ULN318", Severity.ERROR, message, gateway.resource.origin, help=help)


def _passthrough(gateway: Gateway, view: View) -> Children:
    """TLS that is not ended here needs nobody in between: clients reach the published port of the first replica."""
    route = gateway.routes[0]
    if route.workload is None or route.port is None or not route.workload.replicas:
        message = f"'{gateway.resource.name}' passes TLS on to what is no running container, which compute kind 'docker' cannot"
        help = "Let clients reach it themselves, or end TLS at the gateway with certificateFrom."
        problem = Diagnostic("ULN318", Severity.ERROR, message, gateway.resource.origin, help=help)
        return Children((), {}, (problem,))
    first = join(route.workload.resource.address, replica_of(route.workload, 0))
    port = Output(first, ("properties", "ports", route.port.name))
    return Children((), {"url": compose("https://{0}:{1}", hostname(gateway, view) or HOST, port)})
