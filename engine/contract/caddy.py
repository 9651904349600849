"""A gateway as a configuration of Caddy, for the kinds that bring a proxy of their own. Pure.

`routes` writes a gateway's routes as a resource holds them, for people to read in a plan; `configuration` makes Caddy's JSON
of that, once every value in it is known:

    {path: '/api', to: ['localhost:3001', 'localhost:3002'], replacePrefix: '/', timeout: 15}
    {path: '/', name: 'web', port: 8080}          by name: every address that the name has, asked for again each second

A path stands for itself and what is below it, segment by segment. A timeout is for the first byte of an answer, and
for each silence within it. When one configuration takes the place of another, requests under way are finished and
websockets live on; a connection that is made in that very moment, and not yet read from, is closed and can be made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.contract.app import Gateway, Route
from engine.contract.value import Properties, Value

PATIENCE = 5.0
"""For so many seconds a request waits for somebody to answer to it: a container is replaced within that, mostly."""
LINGER = "24h"
"""For so long an open websocket outlives the configuration that it came in by."""


def routes(gateway: Gateway, to: Callable[[Route], Properties]) -> list[dict[str, Value]]:
    """The routes as a resource has them; `to` says where one leads: `{to: […]}`, or `{name: …, port: …}`."""
    return [_written(route, to(route)) for route in gateway.routes]


def _written(route: Route, where: Properties) -> dict[str, Value]:
    entry: dict[str, Value] = {"path": route.path or "/", **where}
    if route.replace_prefix is not None:
        entry["replacePrefix"] = route.replace_prefix
    if route.endpoint.scheme in ("https", "wss"):
        entry["scheme"] = "https"
    if route.workload is None:
        entry["elsewhere"] = True
    if route.websockets:
        entry["websockets"] = True
    if route.timeout is not None:
        entry["timeout"] = route.timeout
    if route.backend_timeout is not None:
        entry["backendTimeout"] = route.backend_timeout
    return entry


def configuration(
    routes: Iterable[Mapping[str, Any]],
    listen: Iterable[str],
    hostname: str | None = None,
    certificate: tuple[str, str] | None = None,
    minimum_version: str = "1.2",
    admin: str = "localhost:2019",
    storage: str | None = None,
) -> dict[str, Any]:
    """Caddy's JSON. `listen` are addresses, `certificate` the files of one and of its key, `admin` where it takes orders."""
    server: dict[str, Any] = {
        "listen": list(listen),
        "automatic_https": {"disable": True},
        "protocols": ["h1", "h2"] if certificate else ["h1"],
        "routes": [*(_route(r, hostname) for r in routes), _NOBODY],
    }
    apps: dict[str, Any] = {"http": {"grace_period": "10s", "servers": {"gateway": server}}}
    if certificate is not None:
        pair = {"certificate": certificate[0], "key": certificate[1], "tags": ["gateway"]}
        apps["tls"] = {"certificates": {"load_files": [pair]}}
        policy = {"certificate_selection": {"any_tag": ["gateway"]}, "protocol_min": f"tls{minimum_version}"}
        server["tls_connection_policies"] = [policy]
    made: dict[str, Any] = {
        "admin": {"listen": admin, "config": {"persist": False}},
        "logging": {"logs": {"default": {"level": "WARN", "encoder": {"format": "json"}}}},
        "apps": apps,
    }
    return made if storage is None else {**made, "storage": {"module": "file_system", "root": storage}}


_NOWHERE = "no route of this gateway leads there\n"
_NOBODY = {"handle": [{"handler": "static_response", "status_code": 404, "body": _NOWHERE}]}


def _route(route: Mapping[str, Any], hostname: str | None) -> dict[str, Any]:
    path = str(route["path"]).rstrip("/")
    match: dict[str, Any] = {"host": [hostname]} if hostname else {}
    if path:
        match["path_regexp"] = {"pattern": f"^{re.escape(path)}(?:/|$)"}
    return {**({"match": [match]} if match else {}), "handle": list(_handlers(route, path)), "terminal": True}


def _handlers(route: Mapping[str, Any], path: str) -> Iterable[dict[str, Any]]:
    if not route.get("websockets"):
        yield {"handler": "headers", "request": {"delete": ["Upgrade"]}}
    if (replacement := route.get("replacePrefix")) is not None:
        yield {"handler": "rewrite", "path_regexp": [_replacing(path, str(replacement).rstrip("/"))]}
    yield _proxy(route)


def _replacing(path: str, replacement: str) -> dict[str, str]:
    """A prefix to another one: what comes after it stays as it is."""
    literal = replacement.replace("$", "$$")
    if not path:
        return {"find": "^/", "replace": f"{literal}/"}
    if not literal:
        return {"find": f"^{re.escape(path)}(?:/|$)", "replace": "/"}
    return {"find": f"^{re.escape(path)}(/|$)", "replace": f"{literal}$1"}


def _proxy(route: Mapping[str, Any]) -> dict[str, Any]:
    transport: dict[str, Any] = {"protocol": "http", "dial_timeout": "3s"}
    limits = [t for t in (route.get("timeout"), route.get("backendTimeout")) if t is not None]
    if limits:
        transport["response_header_timeout"] = _seconds(min(limits))
        if not route.get("websockets"):
            transport["read_timeout"] = _seconds(min(limits))
    if route.get("scheme") == "https":  # within the environment there is nobody to vouch for a certificate
        transport["tls"] = {} if route.get("elsewhere") else {"insecure_skip_verify": True}
    proxy: dict[str, Any] = {
        "handler": "reverse_proxy",
        "transport": transport,
        "load_balancing": {
            "selection_policy": {"policy": "round_robin"},
            "try_duration": _seconds(min([PATIENCE, *limits])),
            "try_interval": "100ms",
        },
        "stream_close_delay": LINGER,
    }
    if "name" in route:
        source = {"source": "a", "name": str(route["name"]), "port": str(route["port"]), "refresh": "1s"}
        proxy["dynamic_upstreams"] = source
    else:
        proxy["upstreams"] = [{"dial": str(address)} for address in route["to"]]
    if route.get("elsewhere"):
        proxy["headers"] = {"request": {"set": {"Host": ["{http.reverse_proxy.upstream.hostport}"]}}}
    return proxy


def complaint(said: str) -> str:
    """What Caddy says is wrong, from what it writes to its standard error: the last of its lines, without what is for machines."""
    lines = said.strip().splitlines()
    last = lines[-1] if lines else ""
    try:
        last = str(json.loads(last)["msg"])
    except (ValueError, KeyError, TypeError):
        last = last.removeprefix("Error: ")
    return last[:500] or "no message"


def _seconds(seconds: float) -> str:
    """A duration as Caddy writes it."""
    return f"{round(seconds * 1000)}ms"
