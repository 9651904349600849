"""A gateway as a load balancer. Pure.

entry                     Applications.Core/gateways
├── access                AWS.EC2/SecurityGroup                         from everywhere, or from the environment alone
├── balancer              AWS.ElasticLoadBalancingV2/LoadBalancer
├── certificate           Ulna.Ecs/certificates                         with TLS
├── listener, redirect    AWS.ElasticLoadBalancingV2/Listener
├── target-web-http       AWS.ElasticLoadBalancingV2/TargetGroup        one for each port of a container that a route leads to
└── rule-PATH             AWS.ElasticLoadBalancingV2/ListenerRule

A target group and what leads to it must be there before the service that fills it, so they wait for nothing of the gateway's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Gateway, Port, Route, Workload
from engine.contract.operator import Children, View
from engine.contract.resource import Resource, Wait, body, join, short
from engine.contract.value import Output, Properties, Value, compose
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.aws.block import merged, part
from providers.aws.site import Place, child

GATEWAYS = "applications.core/gateways"
_URL = re.compile(r"^(?:https?|tcp|tls)://([^/:?#@]+)(?::(\d+))?/?$", re.I)
_POLICIES = {"1.2": "ELBSecurityPolicy-TLS13-1-2-2021-06", "1.3": "ELBSecurityPolicy-TLS13-1-3-2021-06"}
_ELB = "AWS.ElasticLoadBalancingV2"


def render(gateway: Gateway, view: View) -> Children:
    """See the module."""
    problems = tuple(_problems(gateway))
    if any(p.severity is Severity.ERROR for p in problems):
        return Children((), {}, problems)
    passthrough = gateway.tls is not None and gateway.tls.passthrough
    made = [*_front(gateway, view, passthrough), *(_passed(gateway, view) if passthrough else _routed(gateway, view))]
    host = _hostname(gateway, Place.of(view))
    address = _of(gateway.resource, "balancer", "DNSName")
    scheme = "https" if gateway.tls is not None else "http"
    outputs = {"url": compose("{0}://{1}", scheme, host if host is not None else address), "address": address}
    return Children(tuple(made), outputs, problems, frozenset(r.address for r in made))


def _front(gateway: Gateway, view: View, passthrough: bool) -> Iterator[Resource]:
    """The load balancer, and who may reach it."""
    place, resource = Place.of(view), gateway.resource
    ports = (443,) if passthrough else (80, 443) if gateway.tls is not None else (80,)
    source: Properties = (
        {"SourceSecurityGroupId": place.output("securityGroup")} if gateway.internal else {"CidrIp": "0.0.0.0/0"}
    )
    rules = [{"IpProtocol": "tcp", "FromPort": p, "ToPort": p, **source} for p in ports]
    about = {
        "GroupDescription": f"The gateway {resource.name}",
        "VpcId": place.output("vpc"),
        "SecurityGroupIngress": rules,
    }
    yield child(resource, "AWS.EC2/SecurityGroup", "access", about)
    wish: dict[str, Value] = {
        "Type": "network" if passthrough else "application",
        "Scheme": "internal" if gateway.internal else "internet-facing",
        "Subnets": place.subnets,
        "SecurityGroups": [_of(resource, "access", "GroupId"), place.output("securityGroup")],
    }
    longest = max((int(r.timeout) for r in gateway.routes if r.timeout), default=0)
    if longest and not passthrough:
        wish["LoadBalancerAttributes"] = [
            {"Key": "idle_timeout.timeout_seconds", "Value": str(min(max(longest, 1), 4000))}
        ]
    yield child(resource, f"{_ELB}/LoadBalancer", "balancer", merged(wish, part(gateway.runtime, "loadBalancer")))


def _routed(gateway: Gateway, view: View) -> Iterator[Resource]:
    """A listener with a rule for each route; what no route takes is not found."""
    resource, balancer = gateway.resource, _of(gateway.resource, "balancer", "LoadBalancerArn")
    nothing = {"StatusCode": "404", "ContentType": "text/plain", "MessageBody": "no route"}
    listener: dict[str, Value] = {
        "LoadBalancerArn": balancer,
        "Port": 80,
        "Protocol": "HTTP",
        "DefaultActions": [{"Type": "fixed-response", "FixedResponseConfig": nothing}],
    }
    tls = gateway.tls
    if tls is not None and tls.certificate is not None and tls.key is not None:
        secret = {"Certificate": tls.certificate.value, "PrivateKey": tls.key.value}
        yield child(resource, "Ulna.Ecs/certificates", "certificate", secret)
        certificates = [{"CertificateArn": _of(resource, "certificate", "CertificateArn")}]
        listener |= {"Port": 443, "Protocol": "HTTPS", "Certificates": certificates}
        listener["SslPolicy"] = _POLICIES.get(tls.minimum_version, _POLICIES["1.2"])
        secure = {"Protocol": "HTTPS", "Port": "443", "StatusCode": "HTTP_301"}
        redirect = {"LoadBalancerArn": balancer, "Port": 80, "Protocol": "HTTP"}
        redirect["DefaultActions"] = [{"Type": "redirect", "RedirectConfig": secure}]
        yield child(resource, f"{_ELB}/Listener", "redirect", redirect)
    yield child(resource, f"{_ELB}/Listener", "listener", listener)
    yield from _targets(gateway, view, "HTTP")
    host = _hostname(gateway, Place.of(view))
    for route, priority in zip(gateway.routes, priorities(gateway.routes), strict=True):
        assert route.workload is not None and route.port is not None
        target = _of(resource, target_name(route.workload, route.port), "TargetGroupArn")
        wish: dict[str, Value] = {
            "ListenerArn": _of(resource, "listener", "ListenerArn"),
            "Priority": priority,
            "Conditions": list(_conditions(route, host)),
            "Actions": [{"Type": "forward", "TargetGroupArn": target}],
        }
        if route.replace_prefix is not None:
            rewrite = {"Rewrites": [_rewrite(route.path, route.replace_prefix)]}
            wish["Transforms"] = [{"Type": "url-rewrite", "UrlRewriteConfig": rewrite}]
        yield child(resource, f"{_ELB}/ListenerRule", rule_name(route.path), wish)


def _passed(gateway: Gateway, view: View) -> Iterator[Resource]:
    """TLS as it is, to the one container there is."""
    (route,) = gateway.routes
    assert route.workload is not None and route.port is not None
    yield from _targets(gateway, view, "TCP")
    target = _of(gateway.resource, target_name(route.workload, route.port), "TargetGroupArn")
    wish = {
        "LoadBalancerArn": _of(gateway.resource, "balancer", "LoadBalancerArn"),
        "Port": 443,
        "Protocol": "TCP",
        "DefaultActions": [{"Type": "forward", "TargetGroupArn": target}],
    }
    yield child(gateway.resource, f"{_ELB}/Listener", "listener", wish)


def _targets(gateway: Gateway, view: View, protocol: str) -> Iterator[Resource]:
    """A target group for each port that routes lead to; its health check is the container's readiness probe, if that is of HTTP."""
    seen: set[str] = set()
    for route in gateway.routes:
        assert route.workload is not None and route.port is not None
        name = target_name(route.workload, route.port)
        if name in seen:
            continue
        seen.add(name)
        wish: dict[str, Value] = {
            "Protocol": "HTTPS" if protocol == "HTTP" and route.port.scheme == "https" else protocol,
            "Port": 80,
            "TargetType": "ip",
            "VpcId": Place.of(view).output("vpc"),
            "TargetGroupAttributes": [{"Key": "deregistration_delay.timeout_seconds", "Value": "30"}],
        }
        if protocol == "HTTP":
            wish |= _check(route.workload, route.port)
        yield child(gateway.resource, f"{_ELB}/TargetGroup", name, wish)


def _check(workload: Workload, port: Port) -> dict[str, Value]:
    container = body(workload.resource).get("container")
    probe = container.get("readinessProbe") if isinstance(container, Mapping) else None
    if (
        isinstance(probe, Mapping)
        and probe.get("kind") == "httpGet"
        and probe.get("containerPort") == port.container_port
    ):
        return {
            "HealthCheckPath": probe.get("path") or "/",
            "HealthCheckIntervalSeconds": min(max(int(probe.get("periodSeconds") or 10), 5), 300),
            "HealthCheckTimeoutSeconds": min(max(int(probe.get("timeoutSeconds") or 5), 2), 120),
            "HealthyThresholdCount": 2,
            "UnhealthyThresholdCount": min(max(int(probe.get("failureThreshold") or 3), 2), 10),
            "Matcher": {"HttpCode": "200-399"},
        }
    return {"HealthCheckPath": "/", "HealthyThresholdCount": 2, "Matcher": {"HttpCode": "200-499"}}


# ---------------------------------------------------------------- names


def _of(resource: Resource, name: str, key: str) -> Output:
    return Output(join(resource.address, name), ("properties", key))


def target_name(workload: Workload, port: Port) -> str:
    """The target group of a port, by name."""
    return f"target-{workload.resource.name}-{port.name}"


def rule_name(path: str) -> str:
    """The rule of a path, by name."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", path).strip("-")
    return f"rule-{words}" if words and f"/{words}" == path.rstrip("/") else f"rule-{words or 'root'}-{_digest(path)}"


def _digest(path: str) -> str:
    return hashlib.sha256(path.encode()).hexdigest()[:6]


def priorities(routes: tuple[Route, ...]) -> list[int]:
    """Longer paths first, each path always the same, so that another route moves none."""
    taken: set[int] = set()
    found: list[int] = []
    for route in routes:
        number = 1 + (200 - min(len(route.path), 200)) * 200 + int(_digest(route.path), 16) % 200
        while number in taken:
            number += 1
        taken.add(number)
        found.append(number)
    return found


def _conditions(route: Route, host: str | None) -> Iterator[dict[str, Any]]:
    path = route.path.rstrip("/")
    yield {"Field": "path-pattern", "PathPatternConfig": {"Values": [path, f"{path}/*"] if path else ["/*"]}}
    if host is not None:
        yield {"Field": "host-header", "HostHeaderConfig": {"Values": [host]}}


def _rewrite(path: str, prefix: str) -> dict[str, str]:
    start = path.rstrip("/")
    return {"Regex": f"^{re.escape(start)}/?(.*)$", "Replace": f"{prefix.rstrip('/')}/$1"}


def _hostname(gateway: Gateway, place: Place) -> str | None:
    """The full name; a prefix is completed by the environment's domain."""
    domain = place.compute.get("domain")
    if gateway.hostname is None and gateway.prefix is not None and isinstance(domain, str):
        return f"{gateway.prefix}.{domain}"
    return gateway.hostname


# ---------------------------------------------------------------- the other side


def targets_of(workload: Workload, view: View) -> tuple[list[dict[str, Value]], list[Wait]]:
    """The target groups that a service fills, with what must lead to them first: of the gateways in view whose routes lead to it."""
    balancers: dict[str, dict[str, Value]] = {}
    waits: list[Wait] = []
    for gateway in view.resources():
        if gateway.type.lower() != GATEWAYS or gateway.existing:
            continue
        properties = body(gateway)
        if short(properties.get("application")).lower() != workload.application.lower():
            continue
        passthrough = (properties.get("tls") or {}).get("sslPassthrough") is True
        for route in properties.get("routes") or ():
            port = _port(route, workload, passthrough)
            if port is None:
                continue
            name = target_name(workload, port)
            target = _of(gateway, name, "TargetGroupArn")
            balancers[f"{gateway.address}/{name}"] = {
                "targetGroupArn": target,
                "containerName": workload.container.name,
                "containerPort": port.container_port,
            }
            leads = "listener" if passthrough else rule_name(str(route.get("path") or "/"))
            waits.append(Wait(join(gateway.address, leads)))
    return list(balancers.values()), waits


def _port(route: Any, workload: Workload, passthrough: bool) -> Port | None:
    """The port of the workload that a route, as it was declared, leads to."""
    destination = route.get("destination") if isinstance(route, Mapping) else None
    if not isinstance(destination, str):
        return None
    web = [p for p in workload.ports if str(p.protocol) == "TCP"]
    if destination.startswith("/"):
        return web[0] if destination.lower() == str(workload.resource.id).lower() and len(web) == 1 else None
    url = _URL.match(destination)
    if url is None or url[1].lower() != str(workload.resource.name).lower():
        return None
    number = int(url[2]) if url[2] else 443 if passthrough or destination.lower().startswith("https") else 80
    return next((p for p in web if p.port == number), None)


def _problems(gateway: Gateway) -> Iterator[Diagnostic]:
    resource = gateway.resource
    for route in gateway.routes:
        if route.workload is None or route.port is None:
            message = (
                f"The gateway '{resource.name}' leads '{route.path}' to '{route.endpoint.host}', "
                "and a load balancer leads to containers only"
            )
            help = "Lead it to a container of the application; one with a proxy can go on to there."
            yield Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)
    tls = gateway.tls
    if tls is not None and not tls.passthrough and (tls.certificate is None or tls.certificate.value is None):
        message = f"The gateway '{resource.name}' takes its certificate from a secret that Ulna cannot read, and ACM must be given it"
        help = "Give the secret store its values, by @secure() parameters."
        yield Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)
