"""The compute kind `docker`: an application becomes a network, a workload its containers. Pure.

shop                 Applications.Core/applications
└── network          Ulna.Docker/networks      a bridge of its own: containers find each other by name there
web                  Applications.Core/containers
├── web-0            Ulna.Docker/containers    one for each replica; the first one's ports are published
└── web-1            Ulna.Docker/containers    all replicas answer to the name of the container
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from engine.contract.app import (
    Endpoint,
    PersistentVolume,
    Port,
    Workload,
)
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, shipped_schema
from engine.contract.resource import Resource, body, join, short
from engine.contract.value import Leaf, Output, Properties, Secret, Value, compose, leaves, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.docker.capabilities import CAPABILITIES
from providers.docker.healthcheck import written
from providers.docker.options import key, options_of

VERSION = "2026-12-01"
HOST = "127.0.0.1"
VOLUMES = "ulna.docker/volumes"


class DockerPlatform:
    """See the module."""

    kind = "docker"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    @cached_property
    def runtime_schema(self) -> Mapping[str, Any]:
        """What `runtimes.docker` may hold."""
        return shipped_schema("docker.json")

    @cached_property
    def environment_schema(self) -> Mapping[str, Any]:
        """What the `compute` block may hold."""
        return shipped_schema("docker.compute.json")

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """Its name in the network of its application, and the port that the container itself listens on."""
        return Endpoint(str(workload.resource.name), port.container_port, port.scheme)

    def application(self, resource: Resource, view: View) -> Children:
        """The network of an application, unless the environment names one."""
        if _given_network(view) is not None:
            return Children((), {})
        wish = {
            "name": _scoped(view, str(resource.name)),
            "driver": "bridge",
            "labels": {"ulna.application": resource.name},
        }
        return Children((_child(resource, "networks", "network", wish),), {})

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """The containers of one workload."""
        open_parts = [v for v in _structure(workload.runtime) if isinstance(v, Leaf)]
        if waits_for := needs(open_parts):
            return Undecided(waits_for)
        if open_parts:
            message = f"What runtimes.docker of '{workload.resource.name}' consists of hangs on a secret"
            help = "Use secrets as values of variables, by name: Env: { NAME: secret }."
            return Children(
                (), {}, (Diagnostic("ULN321", Severity.ERROR, message, workload.resource.origin, help=help),)
            )
        volumes, problems = _volumes(workload, view)
        joins, more = _joins(workload, view)
        problems += (*more, *_homeless(workload, view))
        if problems:
            return Children((), {}, tuple(problems))
        options = options_of(workload, view, volumes)
        containers = tuple(_container(workload, options, joins, view, n) for n in range(workload.replicas))
        first = join(workload.resource.address, f"{workload.resource.name}-0")
        endpoints = {
            p.name: compose("{0}://{1}:{2}", p.scheme, HOST, Output(first, ("properties", "ports", p.name)))
            for p in workload.ports
            if workload.replicas
        }
        return Children(
            containers,
            {"endpoints": endpoints} if endpoints else {},
            tuple(_warnings(workload, options)),
            ending=frozenset(c.address for c in containers if _ends(options)),
        )


# ---------------------------------------------------------------- names and networks


def _scoped(view: View, *names: str) -> str:
    """A name of the environment, for people; the operator makes it unique on the engine."""
    environment = view.environment
    return "-".join([environment.name if environment is not None else "", *names]).strip("-")


def _given_network(view: View) -> str | None:
    """The network that the environment's compute block names."""
    compute = view.environment.properties.get("compute") if view.environment is not None else None
    network = compute.get("network") if isinstance(compute, Mapping) else None
    return network if isinstance(network, str) else None


def _homeless(workload: Workload, view: View) -> Iterator[Diagnostic]:
    """A container whose application nobody declared has no network to be in."""
    host = workload.runtime.get("HostConfig")
    elsewhere = isinstance(host, Mapping) and host.get("NetworkMode") is not None
    id = body(workload.resource).get("application")
    if elsewhere or _given_network(view) is not None or (isinstance(id, str) and view.find(id) is not None):
        return
    message = f"The application '{workload.application}' of '{workload.resource.name}' is not declared, and its network goes with it"
    help = "Declare the application, here or in a file that is deployed first; or name a network in the environment's compute block."
    yield Diagnostic("ULN326", Severity.ERROR, message, workload.resource.origin, help=help)


def _joins(workload: Workload, view: View) -> tuple[list[str], list[Diagnostic]]:
    """The networks of other applications that its connections lead to."""
    joins: dict[str, None] = {}
    problems: list[Diagnostic] = []
    connections = body(workload.resource).get("connections")
    for name, connection in connections.items() if isinstance(connections, Mapping) else ():
        source = connection.get("source")
        target = view.find(source) if isinstance(source, str) and source.startswith("/") else None
        if target is None or not target.type.lower().endswith("core/containers"):
            continue
        application = body(target).get("application")
        if not isinstance(application, str) or short(application).lower() == workload.application.lower():
            continue
        own = str(body(workload.resource).get("application"))
        rivals = (
            r
            for r in view.resources()
            if r.name == target.name and str(body(r).get("application")).lower() == own.lower()
        )
        if next(rivals, None) is not None or target.name == workload.resource.name:
            message = (
                f"The connection '{name}' of '{workload.resource.name}' goes to '{target.name}' of the application "
                f"'{short(application)}', and its own application has a '{target.name}' as well"
            )
            help = "Give one of them another name: containers find each other by name on compute kind 'docker'."
            problems.append(Diagnostic("ULN318", Severity.ERROR, message, workload.resource.origin, help=help))
        joins[_scoped(view, short(application))] = None
    return list(joins), problems


def _volumes(workload: Workload, view: View) -> tuple[dict[str, str], list[Diagnostic]]:
    """The engine's volume for each source of a persistent volume."""
    found: dict[str, str] = {}
    problems: list[Diagnostic] = []
    for volume in workload.container.volumes:
        if not isinstance(volume, PersistentVolume):
            continue
        target = view.find(volume.source)
        if target is not None and target.type.lower() == VOLUMES:
            found[volume.source] = _scoped(view, str(target.name)) if not target.existing else f"={target.name}"
            continue
        what = f"'{volume.source}', which is not declared" if target is None else f"a resource of type '{target.type}'"
        message = f"The volume '{volume.name}' of '{workload.resource.name}' comes from {what}"
        help = "Declare a volume of type 'Ulna.Docker/volumes' and use its id, or mount a folder with runtimes.docker.HostConfig.Binds."
        problems.append(Diagnostic("ULN318", Severity.ERROR, message, workload.resource.origin, help=help))
    return found, problems


# ---------------------------------------------------------------- containers


def _structure(block: Properties) -> Iterator[Value]:
    """What decides how the block is merged: every object and list in it, and variables that are written as NAME=VALUE."""
    yield from block.values()
    if isinstance(block.get("Env"), list | tuple):
        yield from block["Env"]
    host = block.get("HostConfig")
    if isinstance(host, Mapping):
        yield from host.values()


def _container(workload: Workload, options: Properties, joins: list[str], view: View, replica: int) -> Resource:
    name = str(workload.resource.name)
    host = options["HostConfig"]
    wish: dict[str, Value] = {
        "name": _scoped(view, workload.application, f"{name}-{replica}"),
        "state": "running",
        "pull": workload.container.image_pull_policy or "IfNotPresent",
        "options": options,
    }
    if "NetworkMode" not in host:
        given = _given_network(view)
        wish["network"] = f"={given}" if given is not None else _scoped(view, workload.application)
        wish["aliases"] = [name]
        if joins and given is None:
            wish["joins"] = joins
    if workload.ports:
        wish["listens"] = {p.name: key(p.container_port, p.protocol) for p in workload.ports}
        bound = host.get("PortBindings") or {}
        publish = {
            key(p.container_port, p.protocol): p.container_port
            for p in workload.ports
            if key(p.container_port, p.protocol) not in bound
        }
        if replica == 0 and publish and "NetworkMode" not in host:
            wish["publish"] = publish
    for role, probe in (("readiness", workload.container.readiness), ("liveness", workload.container.liveness)):
        if probe is not None:
            wish[role] = written(probe)
    return _child(workload.resource, "containers", f"{name}-{replica}", wish)


def _ends(options: Properties) -> bool:
    """Whether it is meant to end, by its own word or the block's."""
    policy = options["HostConfig"].get("RestartPolicy") or {}
    return policy.get("Name") in ("no", "on-failure", "", None)


def _child(parent: Resource, type: str, name: str, wish: Properties) -> Resource:
    return Resource(
        join(parent.address, name),
        f"Ulna.Docker/{type}",
        VERSION,
        name,
        f"{parent.id}/{type}/{name}",
        {"properties": wish},
    )


def _warnings(workload: Workload, options: Properties) -> Iterator[Diagnostic]:
    """What is different here, and what is not wise."""
    resource = workload.resource
    for port in workload.ports:
        if port.port != port.container_port:
            message = (
                f"'{resource.name}': the port {port.port} of '{port.name}' is not the same on compute kind 'docker': "
                f"others reach it on {port.container_port}"
            )
            help = "Take the address from a connection, which has the right one, or use the same number for both."
            yield Diagnostic("ULN317", Severity.WARNING, message, resource.origin, help=help)
    if workload.ports and "NetworkMode" in options["HostConfig"]:
        message = (
            f"'{resource.name}': runtimes.docker.HostConfig.NetworkMode takes it out of its application's network: "
            "no other container finds it by name"
        )
        help = "Remove NetworkMode, or connect to it by a URL."
        yield Diagnostic("ULN317", Severity.WARNING, message, resource.origin, help=help)
    if workload.container.liveness is not None and options["HostConfig"].get("PidMode"):
        message = (
            f"'{resource.name}': livenessProbe is not supported on compute kind 'docker' together with PidMode: "
            "it cannot end a program that runs among the processes of others"
        )
        help = "Remove livenessProbe, or PidMode from runtimes.docker.HostConfig."
        yield Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)
    words = [*(options.get("Entrypoint") or ()), *(options.get("Cmd") or ())]
    if any(isinstance(leaf, Secret) for leaf in leaves(words)):
        message = f"A secret stands in the command line of '{resource.name}', where everybody who may use the engine can read it"
        help = "Let the program read it from an environment variable."
        yield Diagnostic("ULN324", Severity.WARNING, message, resource.origin, help=help)
