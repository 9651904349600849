"""Create options as the Engine API has them, and the block `runtimes.docker` merged into them. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.app import EphemeralVolume, PersistentVolume, Protocol, RestartPolicy, Workload
from engine.contract.operator import View
from engine.contract.value import Properties, Value
from engine.contract.variables import expand, resolve

RESTART = {
    RestartPolicy.ALWAYS: "unless-stopped",
    RestartPolicy.ON_FAILURE: "on-failure",
    RestartPolicy.NEVER: "no",
}


def options_of(workload: Workload, view: View, volumes: Mapping[str, str]) -> dict[str, Value]:
    """The body of `POST /containers/create`, with `Env` by name; `volumes` names the engine's volume for each source."""
    env = resolve(dict(workload.container.env))
    host: dict[str, Value] = {"RestartPolicy": {"Name": RESTART[workload.restart]}}
    options: dict[str, Value] = {"Image": workload.container.image, "Labels": _labels(workload, view)}
    if workload.container.command is not None:
        options["Entrypoint"] = [expand(word, env) for word in workload.container.command]
    if workload.container.args is not None:
        options["Cmd"] = [expand(word, env) for word in workload.container.args]
    if workload.container.working_dir is not None:
        options["WorkingDir"] = workload.container.working_dir
    if env:
        options["Env"] = env
    if workload.ports:
        options["ExposedPorts"] = {key(p.container_port, p.protocol): {} for p in workload.ports}
    if workload.container.liveness is not None:
        host["Init"] = True  # so that there is somebody to outlive the program, and to end with it
    if workload.container.volumes:
        host["Mounts"] = [_mount(v, volumes) for v in workload.container.volumes]
    return _merged({**options, "HostConfig": host}, _prepared(workload, view))


def key(port: int, protocol: Protocol | str) -> str:
    """A port as the API writes it: `8080/tcp`."""
    return f"{port}/{str(protocol).lower()}"


def _labels(workload: Workload, view: View) -> dict[str, str]:
    environment = view.environment
    ours = {
        "ulna.environment": environment.name if environment is not None else "",
        "ulna.application": workload.application,
        "ulna.container": str(workload.resource.name),
    }
    given = {**workload.annotations, **workload.labels}
    return {k: v for k, v in given.items() if not k.startswith("ulna.")} | ours


def _mount(volume: EphemeralVolume | PersistentVolume, volumes: Mapping[str, str]) -> dict[str, Value]:
    match volume:
        case EphemeralVolume(_, path, "memory"):
            return {"Type": "tmpfs", "Target": path}
        case EphemeralVolume(_, path):
            return {"Type": "volume", "Target": path}
        case PersistentVolume(_, path, source, permission):
            name = volumes[source]
            return {"Type": "volume", "Source": name, "Target": path, "ReadOnly": permission != "write"}


# ---------------------------------------------------------------- the block


def _prepared(workload: Workload, view: View) -> dict[str, Value]:
    """The block in the form of our options: variables by name, relative folders from the folder of the file."""
    block = dict(workload.runtime)
    if isinstance(block.get("Env"), list | tuple):
        block["Env"] = dict(_variable(entry) for entry in block["Env"])
    host = block.get("HostConfig")
    if isinstance(host, Mapping) and isinstance(host.get("Binds"), list | tuple):
        folder = view.folder(workload.resource)
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


def _merged(options: Properties, block: Properties) -> dict[str, Value]:
    """The block wins: objects are merged, mounts by their target, lists and values are replaced, null removes."""
    result = dict(options)
    for name, value in block.items():
        here = result.get(name)
        if value is None:
            result.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(here, Mapping):
            result[name] = _merged(here, value)
        elif name == "Mounts" and isinstance(here, list):
            taken = {m.get("Target") for m in value}
            result[name] = [*(m for m in here if m["Target"] not in taken), *value]
        else:
            result[name] = _merged({}, value) if isinstance(value, Mapping) else value
    return result
