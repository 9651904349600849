"""A container, as it was declared, to a `Workload` that any platform can render. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.app.connections import connect
from engine.app.environment import application_of
from engine.app.extensions import autoscale_of, dapr_of, metadata_of, replicas_of
from engine.app.identity import grants_of, identity_of
from engine.app.ports import ports_of
from engine.app.runtimes import runtime_of
from engine.contract.app import (
    Container,
    EphemeralVolume,
    Exec,
    HttpGet,
    PersistentVolume,
    Probe,
    RestartPolicy,
    TcpConnect,
    Workload,
)
from engine.contract.operator import View
from engine.contract.platform import Platform
from engine.contract.resource import Resource, Wait, body
from engine.contract.value import Leaf, Properties, Value, leaves, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.record import Record

_OPEN = ("image", "command", "args", "workingDir", "env")
"""What of a container may stay open until run time: it is passed on, and nothing hangs on it."""


class Lowered(Record):
    """A workload with the gates of its container; without one where `needs` or problems stand in the way."""

    workload: Workload | None
    waits: tuple[Wait, ...] = ()
    needs: frozenset[str] = frozenset()
    problems: tuple[Diagnostic, ...] = ()


def lower(resource: Resource, view: View, platform: Platform) -> Lowered:
    """What a container comes to on the platform of its environment."""
    properties = body(resource)
    structure = _structure(properties)
    if any(True for _ in leaves(structure)):
        return _open(resource, structure)
    connections = connect(resource, view, platform)
    if connections.needs:
        return Lowered(None, needs=connections.needs)
    problems = [*connections.problems]
    env = connections.env | _env(resource, properties["container"], problems)
    workload = _workload(resource, properties, env, view, platform)
    return Lowered(workload, tuple(connections.waits), problems=tuple(problems))


def _structure(properties: Properties) -> Value:
    """The part that decides what is made: everything but the values that are passed on as they are."""
    container = properties.get("container")
    inner = {k: v for k, v in container.items() if k not in _OPEN} if isinstance(container, Mapping) else container
    env = container.get("env") if isinstance(container, Mapping) else None
    names = {k: None for k in env} if isinstance(env, Mapping) else env
    shallow = {k: v for k, v in properties.items() if k not in ("container", "runtimes")}
    runtimes = properties.get("runtimes")
    blocks = [v for v in runtimes.values() if isinstance(v, Leaf)] if isinstance(runtimes, Mapping) else runtimes
    return [shallow, inner, names, blocks]


def _open(resource: Resource, structure: Value) -> Lowered:
    """It waits for outputs, or hangs on a secret, which nothing may."""
    waits_for = needs(structure)
    if waits_for:
        return Lowered(None, needs=waits_for)
    message = f"What '{resource.name}' consists of hangs on a secret"
    help = "Use secrets as values of environment variables only."
    return Lowered(None, problems=(Diagnostic("ULN321", Severity.ERROR, message, resource.origin, help=help),))


def _env(resource: Resource, container: Mapping[str, Any], problems: list[Diagnostic]) -> dict[str, Value]:
    """The variables that the container itself names."""
    env: dict[str, Value] = {}
    for name, entry in (container.get("env") or {}).items():
        if isinstance(entry, Leaf):
            env[name] = entry
        elif entry.get("valueFrom") is not None:
            message = f"The variable '{name}' of '{resource.name}' comes from a secret store, which cannot be read yet"
            help = "Pass the value as a @secure() parameter: its value is kept out of state and logs all the same."
            problems.append(Diagnostic("ULN314", Severity.ERROR, message, resource.origin, help=help))
        elif entry.get("value") is not None:
            env[name] = entry["value"]
    return env


def _workload(
    resource: Resource, properties: Properties, env: Mapping[str, Value], view: View, platform: Platform
) -> Workload:
    container = properties["container"]
    application, declared = application_of(resource, view.find)
    environment = view.environment
    layers = [environment.properties if environment else {}, body(declared) if declared else {}, properties]
    return Workload(
        resource,
        application,
        Container(
            str(resource.name),
            container.get("image"),
            container.get("imagePullPolicy"),
            _tuple(container.get("command")),
            _tuple(container.get("args")),
            container.get("workingDir"),
            dict(sorted(env.items())),
            ports=ports_of(properties),
            readiness=_probe(container.get("readinessProbe")),
            liveness=_probe(container.get("livenessProbe")),
            volumes=tuple(_volumes(container.get("volumes"))),
        ),
        restart=RestartPolicy(properties.get("restartPolicy") or "Always"),
        replicas=replicas_of(properties),
        runtime=runtime_of(resource, platform.kind) or {},
        autoscale=autoscale_of(properties),
        labels=metadata_of(layers, "labels"),
        annotations=metadata_of(layers, "annotations"),
        identity=identity_of(properties, layers[0]),
        grants=tuple(grants_of(properties)),
        dapr=dapr_of(properties),
    )


def _tuple(value: Value) -> tuple[Value, ...] | None:
    if isinstance(value, list | tuple):
        return tuple(value)
    return None if value is None else (value,)


def _probe(probe: Mapping[str, Any] | None) -> Probe | None:
    if not probe:
        return None
    check: HttpGet | TcpConnect | Exec
    match probe["kind"]:
        case "httpGet":
            check = HttpGet(probe["containerPort"], probe.get("path") or "/", probe.get("headers") or {})
        case "tcp":
            check = TcpConnect(probe["containerPort"])
        case _:
            check = Exec(tuple(probe["command"].split()))
    return Probe(
        check,
        _number(probe, "initialDelaySeconds", 0),
        _number(probe, "periodSeconds", 10),
        _number(probe, "timeoutSeconds", 5),
        int(_number(probe, "failureThreshold", 3)),
    )


def _number(probe: Mapping[str, Any], key: str, default: float) -> float:
    value = probe.get(key)
    return default if value is None else value


def _volumes(volumes: Mapping[str, Any] | None) -> Iterator[EphemeralVolume | PersistentVolume]:
    for name, volume in (volumes or {}).items():
        path = volume.get("mountPath") or ""
        if volume["kind"] == "ephemeral":
            yield EphemeralVolume(name, path, volume.get("managedStore") or "disk")
        else:
            yield PersistentVolume(name, path, volume["source"], volume.get("permission") or "read")
