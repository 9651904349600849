"""The compute kind `process`: what the app model comes to on this machine. Pure.

web                  Applications.Core/containers
├── port-http        Ulna.Process/ports        one for each declared port
├── volume-tmp-0     Ulna.Process/folders      one for each ephemeral volume and replica
├── web-0-migrate    Ulna.Process/processes    what runs before it, and to its end
├── web-0            Ulna.Process/processes    one for each replica
├── web-0-agent      Ulna.Process/processes    what runs beside it
└── balancer-http    Ulna.Process/balancers    in front of several replicas, which then have ports of their own
data                 Applications.Core/volumes
└── folder           Ulna.Process/folders
keys                 Applications.Core/secretStores
└── secrets          Ulna.Process/secrets      a file that only its owner can read
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract.app import (
    Container,
    Endpoint,
    Gateway,
    PersistentVolume,
    Port,
    RestartPolicy,
    SecretStore,
    Volume,
    Workload,
)
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, Shipped
from engine.contract.resource import Resource, body
from engine.contract.value import Leaf, Secret, compose, leaves, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import Path, place
from providers.process.addresses import HOST, balancers_of, number, part, ports_of
from providers.process.capabilities import CAPABILITIES
from providers.process.launch import FOLDER, block_of, command_of, launch


class ProcessPlatform(Shipped):
    """See the module."""

    kind = "process"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """This machine, and the port that is reserved for it."""
        return Endpoint(HOST, number(workload, port), port.scheme)

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """The parts of one container."""
        block = workload.runtime or (body(workload.resource).get("runtimes") or {}).get(self.kind)
        if not isinstance(block, Mapping):  # an empty one says that its own command is a program of this machine
            return _refused(workload.resource, "ULN320", *_NO_BLOCK)
        undecided = {k: block[k] for k in _DECISIVE if isinstance(block.get(k), Leaf)}
        if waits_for := needs(undecided):
            return Undecided(waits_for)
        problems = tuple(_problems(workload, view))
        if problems:
            return Children((), {}, problems)
        ports = tuple(ports_of(workload))
        launches = [launch(workload, view, replica) for replica in range(workload.replicas)]
        endpoints = {p.name: compose("{0}://{1}:{2}", p.scheme, HOST, number(workload, p)) for p in workload.ports}
        mains = (r.main.address for r in launches if workload.restart is not RestartPolicy.ALWAYS)
        return Children(
            (*ports, *(r for made in launches for r in made.resources), *balancers_of(workload)),
            {"endpoints": endpoints} if endpoints else {},
            tuple(_warnings(workload, [r for made in launches[:1] for r in (*made.init, made.main, *made.sidecars)])),
            frozenset(p.address for p in ports),
            ending=frozenset((*mains, *(i.address for made in launches for i in made.init))),
        )

    def gateway(self, gateway: Gateway, view: View) -> Children | Undecided:
        """The parts of one gateway."""
        from providers.process.gateway import gateway_children

        return gateway_children(gateway, view)

    def secret_store(self, store: SecretStore, view: View) -> Children | Undecided:
        """A file that only its owner can read."""
        from engine.contract.secretfiles import written

        return Children((part(store.resource, "secrets", "secrets", written(store)),), {})

    def volume(self, volume: Volume, view: View) -> Children | Undecided:
        """A folder of this machine, which goes with the volume."""
        return Children((part(volume.resource, "folders", FOLDER, {}),), {})


_DECISIVE = ("args", "env", "logs", "initContainers", "sidecars")
"""What of the block must be known before it can be said what is run."""

_NO_BLOCK = (
    "has no 'runtimes.process', and compute kind 'process' runs no images",
    "Add runtimes: { process: { command: 'PROGRAM', args: [ … ] } }, or deploy to an environment of a kind that runs containers.",
)
_NO_COMMAND = (
    "does not say what to run as a process",
    "Add 'command' to runtimes.process.",
)


def _refused(resource: Resource, code: str, what: str, help: str) -> Children:
    return Children((), {}, (_problem(resource, code, f"The container '{resource.name}' {what}", help),))


def _problem(resource: Resource, code: str, message: str, help: str, path: Path = ()) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, place(resource.origin, path), help=help)


def _problems(workload: Workload, view: View) -> Iterator[Diagnostic]:
    """Containers that nobody says how to run, and volumes that come from nowhere."""
    resource = workload.resource
    if not command_of(workload.container, block_of(workload, workload.container)):
        what, help = _NO_COMMAND
        yield _problem(resource, "ULN322", f"The container '{resource.name}' {what}", help, ("runtimes", "process"))
    for kind, helpers in (("initContainers", workload.init), ("sidecars", workload.sidecars)):
        for helper in helpers:
            if not command_of(helper, block_of(workload, helper)):
                message = f"'{helper.name}' among the {kind} of '{resource.name}' does not say what to run as a process"
                help = f"Give it a 'command', or add runtimes.process.{kind}.{helper.name}.command."
                yield _problem(resource, "ULN322", message, help, ("container", kind, helper.name))
    for container in workload.containers:
        yield from _sourceless(workload, container, view)


def _sourceless(workload: Workload, container: Container, view: View) -> Iterator[Diagnostic]:
    for volume in container.volumes:
        if not isinstance(volume, PersistentVolume):
            continue
        source = view.find(volume.source)
        if source is None or source.type.lower() != "applications.core/volumes":
            what = "which is not declared" if source is None else f"a resource of type '{source.type}'"
            message = f"The volume '{volume.name}' of '{workload.resource.name}' comes from '{volume.source}', {what}"
            help = "Declare a volume of type 'Applications.Core/volumes' with kind: 'persistent', and use its id."
            path = ("container", "volumes", volume.name, "source")
            yield _problem(workload.resource, "ULN318", message, help, path)


def _warnings(workload: Workload, processes: list[Resource]) -> Iterator[Diagnostic]:
    """A secret in an argument is there for everybody on the machine to see; what runs beside a job outlives it."""
    resource = workload.resource
    if any(isinstance(leaf, Secret) for p in processes for leaf in leaves(p.properties["properties"]["command"])):
        message = (
            f"A secret stands in the command line of '{resource.name}', where every user of this machine can read it"
        )
        help = "Let the program read it from an environment variable."
        yield Diagnostic("ULN324", Severity.WARNING, message, resource.origin, help=help)
    if workload.sidecars and workload.restart is not RestartPolicy.ALWAYS:
        message = (
            f"'{resource.name}': sidecars are not the same on compute kind 'process': they go on when it has ended"
        )
        help = "Let a sidecar end by itself, or set restartPolicy: 'Always'."
        where = place(resource.origin, ("container", "sidecars"))
        yield Diagnostic("ULN317", Severity.WARNING, message, where, help=help)
