"""The compute kind `process`: a workload becomes ports, processes and, for several replicas, balancers. Pure.

web                  Applications.Core/containers
├── port-http        Ulna.Process/ports        one for each declared port
├── web-0            Ulna.Process/processes    one for each replica
└── balancer-http    Ulna.Process/balancers    in front of several replicas, which then have ports of their own
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from posixpath import join as join_paths
from posixpath import normpath
from typing import Any

from engine.contract.app import Endpoint, Exec, HttpGet, Port, Probe, Protocol, RestartPolicy, TcpConnect, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, shipped_schema
from engine.contract.resource import Resource, body, join
from engine.contract.value import Deferred, Leaf, Output, Properties, Secret, Value, compose, leaves, needs
from engine.contract.variables import expand, resolve
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.process.capabilities import CAPABILITIES

VERSION = "2026-12-01"
HOST = "localhost"
"""By name, since some programs listen on 127.0.0.1 and some on ::1."""


class ProcessPlatform:
    """See the module."""

    kind = "process"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    @cached_property
    def runtime_schema(self) -> Mapping[str, Any]:
        """What `runtimes.process` may hold."""
        return shipped_schema("process.json")

    @cached_property
    def environment_schema(self) -> Mapping[str, Any]:
        """What the `compute` block may hold."""
        return shipped_schema("process.compute.json")

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """This machine, and the port that is reserved for it."""
        return Endpoint(HOST, _number(workload, port), port.scheme)

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """The parts of one container."""
        runtimes = body(workload.resource).get("runtimes") or {}
        block = runtimes.get(self.kind)
        if not isinstance(block, Mapping):
            return _refused(workload, "ULN320", *_NO_BLOCK)
        undecided = {k: block[k] for k in ("args", "env", "logs") if isinstance(block.get(k), Leaf)}
        if waits_for := needs(undecided):
            return Undecided(waits_for)
        command = _command(workload, block)
        if not command:
            return _refused(workload, "ULN322", *_NO_COMMAND)
        ports = tuple(_ports(workload))
        processes = tuple(
            _process(workload, block, command, view.folder(workload.resource), replica)
            for replica in range(workload.replicas)
        )
        endpoints = {p.name: compose("{0}://{1}:{2}", p.scheme, HOST, _number(workload, p)) for p in workload.ports}
        return Children(
            (*ports, *processes, *_balancers(workload)),
            {"endpoints": endpoints} if endpoints else {},
            tuple(_warnings(workload, processes)),
            frozenset(p.address for p in ports),
            ending=frozenset(p.address for p in processes if workload.restart is not RestartPolicy.ALWAYS),
        )


_NO_BLOCK = (
    "has no 'runtimes.process', and compute kind 'process' runs no images",
    "Add runtimes: { process: { command: 'PROGRAM', args: [ … ] } }, or deploy to an environment of a kind that runs containers.",
)
_NO_COMMAND = (
    "does not say what to run as a process",
    "Add 'command' to runtimes.process.",
)


def _refused(workload: Workload, code: str, what: str, help: str) -> Children:
    resource = workload.resource
    message = f"The container '{resource.name}' {what}"
    return Children((), {}, (Diagnostic(code, Severity.ERROR, message, resource.origin, help=help),))


# ---------------------------------------------------------------- ports


def _is_scaled(workload: Workload) -> bool:
    """Whether its number of replicas is a setting: then it has balancers for any number, so that changing it restarts nothing."""
    extensions = body(workload.resource).get("extensions") or ()
    return any(isinstance(e, Mapping) and e.get("kind") == "manualScaling" for e in extensions)


def _is_balanced(workload: Workload, port: Port) -> bool:
    return port.protocol is Protocol.TCP and _is_scaled(workload)


def _service(workload: Workload, port: Port) -> str:
    """The name of the port that others connect to.

    Direct and balanced ones have different names: on the way from one to the other both exist for a while.
    """
    return f"service-{port.name}" if _is_balanced(workload, port) else f"port-{port.name}"


def _number(workload: Workload, port: Port) -> Output:
    """The number that will be reserved for a port as others reach it."""
    return Output(join(workload.resource.address, _service(workload, port)), ("properties", "port"))


def _own_number(workload: Workload, port: Port, replica: int) -> Output:
    """The number that a replica listens on itself."""
    if not _is_balanced(workload, port):
        return _number(workload, port)
    return Output(join(workload.resource.address, f"port-{port.name}-{replica}"), ("properties", "port"))


def _ports(workload: Workload) -> Iterator[Resource]:
    for port in workload.ports:
        wish = {"prefer": port.container_port, "protocol": str(port.protocol)}
        yield _resource(workload, "ports", _service(workload, port), wish)
        for replica in range(workload.replicas) if _is_balanced(workload, port) else ():
            yield _resource(workload, "ports", f"port-{port.name}-{replica}", {"protocol": str(port.protocol)})


def _balancers(workload: Workload) -> Iterator[Resource]:
    for port in workload.ports:
        if _is_balanced(workload, port):
            service = _number(workload, port)
            targets = [_own_number(workload, port, replica) for replica in range(workload.replicas)]
            wish = {"ports": {port.name: service}, "listens": service, "targets": targets}
            yield _resource(workload, "balancers", f"balancer-{port.name}", wish)


# ---------------------------------------------------------------- processes


def _command(workload: Workload, block: Properties) -> tuple[Value, ...]:
    """What is run: the block's words; the container's own command where the block has none."""
    command = block.get("command")
    args = block.get("args")
    if command is None:
        words = workload.container.command or ()
        rest = (workload.container.args or ()) if args is None else args
    else:
        words = tuple(command) if isinstance(command, list | tuple) else (command,)
        rest = args or ()
    return (*words, *rest) if words else ()


def _process(workload: Workload, block: Properties, command: tuple[Value, ...], folder: str, replica: int) -> Resource:
    env = resolve(dict(sorted(_env(workload, block, replica).items())))
    listening = {p.name: _own_number(workload, p, replica) for p in workload.ports if p.protocol is Protocol.TCP}
    wish: dict[str, Value] = {
        "command": [expand(word, env) for word in command],
        "workingDirectory": _folder(block.get("workingDirectory"), folder),
        "env": env,
        "restart": str(workload.restart),
    }
    if listening:
        wish["ports"] = listening
        wish["listens"] = next(iter(listening.values()))
    for key, probe in (("readiness", workload.container.readiness), ("liveness", workload.container.liveness)):
        if probe is not None:
            wish[key] = _probe(workload, probe, env, replica)
    wish |= {k: block[k] for k in ("gracePeriodSeconds", "logs") if block.get(k) is not None}
    return _resource(workload, "processes", f"{workload.resource.name}-{replica}", wish, _replica(workload, replica))


def _replica(workload: Workload, replica: int) -> str:
    """The last part of a process's address.

    It goes by the symbol, as its ports do, and not by the name: a container that is called something else tomorrow is the
    same one, and its old process has to end before the new one gets the port.
    """
    return f"{workload.resource.address.rpartition('/')[2].partition('[')[0]}-{replica}"


def _env(workload: Workload, block: Properties, replica: int) -> dict[str, Value]:
    """Its ports, then what the container says, then what the block says; the later wins.

    A `PORT` that merely repeats the container's port is about the image, and gives way to the port that was reserved.
    """
    env: dict[str, Value] = {}
    for index, port in enumerate(workload.ports):
        number = Deferred("string", (_own_number(workload, port, replica),))
        names = [f"PORT_{''.join(c if c.isalnum() else '_' for c in port.name).upper()}"]
        for name in ["PORT", *names] if index == 0 else names:
            env[name] = number
    repeated = {n: str(p.container_port) for n, p in zip(env, workload.ports[:1], strict=False) if n == "PORT"}
    env |= {k: v for k, v in workload.container.env.items() if repeated.get(k) != v}
    return env | dict(block.get("env") or {})


def _folder(wanted: Value, folder: str) -> Value:
    """Where it starts: relative to the file that declares it."""
    if wanted is None:
        return folder
    return normpath(join_paths(folder, wanted)) if isinstance(wanted, str) else wanted


def _probe(workload: Workload, probe: Probe, env: Mapping[str, Value], replica: int) -> dict[str, Value]:
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
                "port": _probed(workload, port, replica),
                "path": path,
                "headers": dict(headers),
                **rhythm,
            }
        case TcpConnect(port):
            return {"kind": "tcp", "port": _probed(workload, port, replica), **rhythm}
        case Exec(command):
            return {"kind": "exec", "command": [expand(word, env) for word in command], **rhythm}


def _probed(workload: Workload, container_port: int, replica: int) -> Value:
    """Where a port of the container is on this machine; one that is not declared is taken literally."""
    found = next((p for p in workload.ports if p.container_port == container_port), None)
    return container_port if found is None else _own_number(workload, found, replica)


def _resource(workload: Workload, type: str, name: str, wish: Properties, part: str = "") -> Resource:
    parent = workload.resource
    return Resource(
        join(parent.address, part or name),
        f"Ulna.Process/{type}",
        VERSION,
        name,
        f"{parent.id}/{type}/{name}",
        {"properties": wish},
    )


def _warnings(workload: Workload, processes: tuple[Resource, ...]) -> Iterator[Diagnostic]:
    """A secret in an argument is there for everybody on the machine to see."""
    resource = workload.resource
    for process in processes[:1]:
        if any(isinstance(leaf, Secret) for leaf in leaves(process.properties["properties"]["command"])):
            message = f"A secret stands in the command line of '{resource.name}', where every user of this machine can read it"
            help = "Let the program read it from an environment variable."
            yield Diagnostic("ULN324", Severity.WARNING, message, resource.origin, help=help)
