"""The processes of a workload: the container itself, what runs to its end before it, and what runs beside it. Pure.

A helper container runs its own `command` and `args`, or what `runtimes.process.initContainers` or `.sidecars` say in its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import join as join_paths
from posixpath import normpath

from engine.contract.app import (
    Container,
    Exec,
    HttpGet,
    PersistentVolume,
    Probe,
    Protocol,
    RestartPolicy,
    TcpConnect,
    Workload,
)
from engine.contract.operator import View
from engine.contract.resource import Condition, Resource, Wait, join
from engine.contract.secretfiles import reference
from engine.contract.value import Deferred, Output, Properties, Value
from engine.contract.variables import expand, resolve
from engine.record import Record
from providers.process.addresses import own_number, part, replica_of

FOLDER = "folder"
"""The last part of the address of a volume's folder."""


class Launch(Record):
    """What becomes of one replica: folders that its containers share, and its processes in the order they start."""

    folders: tuple[Resource, ...]
    init: tuple[Resource, ...]
    main: Resource
    sidecars: tuple[Resource, ...]

    @property
    def resources(self) -> tuple[Resource, ...]:
        """All of them."""
        return (*self.folders, *self.init, self.main, *self.sidecars)


def block_of(workload: Workload, container: Container) -> Properties:
    """What `runtimes.process` says of one of the containers."""
    if container is workload.container:
        return workload.runtime
    kind = "initContainers" if container in workload.init else "sidecars"
    named = workload.runtime.get(kind)
    block = named.get(container.name) if isinstance(named, Mapping) else None
    return block if isinstance(block, Mapping) else {}


def command_of(container: Container, block: Properties) -> tuple[Value, ...]:
    """What is run: the block's words; the container's own command where the block has none."""
    command = block.get("command")
    args = block.get("args")
    if command is None:
        words = container.command or ()
        rest = (container.args or ()) if args is None else args
    else:
        words = tuple(command) if isinstance(command, list | tuple) else (command,)
        rest = args or ()
    return (*words, *rest) if words else ()


def launch(workload: Workload, view: View, replica: int) -> Launch:
    """One replica."""
    folders = tuple(_folders(workload, replica))
    main = _main(workload, view, replica)
    init: list[Resource] = []
    for container in workload.init:
        made = _helper(workload, container, view, replica)
        wish = {**made.properties["properties"], "restart": _retried(workload), "for": main.properties["properties"]}
        init.append(made.replace(properties={"properties": wish}, waits=_after(init)))
    sidecars = (_helper(workload, c, view, replica) for c in workload.sidecars)
    first = _after(init)
    return Launch(folders, tuple(init), main.replace(waits=first), tuple(s.replace(waits=first) for s in sidecars))


def _after(init: list[Resource]) -> tuple[Wait, ...]:
    return (Wait(init[-1].address, Condition.COMPLETED),) if init else ()


def _retried(workload: Workload) -> str:
    """One that fails is tried again, unless nothing of the workload is."""
    never = workload.restart is RestartPolicy.NEVER
    return str(RestartPolicy.NEVER if never else RestartPolicy.ON_FAILURE)


# ---------------------------------------------------------------- one process


def _main(workload: Workload, view: View, replica: int) -> Resource:
    container = workload.container
    env, wish = _process(workload, container, view, replica)
    listening = {p.name: own_number(workload, p, replica) for p in workload.ports if p.protocol is Protocol.TCP}
    if listening:
        wish["ports"] = listening
        wish["listens"] = next(iter(listening.values()))
    _check(wish, workload, container, env, replica)
    return part(
        workload.resource, "processes", f"{workload.resource.name}-{replica}", wish, replica_of(workload, replica)
    )


def _helper(workload: Workload, container: Container, view: View, replica: int) -> Resource:
    env, wish = _process(workload, container, view, replica)
    _check(wish, workload, container, env, replica)
    name = f"{workload.resource.name}-{replica}-{container.name}"
    return part(workload.resource, "processes", name, wish, f"{replica_of(workload, replica)}-{container.name}")


def _process(
    workload: Workload, container: Container, view: View, replica: int
) -> tuple[dict[str, Value], dict[str, Value]]:
    """Its variables, secrets among them, and the wish without ports and probes."""
    block = block_of(workload, container)
    plain = _env(workload, container, block, view, replica)
    kept = {n: k for n, k in container.secrets.items() if n not in (block.get("env") or {})}
    known = {name: key.value for name, key in kept.items() if key.value is not None}
    env = resolve(dict(sorted({**plain, **known}.items())))
    wish: dict[str, Value] = {
        "command": [expand(word, env) for word in command_of(container, block)],
        "workingDirectory": _folder(block.get("workingDirectory"), view.folder(workload.resource)),
        "env": {name: value for name, value in env.items() if name not in kept},
        "restart": str(workload.restart),
    }
    if kept:
        wish["secrets"] = {name: reference(key) for name, key in sorted(kept.items())}
    wish |= {k: block[k] for k in ("gracePeriodSeconds", "logs") if block.get(k) is not None}
    return env, wish


def _env(workload: Workload, container: Container, block: Properties, view: View, replica: int) -> dict[str, Value]:
    """The workload's ports and its own volumes, then what the container says, then what the block says; the later wins.

    A `PORT` that merely repeats the container's port is about the image, and gives way to the port that was reserved.
    """
    main = container is workload.container
    env: dict[str, Value] = {}
    for index, port in enumerate(workload.ports):
        value = Deferred("string", (own_number(workload, port, replica),))
        names = [f"PORT_{_upper(port.name)}"]
        for name in ["PORT", *names] if index == 0 and main else names:
            env[name] = value
    repeated = str(workload.ports[0].container_port) if main and workload.ports else None
    for volume in container.volumes:
        if (folder := _where(workload, volume.name, volume, view, replica)) is not None:
            env[f"VOLUME_{_upper(volume.name)}"] = Output(folder, ("properties", "path"))
    env |= {k: v for k, v in container.env.items() if k != "PORT" or v != repeated}
    return env | dict(block.get("env") or {})


def _upper(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name).upper()


def _folder(wanted: Value, folder: str) -> Value:
    """Where it starts: relative to the file that declares it."""
    if wanted is None:
        return folder
    return normpath(join_paths(folder, wanted)) if isinstance(wanted, str) else wanted


# ---------------------------------------------------------------- volumes


def _where(workload: Workload, name: str, volume: object, view: View, replica: int) -> str | None:
    """The address of a volume's folder; None where the resource that it comes from is not there."""
    if isinstance(volume, PersistentVolume):
        source = view.find(volume.source)
        return None if source is None else join(source.address, FOLDER)
    return join(workload.resource.address, f"volume-{name}-{replica}")


def _folders(workload: Workload, replica: int) -> Iterator[Resource]:
    """One for each ephemeral volume; containers that name the same one share it."""
    names = {v.name: None for c in workload.containers for v in c.volumes if not isinstance(v, PersistentVolume)}
    for name in names:
        yield part(workload.resource, "folders", f"volume-{name}-{replica}", {})


# ---------------------------------------------------------------- probes


def _check(
    wish: dict[str, Value], workload: Workload, container: Container, env: Mapping[str, Value], replica: int
) -> None:
    for key, probe in (("readiness", container.readiness), ("liveness", container.liveness)):
        if probe is not None:
            wish[key] = _probe(workload, container, probe, env, replica)


def _probe(
    workload: Workload, container: Container, probe: Probe, env: Mapping[str, Value], replica: int
) -> dict[str, Value]:
    rhythm = {
        "delay": probe.initial_delay,
        "period": probe.period,
        "timeout": probe.timeout,
        "threshold": probe.failure_threshold,
    }
    match probe.check:
        case HttpGet(port, path, headers):
            return {
                "kind": "http",
                "port": _probed(workload, container, port, replica),
                "path": path,
                "headers": dict(headers),
                **rhythm,
            }
        case TcpConnect(port):
            return {"kind": "tcp", "port": _probed(workload, container, port, replica), **rhythm}
        case Exec(command):
            return {"kind": "exec", "command": [expand(word, env) for word in command], **rhythm}


def _probed(workload: Workload, container: Container, container_port: int, replica: int) -> Value:
    """Where a port of the container is on this machine; one that is not declared is taken literally."""
    ports = workload.ports if container is workload.container else ()
    found = next((p for p in ports if p.container_port == container_port), None)
    return container_port if found is None else own_number(workload, found, replica)
