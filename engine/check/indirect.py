"""Values that are no literals against the types that data give: all is said of the place where the value is used."""

from __future__ import annotations

from engine.check.assign import assignable
from engine.check.misfits import Place, excess, incomplete, mismatch
from engine.check.types import (
    NULL,
    ArrayType,
    DiscriminatedType,
    ObjectType,
    StringLiteral,
    TupleType,
    Type,
    members_of,
    show,
    union,
    without_null,
)
from engine.diagnostics.diagnostic import Severity
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

MOST = 1000
"""No more types are compared for one value."""

Seen = set[tuple[int, int]]
"""Pairs of types that were compared, by their identity: types may hold themselves."""


def inside(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place, seen: Seen | None = None) -> bool:
    """Compares the parts of a value, where it has any to compare; whether it had."""
    value, target = infer.open(value), infer.open(without_null(target))
    objects = [m for m in members_of(target) if isinstance(m, ObjectType | DiscriminatedType)]
    arrays = [m for m in members_of(target) if isinstance(m, ArrayType)]
    seen = set() if seen is None else seen
    pair = (id(value), id(target))
    if pair in seen or len(seen) > MOST:
        return True
    seen.add(pair)
    match value:
        case ObjectType() if len(objects) == 1 and len(members_of(target)) == 1:
            wanted = _chosen(value, objects[0]) if isinstance(objects[0], DiscriminatedType) else objects[0]
            if wanted is not None:
                value_object(infer, node, value, wanted, place, seen)
            return True
        case ArrayType(item=item) if len(arrays) == 1:
            _item(infer, node, item, arrays[0], place, seen)
            return True
        case TupleType(items=items) if len(arrays) == 1:
            for item in dict.fromkeys(items):
                _item(infer, node, item, arrays[0], place, seen)
            return True
        case _:
            return False


def _chosen(value: ObjectType, target: DiscriminatedType) -> ObjectType | None:
    given = value.properties.get(target.key)
    return target.members.get(given.type.value) if given is not None and isinstance(given.type, StringLiteral) else None


def _item(infer: Infer, node: tree.Node, item: Type, array: ArrayType, place: Place, seen: Seen) -> None:
    if not inside(infer, node, item, array.item, place, seen) and not assignable(item, array.item, infer.resolve):
        mismatch(infer, node, item, array.item, Place(item=True, lenient=array.lenient, resource=True))


def value_object(
    infer: Infer, node: tree.Node, value: ObjectType, target: ObjectType, place: Place, seen: Seen | None = None
) -> None:
    """One object against an object type."""
    lenient = target.lenient or (place.lenient and not place.resource)
    for name, given in value.properties.items():
        wanted = target.properties.get(name)
        if wanted is None:
            if place.resource and target.additional is None:
                excess(infer, node, name, target, value.properties, lenient)
            continue
        if place.resource and (wanted.readonly or inside(infer, node, given.type, wanted.type, place, seen)):
            continue
        optional = wanted.type if wanted.required or not place.resource else union(wanted.type, NULL)
        if not assignable(given.type, optional, infer.resolve):
            doubtful = lenient or (place.resource and not wanted.system)
            message = f"Property '{name}' takes {show(wanted.type)}, and in this value it is {show(given.type)}"
            infer.report.add("BCP036", Severity.WARNING if doubtful else Severity.ERROR, node, message)
    if value.additional is None:
        incomplete(infer, target, place.replace(what="value"), value.properties, node, lenient)
