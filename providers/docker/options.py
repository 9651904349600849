"""Create options as the Engine API has them, and the block `runtimes.docker` merged into them. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.app import (
    Container,
    EphemeralVolume,
    PersistentVolume,
    Protocol,
    Resources,
    RestartPolicy,
    Workload,
)
from engine.contract.merging import merged as merge
from engine.contract.operator import View
from engine.contract.resource import Resource
from engine.contract.value import Properties, Value
from engine.contract.variables import expand, resolve

PERIOD = 100_000
"""Microseconds in which CPU time is counted."""
MEBI = 1 << 20
RESTART = {
    RestartPolicy.ALWAYS: "unless-stopped",
    RestartPolicy.ON_FAILURE: "on-failure",
    RestartPolicy.NEVER: "no",
}


def options_of(workload: Workload, container: Container, view: View, volumes: Mapping[str, str]) -> dict[str, Value]:
    """The body of `POST /containers/create`, with `Env` by name, and without secrets that come from stores.

    `volumes` names the engine's volume for each source, and for each ephemeral one that is shared.
    """
    known = {name: key.value for name, key in container.secrets.items() if key.value is not None}
    env = resolve({**container.env, **known})
    host: dict[str, Value] = {"RestartPolicy": {"Name": RESTART[workload.restart]}, **_limits(container.resources)}
    options: dict[str, Value] = {"Image": container.image, "Labels": _labels(workload, container, view)}
    if container.command is not None:
        options["Entrypoint"] = [expand(word, env) for word in container.command]
    if container.args is not None:
        options["Cmd"] = [expand(word, env) for word in container.args]
    if container.working_dir is not None:
        options["WorkingDir"] = container.working_dir
    if plain := {name: value for name, value in env.items() if name not in container.secrets}:
        options["Env"] = plain
    if container.ports:
        options["ExposedPorts"] = {key(p.container_port, p.protocol): {} for p in container.ports}
    if container.liveness is not None:
        host["Init"] = True  # so that there is somebody to outlive the program, and to end with it
    if container.volumes:
        host["Mounts"] = [_mount(v, volumes) for v in container.volumes]
    options["HostConfig"] = host
    if container is not workload.container:
        return options
    return merged(options, workload.resource, workload.runtime, view)


def _limits(resources: Resources) -> dict[str, Value]:
    """CPU as a share of each tenth of a second, which an engine can change while it runs."""
    host: dict[str, Value] = {}
    if resources.cpu is not None:
        host["CpuShares"] = max(2, round(resources.cpu * 1024))
    if resources.cpu_limit is not None:
        host |= {"CpuPeriod": PERIOD, "CpuQuota": max(1000, round(resources.cpu_limit * PERIOD))}
    if resources.memory is not None:
        host["MemoryReservation"] = resources.memory * MEBI
    if resources.memory_limit is not None:
        host["Memory"] = resources.memory_limit * MEBI
    return host


def key(port: int, protocol: Protocol | str) -> str:
    """A port as the API writes it: `8080/tcp`."""
    return f"{port}/{str(protocol).lower()}"


def _labels(workload: Workload, container: Container, view: View) -> dict[str, str]:
    ours = labels_of(workload.application, str(workload.resource.name), view)
    if container is not workload.container:
        ours["ulna.helper"] = container.name
    given = {**workload.annotations, **workload.labels}
    return {k: v for k, v in given.items() if not k.startswith("ulna.")} | ours


def labels_of(application: str, name: str, view: View) -> dict[str, str]:
    """What tells people whose container it is."""
    environment = view.environment
    return {
        "ulna.environment": environment.name if environment is not None else "",
        "ulna.application": application,
        "ulna.container": name,
    }


def _mount(volume: EphemeralVolume | PersistentVolume, volumes: Mapping[str, str]) -> dict[str, Value]:
    match volume:
        case EphemeralVolume(name, path) if name in volumes:
            return {"Type": "volume", "Source": volumes[name], "Target": path}
        case EphemeralVolume(_, path, "memory"):
            return {"Type": "tmpfs", "Target": path}
        case EphemeralVolume(_, path):
            return {"Type": "volume", "Target": path}
        case PersistentVolume(_, path, source, permission):
            name = volumes[source]
            return {"Type": "volume", "Source": name, "Target": path, "ReadOnly": permission != "write"}


# ---------------------------------------------------------------- the block


def merged(options: dict[str, Value], resource: Resource, block: Properties, view: View) -> dict[str, Value]:
    """The options with the block of a resource in them; limits of CPU in its words take the place of ours."""
    block = _prepared(resource, block, view)
    host = block.get("HostConfig")
    if isinstance(host, Mapping) and host.get("NanoCpus") is not None:
        ours = {k: v for k, v in options["HostConfig"].items() if k not in ("CpuPeriod", "CpuQuota")}
        options = {**options, "HostConfig": ours}
    return merge(options, block, _mounts)


def _prepared(resource: Resource, given: Properties, view: View) -> dict[str, Value]:
    """The block in the form of our options: variables by name, relative folders from the folder of the file."""
    block = dict(given)
    if isinstance(block.get("Env"), list | tuple):
        block["Env"] = dict(_variable(entry) for entry in block["Env"])
    host = block.get("HostConfig")
    if isinstance(host, Mapping) and isinstance(host.get("Binds"), list | tuple):
        folder = view.folder(resource)
        host = {**host, "Binds": [_absolute(bind, folder) for bind in host["Binds"]]}
    if isinstance(host, Mapping) and isinstance(host.get("Mounts"), list | tuple):
        host = {**host, "Mounts": [_foreign(mount) for mount in host["Mounts"]]}
    return {**block, "HostConfig": host} if host is not None else block


def _foreign(mount: Value) -> Value:
    """A mount whose volume is not ours: `=name`, so that its name is taken as it is."""
    if isinstance(mount, Mapping) and mount.get("Type") == "volume" and mount.get("Source"):
        return {**mount, "Source": f"={mount['Source']}"}
    return mount


def _variable(entry: Value) -> tuple[str, Value]:
    name, equals, value = str(entry).partition("=")
    return name, value if equals else None


def _absolute(bind: Value, folder: str) -> Value:
    from posixpath import join, normpath

    if not isinstance(bind, str) or not bind.startswith("."):
        return bind
    source, colon, rest = bind.partition(":")
    return normpath(join(folder, source)) + colon + rest


def _mounts(name: str, here: Value, value: Value) -> list[Value] | None:
    """Mounts of both, one for each target; other lists are replaced."""
    if name != "Mounts" or not isinstance(here, list):
        return None
    taken = {m.get("Target") for m in value}
    return [*(m for m in here if m["Target"] not in taken), *value]
