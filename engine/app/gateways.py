"""A gateway, as it was declared, to routes that any platform can render. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.app.amounts import seconds
from engine.app.environment import application_of
from engine.app.extensions import metadata_of
from engine.app.lowered import Gates, Lowered, open_part
from engine.app.ports import CONTAINERS, outline, ports_of, shape_of, sibling_of
from engine.app.runtimes import runtime_of
from engine.app.stores import STORES, Keys, type_of
from engine.contract.app import Endpoint, Gateway, Port, Protocol, Route, SecretKey, Tls, Workload
from engine.contract.operator import View
from engine.contract.platform import Platform, Support, endpoint_of
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place
from engine.diagnostics.suggest import nearest

_URL = re.compile(r"^(https?|tcp|tls)://(\[[^\]/]+\]|[^/:?#@]+)(?::(\d+))?/?$", re.I)
_PORTS = {"http": 80, "https": 443, "tls": 443}
_NAME = re.compile(r"[\w.:/+=@-]+")
"""A name that a platform may give a secret: an ARN is one too."""
_CERTIFICATE = ("tls", "certificateFrom")
_ODD = re.compile(r"[\s\x00-\x1f\x7f-\x9f{}\"'`\\?#]")
"""What no path of a request holds, or what ends it."""
_PATH = (
    "It begins with '/'; letters, digits, and signs such as - . _ ~ % are fine, and no blanks, braces, quotes, "
    "backslashes, '?', '#' or control characters: those are encoded, as in '%20'."
)
_LOCAL = ("localhost", "host.docker.internal")


def lower_gateway(resource: Resource, view: View, platform: Platform) -> Lowered:
    """What a gateway comes to on the platform of its environment."""
    properties = body(resource)
    if (waiting := open_part(resource, {k: v for k, v in properties.items() if k != "runtimes"})) is not None:
        return waiting
    return _Lowering(resource, view, platform).lowered()


class _Lowering:
    """One gateway being lowered."""

    __slots__ = ("at", "gates", "needs", "platform", "problems", "resource", "view")

    def __init__(self, resource: Resource, view: View, platform: Platform) -> None:
        self.resource = resource
        self.view = view
        self.platform = platform
        self.gates = Gates(resource.waits)
        self.needs: frozenset[str] = frozenset()
        self.problems: list[Diagnostic] = []
        self.at: Path = ()

    def lowered(self) -> Lowered:
        """The gateway, or what stands in its way."""
        properties = body(self.resource)
        passthrough = (properties.get("tls") or {}).get("sslPassthrough") is True
        written = properties["routes"]
        routes = [r for n, block in enumerate(written) if (r := self._route(n, block, passthrough)) is not None]
        if self.needs:
            return Lowered(None, needs=self.needs)
        self._paths(written)
        tls = self._tls(properties, written)
        hostname, prefix = self._hostname(properties.get("hostname") or {})
        application, declared = application_of(self.resource, self.view.find)
        environment = self.view.environment
        layers = [environment.properties if environment else {}, body(declared) if declared else {}]
        gateway = Gateway(
            self.resource,
            application,
            tuple(sorted(routes, key=lambda r: -len(r.path))),
            hostname,
            prefix,
            tls,
            properties.get("internal") is True,
            runtime_of(self.resource, self.platform.kind) or {},
            metadata_of(layers, "labels"),
            metadata_of(layers, "annotations"),
        )
        return Lowered(gateway, self.gates.all(), problems=tuple(self.problems))

    # ------------------------------------------------------------ routes

    def _route(self, number: int, block: Mapping[str, Any], passthrough: bool) -> Route | None:
        where = f"routes[{number}]"
        self.at = ("routes", number, "destination")
        found = self._destination(where, block["destination"], passthrough)
        if found is None:
            return None
        endpoint, workload, port = found
        policy = block.get("timeoutPolicy") or {}
        whole, attempt = (seconds(policy[k]) if policy.get(k) else None for k in ("request", "backendRequest"))
        if whole is not None and attempt is not None and attempt > whole:
            self.at = ("routes", number, "timeoutPolicy", "backendRequest")
            what = f"has in {where} a backendRequest ({policy['backendRequest']}) that is longer than the request ({policy['request']})"
            self._error(what, "One attempt cannot take longer than all of it: exchange them.")
        return Route(
            block.get("path") or "/",
            endpoint,
            workload,
            port,
            block.get("replacePrefix"),
            block.get("enableWebsockets") is True,
            whole,
            attempt,
        )

    def _destination(
        self, where: str, destination: str, passthrough: bool
    ) -> tuple[Endpoint, Workload | None, Port | None] | None:
        """Where requests go: a container, named by URL or id, or another place by its URL."""
        if destination.startswith("/"):
            return self._by_id(where, destination)
        url = _URL.match(destination)
        if url is None:
            help = "Write http://CONTAINER:PORT, without a path; 'replacePrefix' changes the path."
            self._error(f"has in {where} the destination '{destination}', which is no URL of a host", help)
            return None
        scheme, host = url[1].lower(), url[2].strip("[]")
        number = int(url[3]) if url[3] else 443 if passthrough else _PORTS.get(scheme)
        if number is None:
            self._error(f"has in {where} the destination '{destination}' without a port", f"Write {destination}:PORT.")
            return None
        container = sibling_of(self.resource, host, self.view)
        if container is None:
            if "." not in host and ":" not in host and host.lower() not in _LOCAL:
                self._unknown(where, host)
                return None
            return Endpoint(host, number, scheme), None, None
        return self._container(where, container, number, scheme)

    def _by_id(self, where: str, id: str) -> tuple[Endpoint, Workload | None, Port | None] | None:
        container = self.view.find(id)
        if container is None or container.type.lower() != CONTAINERS or container.existing:
            self._unknown(where, id.rpartition("/")[2])
            return None
        ports = [p for p in ports_of(body(container)) if p.protocol is Protocol.TCP]
        if len(ports) == 1:
            return self._container(where, container, ports[0].port, ports[0].scheme)
        if not ports:
            return self._container(where, container, None, "http")
        help = f"Write http://{container.name}:PORT. Its ports: {', '.join(str(p.port) for p in ports)}."
        self._error(
            f"has in {where} the container '{container.name}' as its destination, which has several ports", help
        )
        return None

    def _container(
        self, where: str, container: Resource, number: int | None, scheme: str
    ) -> tuple[Endpoint, Workload | None, Port | None] | None:
        self.needs |= needs(shape_of(container))
        self.gates.add(container)
        ports = ports_of(body(container))
        for port in ports:
            if port.port == number and port.protocol is Protocol.TCP:
                workload = outline(container, self.view)
                endpoint = endpoint_of(self.platform, workload, port, self.view)
                return endpoint.replace(scheme=scheme), workload, port
        known = ", ".join(str(p.port) for p in ports if p.protocol is Protocol.TCP)
        help = f"Its ports: {known}." if known else f"Add 'ports' to the container '{container.name}'."
        if number is None:
            self._error(f"has in {where} the container '{container.name}' as its destination, which has no ports", help)
            return None
        self._error(f"goes in {where} to port {number} of '{container.name}', which has no such port", help)
        return None

    def _unknown(self, where: str, host: str) -> None:
        own = application_of(self.resource, self.view.find)[0]
        containers = (r for r in self.view.resources() if r.type.lower() == CONTAINERS and not r.existing)
        names = [str(r.name) for r in containers if application_of(r, self.view.find)[0] == own]
        near = nearest(host, names)
        help = (
            f"Did you mean '{near}'?"
            if near
            else f"Containers of the application: {', '.join(sorted(names)) or 'none'}."
        )
        self._error(f"goes in {where} to '{host}', which is no container of the application '{own}'", help)
        return

    def _paths(self, routes: list[Mapping[str, Any]]) -> None:
        seen: dict[str, int] = {}
        for number, block in enumerate(routes):
            path = block.get("path") or "/"
            for key in ("path", "replacePrefix"):
                if (odd := _ODD.search(block.get(key) or "")) is not None:
                    self.at = ("routes", number, key)
                    what = f"has in routes[{number}] the {key} {block[key]!r}, which holds {odd[0]!r}"
                    self._error(what, _PATH)
            same = seen.setdefault(path.rstrip("/"), number)
            if same != number:
                self.at = ("routes", number, "path")
                what = f"has the path '{path}' twice, in routes[{same}] and routes[{number}]"
                self._error(what, "Each path may go to one destination only.")

    # ------------------------------------------------------------ TLS and names

    def _tls(self, properties: Properties, routes: list[Mapping[str, Any]]) -> Tls | None:
        block = properties.get("tls")
        if not block:
            return None
        self.at = ("tls",)
        for what, help in _tls_rules(block, routes):
            self._error(what, help)
        version = block.get("minimumProtocolVersion") or "1.2"
        if block.get("sslPassthrough") is True:
            return Tls(True, version)
        source = block.get("certificateFrom")
        pair = self._certificate(source) if source else None
        return Tls(False, version, *pair) if pair is not None else None

    def _certificate(self, source: str) -> tuple[SecretKey, SecretKey] | None:
        keys = Keys(self.resource, self.view, self.gates, self.problems)
        if not source.startswith("/"):
            if (what := self._unnamed(source)) is not None:
                self.at = _CERTIFICATE
                self._error(f"takes its certificate from {source.partition(chr(10))[0][:80]!r}, {what}", self._stores())
                return None
            return SecretKey(source, "tls.crt"), SecretKey(source, "tls.key")
        store = keys.store("The certificate", source, _CERTIFICATE)
        if store is None:
            return None
        if type_of(body(store)) != "certificate":
            what = (
                f"takes its certificate from the secret store '{store.name}', which is of type {type_of(body(store))}"
            )
            self._error(what, "Use a secret store of type certificate, with the keys 'tls.crt' and 'tls.key'.")
            return None
        certificate, key = (keys.key("The certificate", source, k, _CERTIFICATE) for k in ("tls.crt", "tls.key"))
        return (certificate, key) if certificate is not None and key is not None else None

    def _unnamed(self, source: str) -> str | None:
        """Why a text can be no name of a secret of the platform's own; None where it can."""
        cell = self.platform.capabilities.get("secretStores.existing")
        if cell is not None and cell.support is Support.UNSUPPORTED:
            return f"a secret of the platform's own, and compute kind '{self.platform.kind}' keeps none"
        if _NAME.fullmatch(source) is None or "://" in source or "/providers/" in source.lower():
            return "which is neither the id of a secret store nor the name of a secret of the platform's own"
        return None

    def _stores(self) -> str:
        stores = (r for r in self.view.resources() if r.type.lower() == STORES and not r.existing)
        names = sorted(str(r.name) for r in stores if type_of(body(r)) == "certificate")
        known = f" Declared here: {', '.join(names)}." if names else ""
        return f"Write the id of a secret store of type certificate, from its symbol: store.id.{known}"

    def _hostname(self, block: Mapping[str, Any]) -> tuple[str | None, str | None]:
        whole, prefix = block.get("fullyQualifiedHostname") or None, block.get("prefix") or None
        if whole and prefix:
            message = (
                f"The gateway '{self.resource.name}' has a fullyQualifiedHostname, so its prefix '{prefix}' is not used"
            )
            warning = Diagnostic(
                "ULN329",
                Severity.WARNING,
                message,
                place(self.resource.origin, ("hostname", "prefix")),
                help="Remove one of them.",
            )
            self.problems.append(warning)
        return whole, None if whole else prefix

    def _error(self, what: str, help: str) -> None:
        message = f"The gateway '{self.resource.name}' {what}"
        where = place(self.resource.origin, self.at)
        self.problems.append(Diagnostic("ULN329", Severity.ERROR, message, where, help=help))


def _tls_rules(block: Mapping[str, Any], routes: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """What in a `tls` block does not go together."""
    certificate = block.get("certificateFrom")
    if block.get("sslPassthrough") is True:
        if certificate:
            yield "passes TLS through and has a certificate as well", "Keep 'sslPassthrough' or 'certificateFrom'."
        if len(routes) != 1:
            yield (
                f"passes TLS through and has {len(routes)} routes",
                "Passed through, there is one destination: keep one route.",
            )
        for number, route in enumerate(routes):
            for key in ("path", "replacePrefix"):
                if route.get(key) not in (None, "", "/" if key == "path" else None):
                    what = (
                        f"passes TLS through, so nothing can read the path of a request: routes[{number}] has '{key}'"
                    )
                    yield what, f"Remove '{key}', or end TLS here with 'certificateFrom'."
    elif block.get("minimumProtocolVersion") and not certificate:
        what = "has a minimumProtocolVersion, and no certificate to speak TLS with"
        yield what, "Add 'certificateFrom', the id of a secret store of type certificate."
