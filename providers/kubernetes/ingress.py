"""A gateway by Ingress: one object, and one more for each route that is written anew, as its controller has that by annotation. Pure."""

from __future__ import annotations

from typing import Any

from engine.contract.app import Route
from engine.contract.operator import Children
from engine.contract.resource import Resource
from engine.contract.value import Output, Value
from engine.diagnostics.diagnostic import Severity
from providers.kubernetes.gateways import Way, backend, elsewhere

NGINX = "nginx.ingress.kubernetes.io"


def by_ingress(way: Way) -> Children:
    """The objects, and the URL."""
    nginx = "nginx" in str(way.found.get("controller") or way.found.get("class") or "").lower()
    _differences(way, nginx)
    routes = list(enumerate(way.gateway.routes))
    plain = [(n, r) for n, r in routes if not _special(r)]
    objects: list[Resource] = elsewhere(way)
    if plain:
        objects.append(_ingress(way, plain, {}, "Ingress", way.name))
    for number, route in routes:
        if _special(route):
            objects.append(
                _ingress(way, [(number, route)], _annotations(route), f"Ingress-{number}", f"{way.name}-{number}")
            )
    first = next(o for o in objects if o.type.endswith("/Ingress"))
    return way.made(objects, way.url(Output(first.address, ("address",))))


def _special(route: Route) -> bool:
    return route.replace_prefix is not None or route.timeout is not None or route.backend_timeout is not None


def _differences(way: Way, nginx: bool) -> None:
    tls = way.gateway.tls
    if tls is not None and tls.minimum_version != "1.2":
        help = "Set it in the controller, or use compute.gateway.kind: 'caddy'."
        way.warn(f"the lowest version of TLS is what the controller allows, not {tls.minimum_version}", help)
    if nginx:
        return
    for route in way.gateway.routes:
        help = (
            "Use compute.gateway.kind: 'caddy', a controller of Gateway API, or ingress-nginx by compute.gateway.class."
        )
        if route.replace_prefix is not None:
            named = way.found.get("controller") or way.found.get("class")
            who = f"the Ingress controller '{named}'" if named else "an Ingress controller that is not known"
            way.warn(f"{who} has no common way for replacePrefix", help, Severity.ERROR)
        if route.timeout is not None or route.backend_timeout is not None:
            way.warn("timeoutPolicy is not passed on to this Ingress controller, which has limits of its own", help)


def _annotations(route: Route) -> dict[str, str]:
    found: dict[str, str] = {}
    if route.replace_prefix is not None:
        target = route.replace_prefix.rstrip("/")
        found |= {f"{NGINX}/use-regex": "true", f"{NGINX}/rewrite-target": f"{target}/$2"}
    limits = [t for t in (route.timeout, route.backend_timeout) if t is not None]
    if limits:
        seconds = str(max(1, round(min(limits))))
        found |= {f"{NGINX}/proxy-read-timeout": seconds, f"{NGINX}/proxy-send-timeout": seconds}
    return found


def _ingress(
    way: Way, routes: list[tuple[int, Route]], annotations: dict[str, str], symbol: str, name: str
) -> Resource:
    host, secret = way.host(), way.certificate()
    rule: dict[str, Value] = {"http": {"paths": [_path(way, r, n) for n, r in routes]}}
    spec: dict[str, Any] = {"rules": [{"host": host, **rule} if host else rule]}
    if way.found.get("class"):
        spec["ingressClassName"] = way.found["class"]
    if secret:
        spec["tls"] = [{"secretName": secret, **({"hosts": [host]} if host else {})}]
    notes = {**(way.found.get("annotations") or {}), **annotations}
    body: dict[str, Value] = {"spec": spec, **({"metadata": {"annotations": notes}} if notes else {})}
    return way.maker.make("networking.k8s.io/Ingress@v1", body, symbol, name)


def _path(way: Way, route: Route, number: int) -> dict[str, Value]:
    name, port = backend(way, route, number)
    service = {"service": {"name": name, "port": {"number": port}}}
    if route.replace_prefix is None:
        return {"path": route.path or "/", "pathType": "Prefix", "backend": service}
    path = (route.path or "/").rstrip("/")
    return {"path": f"{path}(/|$)(.*)", "pathType": "ImplementationSpecific", "backend": service}
