"""A container resource, as it was declared, to a `Workload` that any platform can render. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.app.connections import Connections, connect
from engine.app.container import HELPERS, container_of, registry_of, structure_of
from engine.app.environment import application_of
from engine.app.excess import excessive
from engine.app.extensions import autoscale_of, dapr_of, extension, metadata_of, replicas_of
from engine.app.identity import grants_of, identity_of
from engine.app.lowered import Gates, Lowered, open_part
from engine.app.ports import ports_of
from engine.app.runtimes import runtime_of
from engine.app.stores import Keys
from engine.app.wellformed import malformed
from engine.contract.app import Container, RestartPolicy, Workload
from engine.contract.operator import View
from engine.contract.platform import Platform, Support
from engine.contract.resource import Resource, body
from engine.contract.value import Leaf, Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place


def lower(resource: Resource, view: View, platform: Platform) -> Lowered:
    """What a container comes to on the platform of its environment."""
    properties = body(resource)
    if (waiting := open_part(resource, _structure(properties))) is not None:
        return waiting
    gates, problems = Gates(resource.waits), list[Diagnostic]()
    connections = connect(resource, view, platform, gates)
    if connections.needs:
        return Lowered(None, needs=connections.needs)
    problems += connections.problems
    keys = Keys(resource, view, gates, problems)
    workload = _workload(resource, properties, connections, keys, platform)
    problems += _scaling(resource, properties)
    problems += _names(workload)
    problems += _mounts(workload)
    problems += excessive(workload)
    problems += malformed(workload, platform)
    problems += _unreachable(workload, platform)
    return Lowered(workload, gates.all(), problems=tuple(problems))


def _structure(properties: Properties) -> Value:
    """The part that decides what is made."""
    shallow = {k: v for k, v in properties.items() if k not in ("container", "runtimes")}
    runtimes = properties.get("runtimes")
    blocks = [v for v in runtimes.values() if isinstance(v, Leaf)] if isinstance(runtimes, Mapping) else runtimes
    return [shallow, structure_of(properties.get("container")), blocks]


def _workload(
    resource: Resource, properties: Properties, connections: Connections, keys: Keys, platform: Platform
) -> Workload:
    block: Mapping[str, Any] = properties["container"]
    application, declared = application_of(resource, keys.view.find)
    environment = keys.view.environment
    layers = [environment.properties if environment else {}, body(declared) if declared else {}, properties]
    registry = registry_of(block, keys)
    env, secrets = connections.env, connections.secrets

    def helpers(kind: str) -> Iterator[Container]:
        for name, each in (block.get(kind) or {}).items():
            yield container_of(("container", kind, name), name, each, env, secrets, keys, registry=registry)

    init, sidecars = (tuple(helpers(kind)) for kind in HELPERS)
    return Workload(
        resource,
        application,
        container_of(("container",), str(resource.name), block, env, secrets, keys, ports_of(properties), registry),
        init,
        sidecars,
        RestartPolicy(properties.get("restartPolicy") or "Always"),
        replicas_of(properties),
        autoscale_of(properties),
        runtime_of(resource, platform.kind) or {},
        metadata_of(layers, "labels"),
        metadata_of(layers, "annotations"),
        identity_of(properties, layers[0]),
        tuple(grants_of(properties)),
        dapr_of(properties),
    )


def _scaling(resource: Resource, properties: Properties) -> Iterator[Diagnostic]:
    """Two ways to scale, or a least that is more than the most."""
    automatic = autoscale_of(properties)
    if automatic is None:
        return
    if extension(properties, "manualScaling") is not None:
        message = f"'{resource.name}' has the extensions manualScaling and autoScaling, which exclude each other"
        help = "Keep one of them; autoScaling starts with minReplicas."
        yield Diagnostic("ULN328", Severity.ERROR, message, place(resource.origin, ("extensions",)), help=help)
    if automatic.minimum > automatic.maximum:
        message = f"minReplicas of '{resource.name}' is {automatic.minimum}, more than maxReplicas, which is {automatic.maximum}"
        yield Diagnostic(
            "ULN328", Severity.ERROR, message, place(resource.origin, ("extensions",)), help="Exchange them."
        )
    if automatic.cpu is None and automatic.memory is None:
        message = f"autoScaling of '{resource.name}' has nothing to go by"
        help = "Add 'cpu' or 'memory': the percentage of what is asked for that is aimed at."
        yield Diagnostic("ULN328", Severity.ERROR, message, place(resource.origin, ("extensions",)), help=help)


def _names(workload: Workload) -> Iterator[Diagnostic]:
    """Containers of one workload need names of their own."""
    seen: set[str] = set()
    for container in workload.containers:
        name = container.name.lower()
        if name in seen:
            message = f"Two containers of '{workload.resource.name}' are called '{container.name}'"
            help = "Give the init container or sidecar another name; the container itself has the name of its resource."
            where = place(workload.resource.origin, ("container",))
            yield Diagnostic("ULN328", Severity.ERROR, message, where, help=help)
        seen.add(name)


def _mounts(workload: Workload) -> Iterator[Diagnostic]:
    """Each volume of a container needs a path of its own, from the root; `C:` of Windows is one too."""
    for container in workload.containers:
        seen: dict[str, str] = {}
        for volume in container.volumes:
            path = volume.mount_path
            if not isinstance(path, str):  # known later
                continue
            first = seen.setdefault(path.rstrip("/"), volume.name)
            if not path.startswith("/") and path[1:2] != ":":
                said = f"'{path}', which is no path from the root" if path else "missing"
                message = f"The mountPath of the volume '{volume.name}' of '{container.name}' is {said}"
                help = "Say where the container finds it: mountPath: '/data'."
            elif path.rstrip("/") == "":
                message = (
                    f"The volume '{volume.name}' of '{container.name}' is mounted at '/', over all that is in the image"
                )
                help = "Mount it at a folder: mountPath: '/data'."
            elif first != volume.name:
                message = (
                    f"The volumes '{first}' and '{volume.name}' of '{container.name}' are both mounted at '{path}'"
                )
                help = "Give one of them another mountPath."
            else:
                continue
            where = place(workload.resource.origin, ("container", "volumes", volume.name))
            yield Diagnostic("ULN328", Severity.ERROR, message, where, help=help)


def _unreachable(workload: Workload, platform: Platform) -> Iterator[Diagnostic]:
    """Secrets by the platform's own name, where the platform has none."""
    cell = platform.capabilities.get("secretStores.existing")
    if cell is None or cell.support is not Support.UNSUPPORTED:
        return
    for container in workload.containers:
        for name, key in container.secrets.items():
            if not key.store.startswith("/"):
                message = (
                    f"The variable '{name}' of '{workload.resource.name}' comes from '{key.store}', a secret of the platform's own, "
                    f"and compute kind '{platform.kind}' keeps none"
                )
                help = "Declare an Applications.Core/secretStores, and use its id as the source."
                where = place(workload.resource.origin, ("container", "env", name))
                yield Diagnostic("ULN318", Severity.ERROR, message, where, help=help)
