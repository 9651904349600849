"""A gateway as an Application Gateway: every route, rewritten paths, a certificate, TLS that is passed through. Pure.

public                    Applications.Core/gateways
├── address               Microsoft.Network/publicIPAddresses      with a name: LABEL.REGION.cloudapp.azure.com
└── gateway               Microsoft.Network/applicationGateways
"""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Iterator, Mapping

from engine.contract.app import Gateway, Route
from engine.contract.operator import Children, View
from engine.contract.resource import Resource, body
from engine.contract.value import Output, Value, compose
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.azure.ground import ADDRESSES as RANGE
from providers.azure.ground import gateways_prefix
from providers.azure.late import PASSWORD
from providers.azure.merging import merged
from providers.azure.naming import Place, child, digest, label, place

GATEWAYS = "Microsoft.Network/applicationGateways"
ADDRESSES = "Microsoft.Network/publicIPAddresses"
POLICY = "AppGwSslPolicy20220101"
NOWHERE = "nowhere"
"""A pool without backends: what no route is for is answered with 502."""
SECONDS = 60


def gateway_of(gateway: Gateway, view: View) -> Children:
    """The address and the gateway; `url` is a full one."""
    where = place(view)
    if where is None or not where.gateways:
        message = f"The gateway '{gateway.resource.name}' has no subnet to be in"
        help = "Deploy the file that declares the environment first; with a network of your own, name compute.network.gatewaySubnet."
        return Children((), {}, (Diagnostic("ULN318", Severity.ERROR, message, gateway.resource.origin, help=help),))
    name = label(where.name, gateway.application, str(gateway.resource.name))
    inside = _inside(gateway, where, name) if gateway.internal else ""
    if inside is None:
        message = f"The internal gateway '{gateway.resource.name}' has no address in the subnet that was given"
        help = "Name one: runtimes: { aci: { privateIPAddress: '10.0.1.10' } } of the gateway."
        return Children((), {}, (Diagnostic("ULN318", Severity.ERROR, message, gateway.resource.origin, help=help),))
    address = _address(gateway, where, name)
    parts = _Parts(where.id(GATEWAYS, name), gateway, inside)
    properties = merged(parts.properties(where, address), gateway.runtime.get("applicationGateway") or {})
    made = child(gateway.resource, "gateway", where, GATEWAYS, (name,), properties, application=gateway.application)
    return Children((address, made), {"url": _url(gateway, address, inside)}, tuple(_notes(gateway)))


def _address(gateway: Gateway, where: Place, name: str) -> Resource:
    """Its name is unique in a region: the one that was asked for, else one with the digest of the resource group."""
    prefix = gateway.prefix or label(name, digest(where.scope.lower(), 8))
    name_of_it = label(prefix) if prefix[:1].isalpha() else label("g", prefix)  # it begins with a letter
    wish: dict[str, Value] = {"publicIPAllocationMethod": "Static", "dnsSettings": {"domainNameLabel": name_of_it}}
    return child(
        gateway.resource,
        "address",
        where,
        ADDRESSES,
        (name,),
        wish,
        application=gateway.application,
        sku={"name": "Standard"},
    )


def _url(gateway: Gateway, address: Resource, inside: str) -> Value:
    scheme = "https" if gateway.tls is not None else "http"
    if gateway.hostname is not None:
        return f"{scheme}://{gateway.hostname}"
    if inside:
        return f"{scheme}://{inside}"
    return compose("{0}://{1}", scheme, Output(address.address, ("properties", "dnsSettings", "fqdn")))


def _notes(gateway: Gateway) -> Iterator[Diagnostic]:
    if gateway.hostname is not None:
        message = f"'{gateway.resource.name}': the name '{gateway.hostname}' has to lead to the gateway, which only its owner can see to"
        help = "Make a CNAME record of it to the name of the gateway's public address, LABEL.REGION.cloudapp.azure.com."
        yield Diagnostic("ULN319", Severity.INFO, message, gateway.resource.origin, help=help)


class _Parts:
    """The parts of one Application Gateway, which refer to each other by id."""

    def __init__(self, id: str, gateway: Gateway, inside: str) -> None:
        self.id = id
        self.gateway = gateway
        self.inside = inside

    def ref(self, collection: str, name: str) -> dict[str, str]:
        """A reference to a part."""
        return {"id": f"{self.id}/{collection}/{name}"}

    def properties(self, where: Place, address: Resource) -> dict[str, Value]:
        """All of them."""
        gateway = self.gateway
        frontends: list[Value] = [
            {"name": "public", "properties": {"publicIPAddress": {"id": Output(address.address, ("id",))}}}
        ]
        if self.inside:
            fixed = {"privateIPAddress": self.inside, "privateIPAllocationMethod": "Static"}
            frontends.append({"name": "private", "properties": {"subnet": {"id": where.gateways}, **fixed}})
        base: dict[str, Value] = {
            "sku": {"name": "Standard_v2", "tier": "Standard_v2"},
            "autoscaleConfiguration": {"minCapacity": 0, "maxCapacity": 2},
            "enableHttp2": True,
            "gatewayIPConfigurations": [{"name": "gateway", "properties": {"subnet": {"id": where.gateways}}}],
            "frontendIPConfigurations": frontends,
        }
        if gateway.tls is not None and gateway.tls.passthrough:
            return {**base, **self._passthrough(gateway.routes[0])}
        return {**base, **self._http()}

    def _frontend(self) -> dict[str, str]:
        return self.ref("frontendIPConfigurations", "private" if self.inside else "public")

    # ------------------------------------------------------------ HTTP

    def _http(self) -> dict[str, Value]:
        gateway, tls = self.gateway, self.gateway.tls
        routes = list(gateway.routes)
        ports = [{"name": "http", "properties": {"port": 80}}]
        listeners = [self._listener("http", "Http")]
        made: dict[str, Value] = {
            "backendAddressPools": self._pools(routes),
            "backendHttpSettingsCollection": [self._settings(r, i) for i, r in enumerate(routes)],
            "probes": [self._probe(r, i) for i, r in enumerate(routes)],
        }
        main = "http"
        if tls is not None and tls.certificate is not None and tls.key is not None:
            main = "https"
            ports.append({"name": "https", "properties": {"port": 443}})
            listeners.append(self._listener("https", "Https"))
            pair = {"certificate": tls.certificate.value, "key": tls.key.value}
            certificate = {"data": {"$pkcs12": pair}, "password": PASSWORD}
            made["sslCertificates"] = [{"name": "certificate", "properties": certificate}]
            made["sslPolicy"] = _policy(tls.minimum_version)
            target = {
                "redirectType": "Permanent",
                "targetListener": self.ref("httpListeners", "https"),
                "includePath": True,
                "includeQueryString": True,
            }
            made["redirectConfigurations"] = [{"name": "to-https", "properties": target}]
        rules = [self._rule(main, routes)]
        if main == "https":
            rules.append(self._redirect())
        if rewrites := [self._rewrite(r, i) for i, r in enumerate(routes) if _rewritten(r)]:
            made["rewriteRuleSets"] = rewrites
        if not _only_root(routes):
            made["urlPathMaps"] = [self._paths(routes)]
        return {**made, "frontendPorts": ports, "httpListeners": listeners, "requestRoutingRules": rules}

    def _listener(self, name: str, protocol: str) -> dict[str, Value]:
        properties: dict[str, Value] = {
            "frontendIPConfiguration": self._frontend(),
            "frontendPort": self.ref("frontendPorts", name),
            "protocol": protocol,
        }
        if self.gateway.hostname is not None:
            properties["hostName"] = self.gateway.hostname
        if protocol == "Https":
            properties["sslCertificate"] = self.ref("sslCertificates", "certificate")
            properties["requireServerNameIndication"] = self.gateway.hostname is not None
        return {"name": name, "properties": properties}

    def _pools(self, routes: list[Route]) -> list[Value]:
        hosts = dict.fromkeys(str(r.endpoint.host) for r in routes)
        pools: list[Value] = [{"name": label(h), "properties": {"backendAddresses": [_backend(h)]}} for h in hosts]
        if all(r.path.rstrip("/") for r in routes):
            pools.append({"name": NOWHERE, "properties": {"backendAddresses": []}})
        return pools

    def _settings(self, route: Route, index: int) -> dict[str, Value]:
        seconds = route.backend_timeout if route.backend_timeout is not None else route.timeout
        properties: dict[str, Value] = {
            "port": route.endpoint.port,
            "protocol": "Https" if route.endpoint.scheme == "https" else "Http",
            "cookieBasedAffinity": "Disabled",
            "requestTimeout": max(1, math.ceil(seconds)) if seconds is not None else SECONDS,
            "probe": self.ref("probes", f"route-{index}"),
        }
        if route.workload is None:
            properties["pickHostNameFromBackendAddress"] = True
        return {"name": f"route-{index}", "properties": properties}

    def _probe(self, route: Route, index: int) -> dict[str, Value]:
        """As the readiness probe asks; where there is none, any answer will do."""
        asked = _asked(route)
        properties: dict[str, Value] = {
            "protocol": "Https" if route.endpoint.scheme == "https" else "Http",
            "path": asked or "/",
            "interval": 10,
            "timeout": 5,
            "unhealthyThreshold": 3,
            "match": {"statusCodes": ["200-399"] if asked else ["100-599"]},
        }
        if route.workload is None:
            properties["pickHostNameFromBackendHttpSettings"] = True
        else:
            properties["host"] = str(route.endpoint.host)
        return {"name": f"route-{index}", "properties": properties}

    def _rule(self, listener: str, routes: list[Route]) -> dict[str, Value]:
        properties: dict[str, Value] = {"priority": 100, "httpListener": self.ref("httpListeners", listener)}
        if _only_root(routes):
            return {"name": "all", "properties": {**properties, "ruleType": "Basic", **self._target(routes[0], 0)}}
        properties |= {"ruleType": "PathBasedRouting", "urlPathMap": self.ref("urlPathMaps", "paths")}
        return {"name": "all", "properties": properties}

    def _redirect(self) -> dict[str, Value]:
        properties: dict[str, Value] = {
            "priority": 200,
            "ruleType": "Basic",
            "httpListener": self.ref("httpListeners", "http"),
            "redirectConfiguration": self.ref("redirectConfigurations", "to-https"),
        }
        return {"name": "to-https", "properties": properties}

    def _target(self, route: Route, index: int) -> dict[str, Value]:
        target: dict[str, Value] = {
            "backendAddressPool": self.ref("backendAddressPools", label(str(route.endpoint.host))),
            "backendHttpSettings": self.ref("backendHttpSettingsCollection", f"route-{index}"),
        }
        if _rewritten(route):
            target["rewriteRuleSet"] = self.ref("rewriteRuleSets", f"route-{index}")
        return target

    def _paths(self, routes: list[Route]) -> dict[str, Value]:
        """A rule for each path; what none of them matches goes to the route of '/', or nowhere."""
        rules: list[Value] = []
        default: dict[str, Value] = {
            "backendAddressPool": self.ref("backendAddressPools", NOWHERE),
            "backendHttpSettings": self.ref("backendHttpSettingsCollection", "route-0"),
        }
        for index, route in enumerate(routes):
            target = self._target(route, index)
            stem = route.path.rstrip("/")
            if stem:
                rules.append({"name": f"route-{index}", "properties": {"paths": [stem, f"{stem}/*"], **target}})
            else:
                default = target
        properties = {f"default{k[0].upper()}{k[1:]}": v for k, v in default.items()}
        return {"name": "paths", "properties": {**properties, "pathRules": rules}}

    def _rewrite(self, route: Route, index: int) -> dict[str, Value]:
        """The path of the route taken off, and the prefix put in its place."""
        stem, prefix = route.path.rstrip("/"), (route.replace_prefix or "").rstrip("/")
        rule = {
            "name": "prefix",
            "ruleSequence": 100,
            "conditions": [{"variable": "var_uri_path", "pattern": f"^{re.escape(stem)}/?(.*)$", "ignoreCase": False}],
            "actionSet": {"urlConfiguration": {"modifiedPath": f"{prefix}/{{var_uri_path_1}}", "reroute": False}},
        }
        return {"name": f"route-{index}", "properties": {"rewriteRules": [rule]}}

    # ------------------------------------------------------------ TCP

    def _passthrough(self, route: Route) -> dict[str, Value]:
        """Bytes as they come: nobody looks into them, so there is one destination."""
        host, port = str(route.endpoint.host), route.endpoint.port
        seconds = max(1, math.ceil(route.timeout)) if route.timeout is not None else SECONDS
        probe = {"protocol": "Tcp", "interval": 10, "timeout": 5, "unhealthyThreshold": 3}
        settings = {"port": port, "protocol": "Tcp", "timeout": seconds, "probe": self.ref("probes", "tls")}
        listener = {
            "frontendIPConfiguration": self._frontend(),
            "frontendPort": self.ref("frontendPorts", "tls"),
            "protocol": "Tcp",
        }
        rule = {
            "ruleType": "Basic",
            "priority": 100,
            "listener": self.ref("listeners", "tls"),
            "backendAddressPool": self.ref("backendAddressPools", label(host)),
            "backendSettings": self.ref("backendSettingsCollection", "tls"),
        }
        return {
            "frontendPorts": [{"name": "tls", "properties": {"port": 443}}],
            "backendAddressPools": [{"name": label(host), "properties": {"backendAddresses": [_backend(host)]}}],
            "probes": [{"name": "tls", "properties": probe}],
            "backendSettingsCollection": [{"name": "tls", "properties": settings}],
            "listeners": [{"name": "tls", "properties": listener}],
            "routingRules": [{"name": "all", "properties": rule}],
        }


def _backend(host: str) -> dict[str, str]:
    return {"ipAddress" if re.fullmatch(r"[\d.]+|.*:.*", host) else "fqdn": host}


def _only_root(routes: list[Route]) -> bool:
    return len(routes) == 1 and routes[0].path.rstrip("/") == ""


def _rewritten(route: Route) -> bool:
    return route.replace_prefix is not None and route.replace_prefix.rstrip("/") != route.path.rstrip("/")


def _policy(version: str) -> Mapping[str, Value]:
    """1.2 and 1.3 by a policy that Azure keeps up to date; 1.3 alone, whose ciphers are not to be chosen."""
    if version == "1.3":
        return {"policyType": "CustomV2", "minProtocolVersion": "TLSv1_3", "cipherSuites": []}
    return {"policyType": "Predefined", "policyName": POLICY}


def _asked(route: Route) -> str | None:
    """The path that the readiness probe of a route's container asks for on the same port."""
    container = body(route.workload.resource).get("container") if route.workload is not None else None
    probe = container.get("readinessProbe") if isinstance(container, Mapping) else None
    if not isinstance(probe, Mapping) or probe.get("kind") != "httpGet":
        return None
    number = route.port.container_port if route.port is not None else route.endpoint.port
    return str(probe.get("path") or "/") if probe.get("containerPort") == number else None


def _inside(gateway: Gateway, where: Place, name: str) -> str | None:
    """The address of an internal gateway: Azure wants a fixed one, so it is one of the subnet's that stands for the name."""
    if given := gateway.runtime.get("privateIPAddress"):
        return str(given)
    network = where.compute.get("network") or {}
    if network.get("subnet"):
        return None
    subnet = ipaddress.ip_network(gateways_prefix(str(network.get("addressPrefix") or RANGE)))
    return str(subnet[10 + int(digest(name, 6), 16) % (subnet.num_addresses - 20)])
