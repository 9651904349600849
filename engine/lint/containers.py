"""The containers of a file as far as they are written out, for the rules about them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.declare import body_of
from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.lint.names import key_of, property_of, resources, type_of_resource
from engine.parse import tree
from engine.record import Record

TYPES = ("applications.core/containers", "radius.compute/containers")


class Part(Record):
    """One container of a resource; `helper` for what runs beside or before it."""

    name: str
    body: tree.Object
    helper: bool = False


class Container(Record):
    """A resource that is one container or several, with the object literals it is written as."""

    symbol: Symbol
    node: tree.Resource
    properties: tree.Object
    parts: tuple[Part, ...]
    """Its containers: `container` or `containers`, then their helpers."""


def containers(model: Model) -> tuple[Container, ...]:
    """The containers that a file declares; those that exist already are not among them."""
    return model.once(_containers)


def _containers(model: Model) -> tuple[Container, ...]:
    found = []
    for symbol, node in resources(model):
        if not node.existing and type_of_resource(model, symbol) in TYPES:
            properties = inner(node.value, "properties")
            if properties is not None:
                found.append(Container(symbol, node, properties, tuple(_parts(symbol, properties))))
    return tuple(found)


def _parts(symbol: Symbol, properties: tree.Object) -> Iterator[Part]:
    if (own := inner(properties, "container")) is not None:
        yield Part(symbol.name, own)
        for helpers in (inner(own, "initContainers"), inner(own, "sidecars")):
            for name, body in _named(helpers):
                yield Part(name, body, True)
    for name, body in _named(inner(properties, "containers")):
        yield Part(name, body, _is_true(body, "initContainer"))


def inner(body: tree.Node, *path: str) -> tree.Object | None:
    """The object literal under a path of names; None for anything else."""
    found = property_of(body, *path)
    return body_of(found.value) if found is not None else None


def members(body: tree.Object | None) -> Iterator[tuple[str, tree.Property]]:
    """The properties of an object literal that have a plain name, with it."""
    for member in body.members if body is not None else ():
        name = key_of(member)
        if isinstance(member, tree.Property) and name is not None:
            yield name, member


def is_open(body: tree.Object) -> bool:
    """Whether an object may have more properties than can be seen: something is spread in it, or a name has holes."""
    return any(isinstance(m, tree.Spread) or key_of(m) is None for m in body.members)


def _named(bodies: tree.Object | None) -> Iterator[tuple[str, tree.Object]]:
    """The object literals in another, by name."""
    for name, member in members(bodies):
        if (body := body_of(member.value)) is not None:
            yield name, body


def _is_true(body: tree.Object, key: str) -> bool:
    found = property_of(body, key)
    return found is not None and isinstance(found.value, tree.Boolean) and found.value.value
