"""A gateway on this machine: a port, and Caddy as a supervised process that listens on it. Pure.

gate                 Applications.Core/gateways
├── port-http        Ulna.Process/ports        the same for as long as the gateway lives
└── proxy            Ulna.Process/gateways     sends requests on to the processes, to all replicas in turn
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Gateway, Route
from engine.contract.caddy import routes
from engine.contract.operator import Children, View
from engine.contract.secretfiles import reference
from engine.contract.value import Output, Properties, Value, compose
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.process.addresses import HOST, behind, number, own_number, part

HTTP, HTTPS = 8080, 8443
DOMAIN = "localhost"
"""What a prefix is completed with: browsers and curl know that every name in it is this machine."""


def gateway_children(gateway: Gateway, view: View) -> Children:
    """The parts of one gateway."""
    if gateway.tls is not None and gateway.tls.passthrough:
        return _passthrough(gateway, view)
    secure = gateway.tls is not None
    name = "https" if secure else "http"
    block = _block(view)
    port = part(gateway.resource, "ports", f"port-{name}", {"prefer": block.get("port") or (HTTPS if secure else HTTP)})
    listens = Output(port.address, ("properties", "port"))
    wish: dict[str, Value] = {"ports": {name: listens}, "listens": listens, "routes": routes(gateway, _to)}
    if (hostname := _hostname(gateway, block)) is not None:
        wish["hostname"] = hostname
    if gateway.tls is not None and gateway.tls.certificate is not None and gateway.tls.key is not None:
        wish["tls"] = {
            "certificate": reference(gateway.tls.certificate),
            "key": reference(gateway.tls.key),
            "minimumVersion": gateway.tls.minimum_version,
        }
    waits = dict.fromkeys(w for r in gateway.routes if r.workload is not None for w in behind(r.workload))
    proxy = part(gateway.resource, "gateways", "proxy", wish).replace(waits=tuple(waits))
    url = compose("{0}://{1}:{2}", name, hostname or HOST, listens)
    return Children((port, proxy), {"url": url}, tuple(_notes(gateway)), frozenset({port.address}))


def _to(route: Route) -> Properties:
    """Where a route leads: to each replica, or elsewhere."""
    if route.workload is None or route.port is None:
        return {"to": [compose("{0}:{1}", route.endpoint.host, route.endpoint.port)]}
    replicas = range(route.workload.replicas)
    numbers = dict.fromkeys(own_number(route.workload, route.port, replica) for replica in replicas)
    return {"to": [compose("{0}:{1}", HOST, number) for number in numbers]}


def _passthrough(gateway: Gateway, view: View) -> Children:
    """TLS that is not ended here needs nobody in between: clients reach the port of the process itself."""
    route = gateway.routes[0]
    if route.workload is None or route.port is None:
        message = (
            f"'{gateway.resource.name}' passes TLS on to what is no container, which compute kind 'process' cannot"
        )
        help = "Let clients reach it themselves, or end TLS at the gateway with certificateFrom."
        problem = Diagnostic("ULN318", Severity.ERROR, message, gateway.resource.origin, help=help)
        return Children((), {}, (problem,))
    host = _hostname(gateway, _block(view)) or HOST
    url = compose("https://{0}:{1}", host, number(route.workload, route.port))
    return Children((), {"url": url}, tuple(_notes(gateway)))


def _hostname(gateway: Gateway, block: Mapping[str, Any]) -> str | None:
    if gateway.prefix is not None:
        return f"{gateway.prefix}.{block.get('domain') or DOMAIN}"
    return gateway.hostname


def _block(view: View) -> Mapping[str, Any]:
    """What the environment says of gateways."""
    compute = view.environment.properties.get("compute") if view.environment is not None else None
    block = compute.get("gateway") if isinstance(compute, Mapping) else None
    return block if isinstance(block, Mapping) else {}


def _notes(gateway: Gateway) -> Iterator[Diagnostic]:
    if gateway.runtime:
        message = f"'{gateway.resource.name}': runtimes.process of a gateway has no meaning, and is ignored"
        yield Diagnostic("ULN319", Severity.INFO, message, gateway.resource.origin)
