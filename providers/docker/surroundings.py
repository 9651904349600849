"""What is around a container: names on the engine, networks that it has to be in, volumes that it mounts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.contract.app import EphemeralVolume, PersistentVolume, Workload
from engine.contract.operator import View
from engine.contract.resource import Resource, body, join, short
from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place

VERSION = "2026-12-01"
HOST = "127.0.0.1"
VOLUMES = "ulna.docker/volumes"
APP_VOLUMES = "applications.core/volumes"


def scoped(view: View, *names: str) -> str:
    """A name of the environment, for people; the operator makes it unique on the engine."""
    environment = view.environment
    return "-".join([environment.name if environment is not None else "", *names]).strip("-")


def compute_of(view: View) -> Mapping[str, Value]:
    """The compute block of the environment."""
    compute = view.environment.properties.get("compute") if view.environment is not None else None
    return compute if isinstance(compute, Mapping) else {}


def given_network(view: View) -> str | None:
    """The network that the environment's compute block names."""
    network = compute_of(view).get("network")
    return network if isinstance(network, str) else None


def part(parent: Resource, type: str, name: str, wish: Properties, address: str = "") -> Resource:
    """A resource that something becomes a part of."""
    return Resource(
        join(parent.address, address or name),
        f"Ulna.Docker/{type}",
        VERSION,
        name,
        f"{parent.id}/{type}/{name}",
        {"properties": wish},
    )


def symbol(resource: Resource) -> str:
    """The last part of the addresses of what it becomes.

    It goes by the symbol and not by the name: a container that is called something else tomorrow is the same one, and the
    new one gets the port of the old.
    """
    return resource.address.rpartition("/")[2].partition("[")[0]


def replica_of(workload: Workload, replica: int) -> str:
    """The last part of a replica's address."""
    return f"{symbol(workload.resource)}-{replica}"


# ---------------------------------------------------------------- networks


def homeless(resource: Resource, application: str, view: View) -> Iterator[Diagnostic]:
    """What belongs to an application that nobody declared has no network to be in."""
    id = body(resource).get("application")
    if given_network(view) is not None or (isinstance(id, str) and view.find(id) is not None):
        return
    message = f"The application '{application}' of '{resource.name}' is not declared, and its network goes with it"
    help = "Declare the application, here or in a file that is deployed first; or name a network in the environment's compute block."
    yield Diagnostic("ULN326", Severity.ERROR, message, resource.origin, help=help)


def joins_of(
    resource: Resource, application: str, targets: Iterable[tuple[str, Resource]], view: View
) -> tuple[list[str], list[Diagnostic]]:
    """The networks of other applications that lead to containers, each with the words for what leads there."""
    joins: dict[str, None] = {}
    problems: list[Diagnostic] = []
    own = str(body(resource).get("application"))
    for what, target in targets:
        other = body(target).get("application")
        if not isinstance(other, str) or short(other).lower() == application.lower():
            continue
        rivals = (
            r
            for r in view.resources()
            if r.name == target.name and str(body(r).get("application")).lower() == own.lower()
        )
        if next(rivals, None) is not None or target.name == resource.name:
            message = (
                f"{what} of '{resource.name}' goes to '{target.name}' of the application "
                f"'{short(other)}', and its own application has a '{target.name}' as well"
            )
            help = "Give one of them another name: containers find each other by name on compute kind 'docker'."
            routes = resource.type.lower().endswith("/gateways")
            where = place(resource.origin, ("routes" if routes else "connections",))
            problems.append(Diagnostic("ULN318", Severity.ERROR, message, where, help=help))
        joins[scoped(view, short(other))] = None
    return list(joins), problems


def connected(workload: Workload, view: View) -> Iterator[tuple[str, Resource]]:
    """The containers that a workload's connections lead to."""
    connections = body(workload.resource).get("connections")
    for name, connection in connections.items() if isinstance(connections, Mapping) else ():
        source = connection.get("source")
        target = view.find(source) if isinstance(source, str) and source.startswith("/") else None
        if target is not None and target.type.lower().endswith("core/containers"):
            yield f"The connection '{name}'", target


# ---------------------------------------------------------------- volumes


def volumes_of(workload: Workload, view: View, replica: int) -> dict[str, str]:
    """The engine's volume for each source of a persistent volume, and for each name of a shared ephemeral one."""
    found = {name: scoped(view, *_shared(workload, name, replica)) for name in shared(workload)}
    for volume in _persistent(workload):
        target = view.find(volume.source)
        if target is not None and target.type.lower() == VOLUMES:
            found[volume.source] = scoped(view, str(target.name)) if not target.existing else f"={target.name}"
        elif target is not None:
            found[volume.source] = scoped(view, volume_name(target, short(body(target).get("application"))))
    return found


def volume_name(resource: Resource, application: str) -> str:
    """The name of an application's volume in its environment."""
    return f"{application}-{resource.name}"


def _persistent(workload: Workload) -> Iterator[PersistentVolume]:
    for container in workload.containers:
        yield from (v for v in container.volumes if isinstance(v, PersistentVolume))


def sourceless(workload: Workload, view: View) -> Iterator[Diagnostic]:
    """Volumes that come from nowhere, or from what is no volume here."""
    for volume in _persistent(workload):
        target = view.find(volume.source)
        if target is not None and target.type.lower() in (VOLUMES, APP_VOLUMES):
            continue
        what = f"'{volume.source}', which is not declared" if target is None else f"a resource of type '{target.type}'"
        message = f"The volume '{volume.name}' of '{workload.resource.name}' comes from {what}"
        help = (
            "Declare a volume of type 'Applications.Core/volumes' with kind: 'persistent', or of type 'Ulna.Docker/volumes', "
            "and use its id; or mount a folder with runtimes.docker.HostConfig.Binds."
        )
        where = place(workload.resource.origin, ("container", "volumes", volume.name, "source"))
        yield Diagnostic("ULN318", Severity.ERROR, message, where, help=help)


def shared(workload: Workload) -> dict[str, str]:
    """The ephemeral volumes that several of its containers mount: their store, by name."""
    found: dict[str, list[str]] = {}
    for container in workload.containers:
        for volume in container.volumes:
            if isinstance(volume, EphemeralVolume):
                found.setdefault(volume.name, []).append(volume.store)
    return {name: stores[0] for name, stores in found.items() if len(stores) > 1}


def shared_volumes(workload: Workload, replica: int) -> Iterator[Resource]:
    """A volume of the engine for each of them, as long-lived as the replica."""
    for name, store in shared(workload).items():
        memory = {"driver": "local", "options": {"type": "tmpfs", "device": "tmpfs"}} if store == "memory" else {}
        called = "-".join(_shared(workload, name, replica))
        yield part(workload.resource, "volumes", called, memory, f"volume-{name}-{replica}")


def _shared(workload: Workload, name: str, replica: int) -> tuple[str, ...]:
    return workload.application, f"{workload.resource.name}-{replica}-{name}"
