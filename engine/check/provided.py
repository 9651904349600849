"""What a resource will report, as far as its own body says: objects with the keys of a part that is written out."""

from __future__ import annotations

from collections.abc import Mapping

from engine.check.body import properties_of
from engine.check.declare import key_text
from engine.check.types import ObjectType, PropertyType
from engine.parse import tree


def provided(properties: Mapping[str, PropertyType], written: tree.Object | None) -> dict[str, PropertyType]:
    """What can be read of a resource with this body: `properties` is what its schema says of all of its type."""
    body = properties.get("properties")
    inner = _value(written, "properties")
    if body is None or not isinstance(body.type, ObjectType) or not isinstance(inner, tree.Object):
        return dict(properties)
    found = {
        name: p.replace(type=ObjectType({k: PropertyType(p.type.additional, True) for k in keys}, name=name))
        for name, p in body.type.properties.items()
        if isinstance(p.type, ObjectType)
        and p.type.keys
        and p.type.additional is not None
        and (keys := _keys(inner, p.type.keys.split("."))) is not None
    }
    if not found:
        return dict(properties)
    return {
        **properties,
        "properties": body.replace(type=body.type.replace(properties={**body.type.properties, **found})),
    }


def _keys(body: tree.Object, steps: list[str]) -> list[str] | None:
    """The keys of an object in a body; none where it is not written, and None where only run time knows them."""
    node: tree.Node | None = body
    for step in steps:
        if not isinstance(node, tree.Object) or not _is_plain(node):
            return None
        node = _value(node, step)
        if node is None:
            return []
    if not isinstance(node, tree.Object) or not _is_plain(node):
        return None
    return [*properties_of(node)]


def _is_plain(node: tree.Object) -> bool:
    """Whether every member is a property whose name is written out."""
    return all(isinstance(m, tree.Property) and key_text(m.key) is not None for m in node.members)


def _value(node: tree.Object | None, name: str) -> tree.Node | None:
    given = properties_of(node).get(name) if node is not None else None
    return given.value if given is not None else None
