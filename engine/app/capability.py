"""What a platform can do of a workload: the features there are, and a check of one workload against a platform's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.contract.app import (
    EphemeralVolume,
    Exec,
    HttpGet,
    PersistentVolume,
    Protocol,
    RestartPolicy,
    TcpConnect,
    Workload,
)
from engine.contract.platform import Capability, Platform, Support
from engine.contract.resource import body
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.record import Record


class Feature(Record):
    """A thing a template can ask of a platform: what people call it, and whether a workload asks for it."""

    label: str
    used: Callable[[Workload], bool]


def _container(workload: Workload) -> Mapping[str, Any]:
    container = body(workload.resource).get("container")
    return container if isinstance(container, Mapping) else {}


def _extension(kind: str) -> Callable[[Workload], bool]:
    def used(workload: Workload) -> bool:
        found = body(workload.resource).get("extensions")
        return isinstance(found, list | tuple) and any(isinstance(e, Mapping) and e.get("kind") == kind for e in found)

    return used


def _probe(name: str, check: type) -> Callable[[Workload], bool]:
    def used(workload: Workload) -> bool:
        probe = workload.container.readiness if name == "readiness" else workload.container.liveness
        return probe is not None and isinstance(probe.check, check)

    return used


def _iam(workload: Workload) -> bool:
    connections = body(workload.resource).get("connections")
    return isinstance(connections, Mapping) and any(
        isinstance(c, Mapping) and c.get("iam") is not None for c in connections.values()
    )


FEATURES: Mapping[str, Feature] = {
    "image": Feature("container.image", lambda w: w.container.image is not None),
    "imagePullPolicy": Feature("container.imagePullPolicy", lambda w: w.container.image_pull_policy is not None),
    "command": Feature("container.command", lambda w: w.container.command is not None),
    "args": Feature("container.args", lambda w: w.container.args is not None),
    "workingDir": Feature("container.workingDir", lambda w: w.container.working_dir is not None),
    "env": Feature("container.env", lambda w: bool(_container(w).get("env"))),
    "ports": Feature("container.ports", lambda w: any(p.protocol is Protocol.TCP for p in w.ports)),
    "ports.udp": Feature("a UDP port", lambda w: any(p.protocol is Protocol.UDP for p in w.ports)),
    "readinessProbe.httpGet": Feature("readinessProbe of kind httpGet", _probe("readiness", HttpGet)),
    "readinessProbe.tcp": Feature("readinessProbe of kind tcp", _probe("readiness", TcpConnect)),
    "readinessProbe.exec": Feature("readinessProbe of kind exec", _probe("readiness", Exec)),
    "livenessProbe.httpGet": Feature("livenessProbe of kind httpGet", _probe("liveness", HttpGet)),
    "livenessProbe.tcp": Feature("livenessProbe of kind tcp", _probe("liveness", TcpConnect)),
    "livenessProbe.exec": Feature("livenessProbe of kind exec", _probe("liveness", Exec)),
    "volumes.ephemeral": Feature(
        "an ephemeral volume", lambda w: any(isinstance(v, EphemeralVolume) for v in w.container.volumes)
    ),
    "volumes.persistent": Feature(
        "a persistent volume", lambda w: any(isinstance(v, PersistentVolume) for v in w.container.volumes)
    ),
    "restartPolicy": Feature("restartPolicy", lambda w: w.restart is not RestartPolicy.ALWAYS),
    "connections": Feature("connections", lambda w: bool(body(w.resource).get("connections"))),
    "connections.iam": Feature("'iam' of a connection", _iam),
    "identity": Feature("identity", lambda w: body(w.resource).get("identity") is not None),
    "manualScaling": Feature("the extension manualScaling", _extension("manualScaling")),
    "manualScaling.udp": Feature(
        "manualScaling of a container with a UDP port",
        lambda w: w.replicas > 1 and any(p.protocol is Protocol.UDP for p in w.ports),
    ),
    "daprSidecar": Feature("the extension daprSidecar", _extension("daprSidecar")),
    "kubernetesMetadata": Feature("the extension kubernetesMetadata", _extension("kubernetesMetadata")),
}
"""Every feature by its key in a platform's table."""


def check(workload: Workload, platform: Platform) -> Iterator[Diagnostic]:
    """What of a workload the platform honours with a difference, or not at all."""
    for key, feature in FEATURES.items():
        if not feature.used(workload):
            continue
        capability = platform.capabilities.get(key, _UNKNOWN)
        if (diagnostic := _say(workload, platform.kind, feature.label, capability)) is not None:
            yield diagnostic


_UNKNOWN = Capability(Support.UNSUPPORTED, alternative="Remove it, or deploy to an environment of another kind.")


def _say(workload: Workload, kind: str, label: str, capability: Capability) -> Diagnostic | None:
    """A degraded feature is a warning that names the effect, an unsupported one an error that names the alternative."""
    name, origin = workload.resource.name, workload.resource.origin
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
