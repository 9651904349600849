"""The ports of a container, and the outline of one: what others must know of it before anything of it is lowered."""

from __future__ import annotations

from collections.abc import Mapping

from engine.app.environment import application_of
from engine.app.extensions import replicas_of
from engine.contract.app import Container, Port, Protocol, Workload
from engine.contract.operator import View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value

CONTAINERS = "applications.core/containers"


def ports_of(properties: Properties) -> tuple[Port, ...]:
    """The ports in the order they are written."""
    container = properties.get("container")
    ports = container.get("ports") if isinstance(container, Mapping) else None
    if not isinstance(ports, Mapping):
        return ()
    return tuple(
        Port(
            name,
            p["containerPort"],
            p.get("port") or p["containerPort"],
            Protocol(p.get("protocol") or "TCP"),
            p.get("scheme") or ("udp" if p.get("protocol") == "UDP" else "http"),
        )
        for name, p in ports.items()
        if isinstance(p, Mapping) and isinstance(p.get("containerPort"), int)
    )


def shape_of(container: Resource) -> Value:
    """What others must know of a container before they can say where it is: its ports, and its scale."""
    properties = body(container)
    block = properties.get("container")
    return [block.get("ports") if isinstance(block, Mapping) else block, properties.get("extensions")]


def outline(resource: Resource, view: View) -> Workload:
    """A container by its ports and scale alone: enough to say where it is reached, and free of its connections."""
    application, _ = application_of(resource, view.find)
    properties = body(resource)
    container = Container(str(resource.name), None, ports=ports_of(properties))
    return Workload(resource, application, container, replicas=replicas_of(properties))


def sibling_of(resource: Resource, host: str, view: View) -> Resource | None:
    """The container of the same application that a host name means, as it does where services have names."""
    group = str(resource.id).partition("/providers/")[0]
    found = view.find(f"{group}/providers/Applications.Core/containers/{host}")
    if found is None or found.existing or found.type.lower() != CONTAINERS:
        return None
    return found if application_of(found, view.find)[0] == application_of(resource, view.find)[0] else None
