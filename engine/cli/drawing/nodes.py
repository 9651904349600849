"""What is drawn: resources that were declared, what each is made of, and which leads to which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from engine.contract.resource import Resource, body
from engine.contract.value import Output, Value, leaves
from engine.plan.graph import leans_on
from engine.record import Record

_SURROUNDINGS = frozenset({"applications.core/applications", "applications.core/environments"})
"""Types that everything belongs to: an edge to one says nothing."""


class Kind(StrEnum):
    """Why there is an edge: a connection that was declared, or a value or an order that is needed."""

    CONNECTION = "Connection"
    DEPENDENCY = "Dependency"


class Node(Record):
    """A declared resource; `parts` are the resources it is made of, `to` the addresses it leads to."""

    address: str
    id: str
    type: str
    name: str
    state: str = ""
    parts: tuple[Node, ...] = ()
    to: tuple[tuple[str, Kind], ...] = ()


class Picture(Record):
    """A title and nodes, containers first, then by type, name and address."""

    title: str
    nodes: tuple[Node, ...]

    def find(self, address: str) -> Node:
        """The node at an address."""
        return next(n for n in self.nodes if n.address == address)

    def leading_to(self, address: str) -> tuple[tuple[Node, Kind], ...]:
        """The nodes with an edge to this one."""
        return tuple((n, kind) for n in self.nodes for to, kind in n.to if to == address)


def picture(title: str, resources: Iterable[Resource], states: Mapping[str, str] | None = None) -> Picture:
    """The picture of some resources; `states` has a word for some addresses."""
    found = {r.address: r for r in resources if not r.existing}
    tops = {a: _top(r, found) for a, r in found.items()}
    by_id = {str(r.id).lower(): tops[a] for a, r in found.items()}
    words = states or {}
    parts: dict[str, list[Node]] = {}
    for address, resource in found.items():
        if tops[address] != address:
            parts.setdefault(tops[address], []).append(_node(resource, words))
    nodes = [
        _node(r, words).replace(parts=tuple(parts.get(a, ())), to=_edges(r, found, tops, by_id))
        for a, r in found.items()
        if tops[a] == a
    ]
    return Picture(title, tuple(sorted(nodes, key=_place)))


def _node(resource: Resource, states: Mapping[str, str]) -> Node:
    name = resource.name if isinstance(resource.name, str) else resource.address.rpartition("/")[2]
    id = resource.id if isinstance(resource.id, str) else ""
    return Node(resource.address, id, resource.type, name, states.get(resource.address, ""))


def _place(node: Node) -> tuple[bool, str, str, str]:
    return (node.type.lower() != "applications.core/containers", node.type.lower(), node.name, node.address)


def _top(resource: Resource, found: Mapping[str, Resource]) -> str:
    """The declared resource that one is a part of."""
    while resource.owner is not None and resource.owner in found:
        resource = found[resource.owner]
    return resource.address


def _edges(
    resource: Resource, found: Mapping[str, Resource], tops: Mapping[str, str], by_id: Mapping[str, str]
) -> tuple[tuple[str, Kind], ...]:
    edges: dict[str, Kind] = {}
    for address in sorted(leans_on(resource)):
        if address in found and found[tops[address]].type.lower() not in _SURROUNDINGS:
            edges[tops[address]] = Kind.DEPENDENCY
    connections = body(resource).get("connections")
    for connection in connections.values() if isinstance(connections, Mapping) else ():
        source = connection.get("source") if isinstance(connection, Mapping) else None
        for address in _sources(source, tops, by_id):
            edges[address] = Kind.CONNECTION
    edges.pop(resource.address, None)
    return tuple(sorted(edges.items()))


def _sources(source: Value, tops: Mapping[str, str], by_id: Mapping[str, str]) -> Iterable[str]:
    """The declared resources that the source of a connection names: by id, by value, or by the host of a URL."""
    if isinstance(source, str):
        if source.lower() in by_id:
            return (by_id[source.lower()],)
        host = source.partition("://")[2].partition("/")[0].partition(":")[0].lower()
        return [top for id, top in by_id.items() if host and id.rpartition("/")[2] == host]
    return [tops[leaf.address] for leaf in leaves(source) if isinstance(leaf, Output) and leaf.address in tops]
