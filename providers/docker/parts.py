"""The containers of one replica: the one itself, what runs to its end before it, and what runs beside it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.app import Container, RestartPolicy, Workload
from engine.contract.operator import View
from engine.contract.resource import Condition, Resource, Wait
from engine.contract.secretfiles import reference
from engine.contract.value import Properties, Value
from engine.record import Record
from providers.docker.healthcheck import written
from providers.docker.options import RESTART, key, options_of
from providers.docker.surroundings import given_network, part, replica_of, scoped, shared_volumes, volumes_of


class Replica(Record):
    """What becomes of one replica: volumes that its containers share, and the containers in the order they start."""

    volumes: tuple[Resource, ...]
    init: tuple[Resource, ...]
    main: Resource
    sidecars: tuple[Resource, ...]

    @property
    def resources(self) -> tuple[Resource, ...]:
        """All of them."""
        return (*self.volumes, *self.init, self.main, *self.sidecars)


def replica(workload: Workload, joins: list[str], view: View, number: int) -> Replica:
    """One replica."""
    volumes = volumes_of(workload, view, number)
    made = tuple(shared_volumes(workload, number))
    main = _main(workload, joins, view, number, volumes)
    wish = main.properties["properties"]
    init: list[Resource] = []
    for container in workload.init:
        init.append(_init(workload, container, wish, view, number, volumes).replace(waits=_after(made, init)))
    after = _after(made, init)
    beside = (*after, Wait(main.address, Condition.STARTED))
    sidecars = tuple(
        _sidecar(workload, c, wish, view, number, volumes).replace(waits=beside) for c in workload.sidecars
    )
    return Replica(made, tuple(init), main.replace(waits=after), sidecars)


def _after(volumes: tuple[Resource, ...], init: list[Resource]) -> tuple[Wait, ...]:
    """An engine makes a volume that a container names and nobody has made: it would be nobody's."""
    ended = (Wait(init[-1].address, Condition.COMPLETED),) if init else ()
    return (*(Wait(v.address, Condition.READY) for v in volumes), *ended)


def _main(workload: Workload, joins: list[str], view: View, number: int, volumes: dict[str, str]) -> Resource:
    container = workload.container
    wish = _wish(workload, container, view, number, volumes)
    options = wish["options"]
    if "NetworkMode" not in options["HostConfig"]:
        wish |= _network(workload, view, joins)
        wish["aliases"] = [str(workload.resource.name)]
    if workload.ports:
        wish["listens"] = {p.name: key(p.container_port, p.protocol) for p in workload.ports}
        bound = options["HostConfig"].get("PortBindings") or {}
        publish = {
            key(p.container_port, p.protocol): p.container_port
            for p in workload.ports
            if key(p.container_port, p.protocol) not in bound
        }
        if number == 0 and publish and "NetworkMode" not in options["HostConfig"]:
            wish["publish"] = publish
    return part(workload.resource, "containers", _name(workload, number), wish, replica_of(workload, number))


def _init(
    workload: Workload, container: Container, main: Properties, view: View, number: int, volumes: dict[str, str]
) -> Resource:
    """One that runs to its end: tried again if it fails, unless nothing of the workload is; again when the main one changes."""
    wish = _wish(workload, container, view, number, volumes)
    never = workload.restart is RestartPolicy.NEVER
    policy = {"Name": RESTART[RestartPolicy.NEVER if never else RestartPolicy.ON_FAILURE]}
    options = wish["options"]
    wish["options"] = {**options, "HostConfig": {**options["HostConfig"], "RestartPolicy": policy}}
    wish |= {k: main[k] for k in ("network", "joins") if k in main}
    wish["for"] = main
    return _helper(workload, container, wish, number)


def _sidecar(
    workload: Workload, container: Container, main: Properties, view: View, number: int, volumes: dict[str, str]
) -> Resource:
    """One on the network of the main container, for as long as that is the same one."""
    wish = _wish(workload, container, view, number, volumes)
    wish["options"] = {k: v for k, v in wish["options"].items() if k != "ExposedPorts"}
    return _helper(workload, container, {**wish, "beside": main["name"], "for": main}, number)


def _helper(workload: Workload, container: Container, wish: Properties, number: int) -> Resource:
    name = f"{_name(workload, number)}-{container.name}"
    return part(workload.resource, "containers", name, wish, f"{replica_of(workload, number)}-{container.name}")


def _name(workload: Workload, number: int) -> str:
    return f"{workload.resource.name}-{number}"


def _network(workload: Workload, view: View, joins: list[str]) -> dict[str, Value]:
    given = given_network(view)
    if given is not None:
        return {"network": f"={given}"}
    network = {"network": scoped(view, workload.application)}
    return {**network, "joins": joins} if joins else network


def _wish(
    workload: Workload, container: Container, view: View, number: int, volumes: dict[str, str]
) -> dict[str, Value]:
    """What every container has: its options, image, secrets and probes."""
    name = _name(workload, number)
    if container is not workload.container:
        name = f"{name}-{container.name}"
    wish: dict[str, Value] = {
        "name": scoped(view, workload.application, name),
        "state": "running",
        "pull": container.image_pull_policy or "IfNotPresent",
        "options": options_of(workload, container, view, volumes),
    }
    block = workload.runtime.get("Env") if container is workload.container else None
    own = {*(wish["options"].get("Env") or {}), *(block if isinstance(block, Mapping) else ())}  # the block wins
    if kept := {n: k for n, k in container.secrets.items() if n not in own}:
        wish["secrets"] = {n: reference(k) for n, k in sorted(kept.items())}
    if (registry := container.registry) is not None:
        wish["registry"] = {"server": registry.server, "username": registry.username, "password": registry.password}
    for role, probe in (("readiness", container.readiness), ("liveness", container.liveness)):
        if probe is not None:
            wish[role] = written(probe)
    return wish
