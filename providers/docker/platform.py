"""The compute kind `docker`: an application becomes a network, a workload its containers. Pure.

shop                 Applications.Core/applications
└── network          Ulna.Docker/networks      a bridge of its own: containers find each other by name there
web                  Applications.Core/containers
├── volume-tmp-0     Ulna.Docker/volumes       one for each ephemeral volume that several of its containers mount
├── web-0-migrate    Ulna.Docker/containers    what runs before it, and to its end
├── web-0            Ulna.Docker/containers    one for each replica; the first one's ports are published
├── web-0-agent      Ulna.Docker/containers    what runs beside it, on its network
└── web-1            Ulna.Docker/containers    all replicas answer to the name of the container
data                 Applications.Core/volumes
└── volume           Ulna.Docker/volumes
keys                 Applications.Core/secretStores
└── secrets          Ulna.Docker/secrets       a file that only its owner can read
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Endpoint, Gateway, Port, RestartPolicy, SecretStore, Volume, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, Shipped, shipped_schema
from engine.contract.resource import Resource, join
from engine.contract.value import Leaf, Output, Properties, Value, compose, has_secret, needs
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.place import place
from providers.docker.capabilities import CAPABILITIES
from providers.docker.parts import replica
from providers.docker.surroundings import (
    HOST,
    connected,
    given_network,
    homeless,
    joins_of,
    part,
    replica_of,
    scoped,
    sourceless,
    volume_name,
)


class DockerPlatform(Shipped):
    """See the module."""

    kind = "docker"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    def block_schema(self, type: str) -> Mapping[str, Any] | None:
        """A gateway is a container; of a volume, the driver can be chosen."""
        return {"gateways": self.runtime_schema, "volumes": shipped_schema("docker.volumes.json")}.get(type)

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """Its name in the network of its application, and the port that the container itself listens on."""
        return Endpoint(str(workload.resource.name), port.container_port, port.scheme)

    def application(self, resource: Resource, view: View) -> Children:
        """The network of an application, unless the environment names one."""
        if given_network(view) is not None:
            return Children((), {})
        wish = {
            "name": scoped(view, str(resource.name)),
            "driver": "bridge",
            "labels": {"ulna.application": resource.name},
        }
        return Children((part(resource, "networks", "network", wish),), {})

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """The containers of one workload."""
        if (open_block := undecided(workload.resource, workload.runtime)) is not None:
            return open_block
        problems = list(sourceless(workload, view))
        joins, more = joins_of(workload.resource, workload.application, connected(workload, view), view)
        problems += more
        host = workload.runtime.get("HostConfig")
        if not (isinstance(host, Mapping) and host.get("NetworkMode") is not None):
            problems += homeless(workload.resource, workload.application, view)
        if problems:
            return Children((), {}, tuple(problems))
        replicas = [replica(workload, joins, view, n) for n in range(workload.replicas)]
        first = join(workload.resource.address, replica_of(workload, 0))
        endpoints = {
            p.name: compose("{0}://{1}:{2}", p.scheme, HOST, Output(first, ("properties", "ports", p.name)))
            for p in workload.ports
            if workload.replicas
        }
        mains = (r.main.address for r in replicas if _ends(r.main.properties["properties"]["options"]))
        return Children(
            tuple(c for r in replicas for c in r.resources),
            {"endpoints": endpoints} if endpoints else {},
            tuple(_warnings(workload, [r.properties["properties"]["options"] for r in _made(replicas)])),
            ending=frozenset((*mains, *(i.address for r in replicas for i in r.init))),
        )

    def gateway(self, gateway: Gateway, view: View) -> Children | Undecided:
        """The proxy of one gateway."""
        from providers.docker.gateway import gateway_children

        if (open_block := undecided(gateway.resource, gateway.runtime)) is not None:
            return open_block
        return gateway_children(gateway, view)

    def secret_store(self, store: SecretStore, view: View) -> Children | Undecided:
        """A file that only its owner can read: an engine alone keeps no secrets."""
        from engine.contract.secretfiles import written

        return Children((part(store.resource, "secrets", "secrets", written(store)),), {})

    def volume(self, volume: Volume, view: View) -> Children | Undecided:
        """A named volume."""
        wish = {k: volume.runtime[k] for k in ("driver", "options", "labels") if volume.runtime.get(k) is not None}
        name = volume_name(volume.resource, volume.application)
        return Children((part(volume.resource, "volumes", name, wish, "volume"),), {})


# ---------------------------------------------------------------- the block


def undecided(resource: Resource, block: Properties) -> Children | Undecided | None:
    """What of a block must be known before it can be merged; nothing may hang on a secret."""
    open_parts = [v for v in _structure(block) if isinstance(v, Leaf)]
    if waits_for := needs(open_parts):
        return Undecided(waits_for)
    if not open_parts:
        return None
    message = f"What runtimes.docker of '{resource.name}' consists of hangs on a secret"
    help = "Use secrets as values of variables, by name: Env: { NAME: secret }."
    return Children((), {}, (Diagnostic("ULN321", Severity.ERROR, message, resource.origin, help=help),))


def _structure(block: Properties) -> Iterator[Value]:
    """What decides how the block is merged: every object and list in it, and variables that are written as NAME=VALUE."""
    yield from block.values()
    if isinstance(block.get("Env"), list | tuple):
        yield from block["Env"]
    host = block.get("HostConfig")
    if isinstance(host, Mapping):
        yield from host.values()


def _ends(options: Properties) -> bool:
    """Whether it is meant to end, by its own word or the block's."""
    policy = options["HostConfig"].get("RestartPolicy") or {}
    return policy.get("Name") in ("no", "on-failure", "", None)


def _made(replicas: list[Any]) -> list[Resource]:
    """The containers of the first replica, the main one first."""
    return [c for r in replicas[:1] for c in (r.main, *r.init, *r.sidecars)]


BLOCK = ("runtimes", "docker", "HostConfig")


def _warnings(workload: Workload, made: list[Properties]) -> Iterator[Diagnostic]:
    """What is different here, and what is not wise; `made` are the options of its containers, the main one first."""
    resource = workload.resource

    def at(*path: str | int) -> Label | None:
        return place(resource.origin, path)

    options: Properties = made[0] if made else {"HostConfig": {}}
    if workload.sidecars and workload.restart is not RestartPolicy.ALWAYS:
        message = f"'{resource.name}': sidecars are not the same on compute kind 'docker': they go on when it has ended"
        help = "Let a sidecar end by itself, or set restartPolicy: 'Always'."
        yield Diagnostic("ULN317", Severity.WARNING, message, at("container", "sidecars"), help=help)
    if workload.sidecars and "NetworkMode" in options["HostConfig"]:
        message = f"'{resource.name}': sidecars are not supported on compute kind 'docker' together with NetworkMode"
        help = "Remove NetworkMode from runtimes.docker.HostConfig, or declare the sidecar as a container of its own."
        yield Diagnostic("ULN318", Severity.ERROR, message, at(*BLOCK, "NetworkMode"), help=help)
    for port in workload.ports:
        if port.port != port.container_port:
            message = (
                f"'{resource.name}': the port {port.port} of '{port.name}' is not the same on compute kind 'docker': "
                f"others reach it on {port.container_port}"
            )
            help = "Take the address from a connection, which has the right one, or use the same number for both."
            yield Diagnostic("ULN317", Severity.WARNING, message, at("container", "ports", port.name), help=help)
    if workload.ports and "NetworkMode" in options["HostConfig"]:
        message = (
            f"'{resource.name}': runtimes.docker.HostConfig.NetworkMode takes it out of its application's network: "
            "no other container finds it by name"
        )
        help = "Remove NetworkMode, or connect to it by a URL."
        yield Diagnostic("ULN317", Severity.WARNING, message, at(*BLOCK, "NetworkMode"), help=help)
    if workload.container.liveness is not None and options["HostConfig"].get("PidMode"):
        message = (
            f"'{resource.name}': livenessProbe is not supported on compute kind 'docker' together with PidMode: "
            "it cannot end a program that runs among the processes of others"
        )
        help = "Remove livenessProbe, or PidMode from runtimes.docker.HostConfig."
        yield Diagnostic("ULN318", Severity.ERROR, message, at(*BLOCK, "PidMode"), help=help)
    words = [w for o in made for w in (*(o.get("Entrypoint") or ()), *(o.get("Cmd") or ()))]
    if has_secret(words):
        message = f"A secret stands in the command line of '{resource.name}', where everybody who may use the engine can read it"
        help = "Let the program read it from an environment variable."
        yield Diagnostic("ULN324", Severity.WARNING, message, resource.origin, help=help)
