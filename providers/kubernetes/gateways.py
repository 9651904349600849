"""A gateway to objects: by Gateway API, by Ingress, or by a Caddy of its own; what passes TLS through needs only a Service. Pure.

Which one, the environment's compute block says (`gateway.kind`), else what the cluster has (`clusters.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Gateway, Route
from engine.contract.operator import Children, Undecided, View
from engine.contract.resource import Resource, Wait
from engine.contract.value import Leaf, Output, Value, compose, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.kubernetes.places import Maker, compute_of, homeless, label, namespace_for, secret_of, slug

GROUP = "gateway.networking.k8s.io"


class Way:
    """How gateways are made in an environment, and one in the making."""

    def __init__(self, gateway: Gateway, view: View, found: Mapping[str, Any]) -> None:
        self.gateway = gateway
        self.view = view
        self.found = found
        self.namespace = namespace_for(gateway.resource, gateway.application, view)
        self.maker = Maker(gateway.resource, gateway.application, self.namespace, gateway.labels, gateway.annotations)
        self.problems: list[Diagnostic] = []
        self.kind = "caddy" if gateway.internal else str(found.get("kind") or "caddy")

    @property
    def name(self) -> str:
        """What its objects are called."""
        return self.maker.name

    @property
    def scheme(self) -> str:
        """What people speak to it."""
        return "https" if self.gateway.tls is not None else "http"

    def host(self) -> str | None:
        """The host that requests must name, as far as it is known before the gateway has an address."""
        if self.gateway.hostname is not None:
            return self.gateway.hostname
        domain = self.found.get("domain")
        return f"{self.gateway.prefix or self.name}.{domain}" if domain else None

    def url(self, address: Value, port: Value = None) -> Value:
        """A full URL; a prefix without a domain is completed with the address by nip.io."""
        host: Value = self.host()
        if host is None:
            prefixed = self.gateway.prefix is not None
            host = (
                compose("{0}.{1}.{2}.nip.io", self.gateway.prefix, self.gateway.application, address)
                if prefixed
                else address
            )
        plain = port is None or port == (443 if self.scheme == "https" else 80)
        return compose("{0}://{1}", self.scheme, host) if plain else compose("{0}://{1}:{2}", self.scheme, host, port)

    def warn(self, message: str, help: str, severity: Severity = Severity.WARNING) -> None:
        """A setting that this way honours with a difference, or not at all."""
        code = "ULN317" if severity is Severity.WARNING else "ULN318"
        text = f"The gateway '{self.gateway.resource.name}': {message}"
        self.problems.append(Diagnostic(code, severity, text, self.gateway.resource.origin, help=help))

    def certificate(self) -> str | None:
        """The Secret with its certificate, in its own namespace."""
        tls = self.gateway.tls
        if tls is None or tls.certificate is None:
            return None
        name, namespace = secret_of(tls.certificate.store, self.view)
        if namespace not in (None, self.namespace):
            help = f"Declare the secret store in the application '{self.gateway.application}'."
            self.warn(
                f"its certificate is in the namespace '{namespace}', and it can only refer to its own",
                help,
                Severity.ERROR,
            )
        return name

    def made(self, objects: list[Resource], url: Value) -> Children:
        """The children, or what is wrong."""
        if any(p.severity is Severity.ERROR for p in self.problems):
            return Children((), {}, tuple(self.problems))
        return Children(tuple(objects), {"url": url, "endpoints": {self.scheme: url}}, tuple(self.problems))


def objects_of_gateway(gateway: Gateway, view: View) -> Children | Undecided:
    """The objects of a gateway, and its URL."""
    if (lost := homeless(gateway.resource, gateway.application, view)) is not None:
        return Children((), {}, (lost,))
    reported: Value = view.environment.outputs.get("gateways") if view.environment is not None else None
    asked = compute_of(view).get("gateway")
    asked = asked if isinstance(asked, Mapping) else {}
    if isinstance(reported, Leaf) and not _decided(asked):
        return Undecided(needs(reported))
    if waiting := needs([v for v in asked.values() if isinstance(v, Leaf)]):
        return Undecided(waiting)
    seen = reported if isinstance(reported, Mapping) else {}
    if asked.get("kind") not in (None, seen.get("kind")):
        seen = {k: v for k, v in seen.items() if k not in ("class", "controller")}
    way = Way(gateway, view, {**seen, **asked})
    if gateway.tls is not None and gateway.tls.passthrough:
        return _passing(way)
    match way.kind:
        case "gatewayApi":
            return _by_gateway_api(way)
        case "ingress":
            from providers.kubernetes.ingress import by_ingress

            return by_ingress(way)
        case _:
            from providers.kubernetes.caddy import by_caddy

            return by_caddy(way)


def _decided(asked: Mapping[str, Any]) -> bool:
    """Whether the block leaves nothing open."""
    kind = asked.get("kind")
    return kind in ("gatewayApi", "ingress") or (
        kind == "caddy" and bool(asked.get("service")) and bool(asked.get("address"))
    )


# ---------------------------------------------------------------- a service that leads in


def outside(
    way: Way, ports: list[dict[str, Value]], selector: Mapping[str, Value], symbol: str = "Service"
) -> tuple[Resource, Value, Value]:
    """A Service that leads in from outside, with the address and the port that people use."""
    kind = "ClusterIP" if way.gateway.internal else str(way.found.get("service") or "LoadBalancer")
    spec: dict[str, Value] = {"type": kind, "selector": dict(selector), "ports": ports}
    if kind == "LoadBalancer" and way.found.get("loadBalancerClass"):
        spec["loadBalancerClass"] = way.found["loadBalancerClass"]
    body: dict[str, Value] = {"spec": spec}
    if notes := way.found.get("annotations"):
        body["metadata"] = {"annotations": dict(notes)}
    service = way.maker.make("core/Service@v1", body, symbol)
    match kind:
        case "ClusterIP":
            return service, f"{way.name}.{way.namespace}", ports[0]["port"]
        case "NodePort":
            return (
                service,
                way.found.get("address") or "localhost",
                Output(service.address, ("spec", "ports", 0, "nodePort")),
            )
        case _:
            return service, Output(service.address, ("address",)), ports[0]["port"]


def _passing(way: Way) -> Children:
    """TLS as it is: a Service to the pods themselves, since nobody on the way reads anything of it."""
    route = way.gateway.routes[0]
    if route.workload is None or route.port is None:
        way.warn(
            f"it passes TLS through to '{route.endpoint.host}', which is no container of the application",
            "Let its name in the DNS lead there directly.",
            Severity.ERROR,
        )
        return way.made([], "")
    found = {"radapp.io/resource": label(str(route.workload.resource.name))}
    selector = {"radapp.io/application": way.gateway.application, **found} if way.gateway.application else found
    ports: list[dict[str, Value]] = [
        {"name": "https", "port": 443, "protocol": "TCP", "targetPort": route.port.container_port}
    ]
    service, address, port = outside(way, ports, selector)
    return way.made([service], way.url(address, port))


# ---------------------------------------------------------------- Gateway API


def _by_gateway_api(way: Way) -> Children:
    """A Gateway of the cluster's class, or one that is there already; and an HTTPRoute."""
    objects, parent, address = list[Resource](), dict[str, Value](), None
    given = way.found.get("name")
    if isinstance(given, str) and given:
        namespace, _, name = given.rpartition("/")
        parent = {"name": name, **({"namespace": namespace} if namespace else {})}
        if way.host() is None:
            help = "Give it a hostname, or set compute.gateway.domain."
            way.warn(f"the gateway '{given}' is shared, and nothing tells its requests apart", help, Severity.ERROR)
    else:
        gateway = way.maker.make(f"{GROUP}/Gateway@v1", {"spec": _listening(way)}, "Gateway")
        objects.append(gateway)
        parent, address = {"name": way.name}, Output(gateway.address, ("address",))
    tls = way.gateway.tls
    if tls is not None and tls.minimum_version != "1.2":
        help = "Set it in the controller, or use compute.gateway.kind: 'caddy'."
        way.warn(f"the lowest version of TLS is what the controller allows, not {tls.minimum_version}", help)
    objects += elsewhere(way)
    host = way.host()
    spec: dict[str, Value] = {"parentRefs": [parent], **({"hostnames": [host]} if host else {})}
    spec["rules"] = [_rule(way, route, n) for n, route in enumerate(way.gateway.routes)]
    waits = tuple(Wait(o.address) for o in objects)
    objects.append(way.maker.make(f"{GROUP}/HTTPRoute@v1", {"spec": spec}, "HTTPRoute", waits=waits))
    return way.made(objects, way.url(address))


def _listening(way: Way) -> dict[str, Value]:
    secret, host = way.certificate(), way.host()
    listener: dict[str, Value] = {
        "name": way.scheme,
        "port": 443 if secret else 80,
        "protocol": "HTTPS" if secret else "HTTP",
    }
    if host:
        listener["hostname"] = host
    if secret:
        listener["tls"] = {"mode": "Terminate", "certificateRefs": [{"name": secret}]}
    return {"gatewayClassName": way.found.get("class") or "", "listeners": [listener]}


def _rule(way: Way, route: Route, number: int) -> dict[str, Value]:
    name, port = backend(way, route, number)
    rule: dict[str, Value] = {"matches": [{"path": {"type": "PathPrefix", "value": route.path or "/"}}]}
    if route.replace_prefix is not None:
        path = {"type": "ReplacePrefixMatch", "replacePrefixMatch": route.replace_prefix or "/"}
        rule["filters"] = [{"type": "URLRewrite", "urlRewrite": {"path": path}}]
    rule["backendRefs"] = [{"name": name, "port": port}]
    times = {"request": route.timeout, "backendRequest": route.backend_timeout}
    if limits := {k: duration(v) for k, v in times.items() if v is not None}:
        rule["timeouts"] = limits
    return rule


def duration(seconds: float) -> str:
    """Seconds as Gateway API writes them."""
    return f"{round(seconds * 1000)}ms" if seconds % 1 else f"{int(seconds)}s"


# ---------------------------------------------------------------- where routes lead


def backend(way: Way, route: Route, number: int) -> tuple[str, Value]:
    """The Service behind a route, and its port."""
    if route.workload is not None and route.port is not None:
        return label(str(route.workload.resource.name)), route.port.port
    return _elsewhere_name(way, route, number), route.endpoint.port


def elsewhere(way: Way) -> list[Resource]:
    """A Service for each place outside of the cluster that a route leads to."""
    return list(_elsewhere(way))


def _elsewhere(way: Way) -> Iterator[Resource]:
    for number, route in enumerate(way.gateway.routes):
        if route.endpoint.scheme == "https":
            help = "Tell it by an annotation or a policy of its own, or use compute.gateway.kind: 'caddy'."
            way.warn(f"'{route.endpoint.host}' is to be asked by https, and the controller asks by http", help)
        if route.workload is None:
            name = _elsewhere_name(way, route, number)
            spec = {"type": "ExternalName", "externalName": route.endpoint.host}
            yield way.maker.make("core/Service@v1", {"spec": spec}, f"Service-{number}", name)


def _elsewhere_name(way: Way, route: Route, number: int) -> str:
    return slug(f"{way.name}-{number}")
