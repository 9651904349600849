"""What a platform can do of the app model: the features there are, and a check of one record against a platform's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.contract.app import (
    Container,
    EphemeralVolume,
    Exec,
    Gateway,
    HttpGet,
    PersistentVolume,
    Protocol,
    RestartPolicy,
    Route,
    SecretStore,
    TcpConnect,
    Volume,
    Workload,
)
from engine.contract.platform import Capability, Platform, Support
from engine.contract.resource import body
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place
from engine.record import Record

Lowered = Workload | Gateway | SecretStore | Volume
"""What the app model lowers to."""


class Feature(Record):
    """A thing a template can ask of a platform: what people call it, and whether what was lowered asks for it."""

    label: str
    used: Callable[[Any], bool]


def _any(asks: Callable[[Container], Any]) -> Callable[[Workload], bool]:
    """Whether any container of a workload asks for it."""
    return lambda workload: any(map(asks, workload.containers))


def _probe(name: str, check: type) -> Callable[[Workload], bool]:
    def asks(container: Container) -> bool:
        probe = container.readiness if name == "readiness" else container.liveness
        return probe is not None and isinstance(probe.check, check)

    return _any(asks)


def _volume(kind: type) -> Callable[[Workload], bool]:
    return _any(lambda c: any(isinstance(v, kind) for v in c.volumes))


def _port(protocol: Protocol) -> Callable[[Workload], bool]:
    return lambda workload: any(p.protocol is protocol for p in workload.ports)


def _extension(kind: str) -> Callable[[Workload], bool]:
    def used(workload: Workload) -> bool:
        found = body(workload.resource).get("extensions")
        return isinstance(found, list | tuple) and any(isinstance(e, Mapping) and e.get("kind") == kind for e in found)

    return used


def _route(asks: Callable[[Route], bool]) -> Callable[[Gateway], bool]:
    return lambda gateway: any(map(asks, gateway.routes))


def _type(name: str) -> Callable[[SecretStore], bool]:
    return lambda store: store.type == name


def _kind(name: str) -> Callable[[Volume], bool]:
    return lambda volume: volume.kind == name


_WORKLOAD: Mapping[str, Feature] = {
    "image": Feature("container.image", _any(lambda c: c.image is not None)),
    "imagePullPolicy": Feature("container.imagePullPolicy", _any(lambda c: c.image_pull_policy is not None)),
    "imagePullSecret": Feature("container.imagePullSecret", _any(lambda c: c.registry is not None)),
    "command": Feature("container.command", _any(lambda c: c.command is not None)),
    "args": Feature("container.args", _any(lambda c: c.args is not None)),
    "workingDir": Feature("container.workingDir", _any(lambda c: c.working_dir is not None)),
    "env": Feature("container.env", _any(lambda c: bool(c.env))),
    "env.secretRef": Feature("a variable from a secret store", _any(lambda c: bool(c.secrets))),
    "ports": Feature("container.ports", _port(Protocol.TCP)),
    "ports.udp": Feature("a UDP port", _port(Protocol.UDP)),
    "readinessProbe.httpGet": Feature("readinessProbe of kind httpGet", _probe("readiness", HttpGet)),
    "readinessProbe.tcp": Feature("readinessProbe of kind tcp", _probe("readiness", TcpConnect)),
    "readinessProbe.exec": Feature("readinessProbe of kind exec", _probe("readiness", Exec)),
    "livenessProbe.httpGet": Feature("livenessProbe of kind httpGet", _probe("liveness", HttpGet)),
    "livenessProbe.tcp": Feature("livenessProbe of kind tcp", _probe("liveness", TcpConnect)),
    "livenessProbe.exec": Feature("livenessProbe of kind exec", _probe("liveness", Exec)),
    "resources.requests": Feature(
        "resources.requests", _any(lambda c: c.resources.cpu is not None or c.resources.memory is not None)
    ),
    "resources.limits": Feature(
        "resources.limits", _any(lambda c: c.resources.cpu_limit is not None or c.resources.memory_limit is not None)
    ),
    "initContainers": Feature("initContainers", lambda w: bool(w.init)),
    "sidecars": Feature("sidecars", lambda w: bool(w.sidecars)),
    "volumes.ephemeral": Feature("an ephemeral volume", _volume(EphemeralVolume)),
    "volumes.persistent": Feature("a persistent volume", _volume(PersistentVolume)),
    "restartPolicy": Feature("restartPolicy", lambda w: w.restart is not RestartPolicy.ALWAYS),
    "connections": Feature("connections", lambda w: bool(body(w.resource).get("connections"))),
    "connections.iam": Feature("'iam' of a connection", lambda w: bool(w.grants)),
    "identity": Feature("identity", lambda w: w.identity is not None),
    "manualScaling": Feature("the extension manualScaling", _extension("manualScaling")),
    "manualScaling.udp": Feature(
        "manualScaling of a container with a UDP port", lambda w: w.replicas > 1 and _port(Protocol.UDP)(w)
    ),
    "autoScaling": Feature("the extension autoScaling", lambda w: w.autoscale is not None),
    "daprSidecar": Feature("the extension daprSidecar", lambda w: w.dapr is not None),
    "kubernetesMetadata": Feature("the extension kubernetesMetadata", _extension("kubernetesMetadata")),
}

_GATEWAY: Mapping[str, Feature] = {
    "gateways": Feature("a gateway", lambda g: True),
    "gateways.path": Feature("a gateway's route by path", lambda g: _route(lambda r: r.path != "/")(g)),
    "gateways.replacePrefix": Feature("replacePrefix of a route", _route(lambda r: r.replace_prefix is not None)),
    "gateways.hostname": Feature("hostname of a gateway", lambda g: g.hostname is not None or g.prefix is not None),
    "gateways.tls": Feature("a gateway's own TLS", lambda g: g.tls is not None and not g.tls.passthrough),
    "gateways.passthrough": Feature("sslPassthrough of a gateway", lambda g: g.tls is not None and g.tls.passthrough),
    "gateways.websockets": Feature("enableWebsockets of a route", _route(lambda r: r.websockets)),
    "gateways.timeout": Feature(
        "timeoutPolicy of a route", _route(lambda r: r.timeout is not None or r.backend_timeout is not None)
    ),
    "gateways.internal": Feature("an internal gateway", lambda g: g.internal),
}

_STORE: Mapping[str, Feature] = {
    "secretStores.generic": Feature("a secret store of type generic", _type("generic")),
    "secretStores.certificate": Feature("a secret store of type certificate", _type("certificate")),
    "secretStores.basicAuthentication": Feature(
        "a secret store of type basicAuthentication", _type("basicAuthentication")
    ),
    "secretStores.azureWorkloadIdentity": Feature(
        "a secret store of type azureWorkloadIdentity", _type("azureWorkloadIdentity")
    ),
    "secretStores.awsIRSA": Feature("a secret store of type awsIRSA", _type("awsIRSA")),
    "secretStores.existing": Feature("a secret store over a secret that exists", lambda s: s.reference is not None),
}

_VOLUME: Mapping[str, Feature] = {
    "volume.persistent": Feature("a volume of kind persistent", _kind("persistent")),
    "volume.azure.com.keyvault": Feature("a volume of kind azure.com.keyvault", _kind("azure.com.keyvault")),
}

FEATURES: Mapping[str, Feature] = {**_WORKLOAD, **_GATEWAY, **_STORE, **_VOLUME}
"""Every feature by its key in a platform's table: of workloads, gateways, secret stores and volumes."""

_FEATURES: Mapping[type, Mapping[str, Feature]] = {
    Workload: _WORKLOAD,
    Gateway: _GATEWAY,
    SecretStore: _STORE,
    Volume: _VOLUME,
}


def check(lowered: Lowered, platform: Platform) -> Iterator[Diagnostic]:
    """What of it the platform honours with a difference, or not at all."""
    for key, feature in _FEATURES[type(lowered)].items():
        if not feature.used(lowered):
            continue
        capability = platform.capabilities.get(key, _UNKNOWN)
        if (diagnostic := _say(lowered, platform.kind, feature.label, capability)) is not None:
            yield diagnostic.replace(primary=place(diagnostic.primary, _path(key)))


def _path(key: str) -> Path:
    """Where a template asks for a feature: the feature's first word, below `container` or not."""
    first, _, rest = key.partition(".")
    match first:
        case "gateways":
            return (
                ("routes",) if rest in ("path", "replacePrefix", "websockets", "timeout") else (_TLS.get(rest, rest),)
            )
        case "secretStores":
            return ("resource" if rest == "existing" else "type",)
        case "volume":
            return ("kind",)
        case "connections" | "identity" | "restartPolicy":
            return (first,)
        case "manualScaling" | "autoScaling" | "daprSidecar" | "kubernetesMetadata":
            return ("extensions",)
        case _:
            return ("container", first)


_TLS = {"tls": "tls", "passthrough": "tls"}
_UNKNOWN = Capability(Support.UNSUPPORTED, alternative="Remove it, or deploy to an environment of another kind.")


def _say(lowered: Lowered, kind: str, label: str, capability: Capability) -> Diagnostic | None:
    """A degraded feature is a warning that names the effect, an unsupported one an error that names the alternative."""
    name, origin = lowered.resource.name, lowered.resource.origin
    match capability.support:
        case Support.NATIVE | Support.EMULATED:
            return None
        case Support.IGNORED:
            message = f"'{name}': {label} has no meaning on compute kind '{kind}', and is ignored"
            return Diagnostic("ULN319", Severity.INFO, message, origin, help=capability.effect)
        case Support.DEGRADED:
            message = f"'{name}': {label} is not the same on compute kind '{kind}': {capability.effect}"
            return Diagnostic("ULN317", Severity.WARNING, message, origin, help=capability.alternative)
        case Support.UNSUPPORTED:
            message = f"'{name}': {label} is not supported on compute kind '{kind}'"
            if capability.effect:
                message += f": {capability.effect}"
            return Diagnostic("ULN318", Severity.ERROR, message, origin, help=capability.alternative)
