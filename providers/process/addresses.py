"""Which ports of this machine a workload has, and what stands in front of its replicas. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract.app import Port, Protocol, Workload
from engine.contract.resource import Condition, Resource, Wait, body, join
from engine.contract.value import Output, Properties

VERSION = "2026-12-01"
HOST = "localhost"
"""By name, since some programs listen on 127.0.0.1 and some on ::1."""


def _is_scaled(workload: Workload) -> bool:
    """Whether its number of replicas is a setting: then it has balancers for any number, so that changing it restarts nothing."""
    extensions = body(workload.resource).get("extensions") or ()
    return any(isinstance(e, Mapping) and e.get("kind") == "manualScaling" for e in extensions)


def is_balanced(workload: Workload, port: Port) -> bool:
    """Whether a port has a balancer in front of it."""
    return port.protocol is Protocol.TCP and _is_scaled(workload)


def _service(workload: Workload, port: Port) -> str:
    """The name of the port that others connect to.

    Direct and balanced ones have different names: on the way from one to the other both exist for a while.
    """
    return f"service-{port.name}" if is_balanced(workload, port) else f"port-{port.name}"


def number(workload: Workload, port: Port) -> Output:
    """The number that will be reserved for a port as others reach it."""
    return Output(join(workload.resource.address, _service(workload, port)), ("properties", "port"))


def own_number(workload: Workload, port: Port, replica: int) -> Output:
    """The number that a replica listens on itself."""
    if not is_balanced(workload, port):
        return number(workload, port)
    return Output(join(workload.resource.address, f"port-{port.name}-{replica}"), ("properties", "port"))


def ports_of(workload: Workload) -> Iterator[Resource]:
    """The ports to reserve: those that others connect to, and those of balanced replicas."""
    for port in workload.ports:
        wish = {"prefer": port.container_port, "protocol": str(port.protocol)}
        yield part(workload.resource, "ports", _service(workload, port), wish)
        for replica in range(workload.replicas) if is_balanced(workload, port) else ():
            yield part(workload.resource, "ports", f"port-{port.name}-{replica}", {"protocol": str(port.protocol)})


def balancers_of(workload: Workload) -> Iterator[Resource]:
    """A balancer for each port of a scaled workload."""
    for port in workload.ports:
        if is_balanced(workload, port):
            service = number(workload, port)
            targets = [own_number(workload, port, replica) for replica in range(workload.replicas)]
            wish = {"ports": {port.name: service}, "listens": service, "targets": targets}
            balancer = part(workload.resource, "balancers", f"balancer-{port.name}", wish)
            yield balancer.replace(waits=tuple(behind(workload)))


def replica_of(workload: Workload, replica: int) -> str:
    """The last part of a process's address.

    It goes by the symbol, as its ports do, and not by the name: a container that is called something else tomorrow is the
    same one, and its old process has to end before the new one gets the port.
    """
    return f"{workload.resource.address.rpartition('/')[2].partition('[')[0]}-{replica}"


def behind(workload: Workload) -> Iterator[Wait]:
    """What ties who stands in front of a workload to its processes: none of them goes while requests are sent to it."""
    for replica in range(workload.replicas):
        yield Wait(join(workload.resource.address, replica_of(workload, replica)), Condition.EXISTS)


def part(parent: Resource, type: str, name: str, wish: Properties, address: str = "") -> Resource:
    """A resource that something becomes a part of."""
    return Resource(
        join(parent.address, address or name),
        f"Ulna.Process/{type}",
        VERSION,
        name,
        f"{parent.id}/{type}/{name}",
        {"properties": wish},
    )
