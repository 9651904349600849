"""Whether an expression fits where a type is wanted, told part by part: an object by its properties, an array by its items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.check.assign import assignable
from engine.check.spelling import suggestion, write
from engine.check.types import (
    FALSE,
    TRUE,
    AnyType,
    ArrayType,
    DiscriminatedType,
    NullType,
    ObjectType,
    PropertyType,
    StringLiteral,
    TupleType,
    Type,
    UnknownType,
    is_nullable,
    members_of,
    show,
    without_null,
)
from engine.diagnostics.diagnostic import Severity
from engine.diagnostics.suggest import did_you_mean
from engine.parse import tree
from engine.record import Record

if TYPE_CHECKING:
    from engine.check.infer import Infer


class Place(Record):
    """Where the value stands: as the property `name`, as an `item`, or alone; `owner` is where a missing property is reported."""

    owner: tree.Node | None = None
    what: str = "object"
    name: str | None = None
    item: bool = False
    lenient: bool = False


ALONE = Place()


def expect(infer: Infer, node: tree.Node, target: Type, place: Place = ALONE) -> None:
    """Reports where the expression does not fit the type."""
    value = infer.type(node)
    target = infer.open(target)
    if isinstance(target, AnyType | UnknownType) or isinstance(value, UnknownType):
        return
    bare = node
    while isinstance(bare, tree.Parenthesized):
        bare = bare.inner
    match bare:
        case tree.Ternary(then=then, otherwise=otherwise):
            condition = infer.type(bare.condition)
            if condition != FALSE:
                expect(infer, then, target, place)
            if condition != TRUE:
                expect(infer, otherwise, target, place)
            return
        case tree.If(body=body):
            expect(infer, body, target, place)
            return
        case tree.Object():
            if _object(infer, bare, target, place):
                return
        case tree.Array(items=items):
            if _array(infer, bare, items, target, place):
                return
        case tree.For(body=body):
            arrays = [m for m in map(infer.open, members_of(target)) if isinstance(m, ArrayType)]
            if len(arrays) == 1:
                expect(infer, body, arrays[0].item, Place(body, item=True, lenient=place.lenient))
                return
        case _:
            pass
    _value(infer, node, value, target, place)


def _value(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place) -> None:
    """The whole value against the whole type."""
    if assignable(value, target, infer.resolve):
        return
    if is_nullable(value) and assignable(without_null(value), target, infer.resolve):
        message = f"The value may be null, and a {show(target)} is wanted"
        infer.report.warning("BCP321", node, message, "Give a default with '??', or say that it is not null with '!'.")
        return
    objects = [m for m in map(infer.open, members_of(target)) if isinstance(m, ObjectType)]
    opened = infer.open(value)
    if isinstance(opened, ObjectType) and len(objects) == 1:
        _object_value(infer, node, opened, objects[0], place.lenient)
        return
    mismatch(infer, node, value, target, place)


def mismatch(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place) -> None:
    """Reports that a value is of the wrong type."""
    severity = Severity.WARNING if place.lenient else Severity.ERROR
    wanted = f"{'one of ' if len(members_of(target)) > 1 else ''}{show(target)}"
    if place.name is not None:
        near = _near(value, target)
        help = f"Did you mean {near}?" if near else ""
        message = f"Property '{place.name}' takes {wanted}, and this is {show(value)}"
        infer.report.add("BCP088" if near else "BCP036", severity, node, message, help)
    elif place.item:
        infer.report.add("BCP034", severity, node, f"The items here are {wanted}, and this is {show(value)}")
    else:
        infer.report.add(
            "BCP033", severity, node, f"{wanted[0].upper() + wanted[1:]} is wanted here, and this is {show(value)}"
        )


def _near(value: Type, target: Type) -> str | None:
    if not isinstance(value, StringLiteral):
        return None
    return suggestion(show(value), [show(m) for m in members_of(target) if isinstance(m, StringLiteral)])


# ---------------------------------------------------------------- arrays


def _array(infer: Infer, node: tree.Array, items: tuple[tree.Node, ...], target: Type, place: Place) -> bool:
    """Item by item, where the target is one array type; whether it was."""
    arrays = [m for m in map(infer.open, members_of(target)) if isinstance(m, ArrayType | TupleType)]
    if len(arrays) != 1:
        return False
    array = arrays[0]
    spread = any(isinstance(i, tree.Spread) for i in items)
    if isinstance(array, TupleType) and (spread or len(items) != len(array.items)):
        return False
    for position, item in enumerate(items):
        if isinstance(item, tree.Spread):
            continue
        wanted = array.items[position] if isinstance(array, TupleType) else array.item
        expect(infer, item, wanted, Place(item, item=True, lenient=place.lenient))
    return True


# ---------------------------------------------------------------- objects


def _object(infer: Infer, node: tree.Object, target: Type, place: Place) -> bool:
    """Property by property, where the target is one object type; whether it was."""
    objects = [m for m in map(infer.open, members_of(target)) if isinstance(m, ObjectType | DiscriminatedType)]
    if len(objects) != 1:
        return False
    wanted = objects[0]
    if isinstance(wanted, DiscriminatedType):
        chosen = _chosen(infer, node, wanted, place)
        if chosen is None:
            return True
        wanted = chosen
    check_object(infer, node, wanted, place)
    return True


def _chosen(infer: Infer, node: tree.Object, target: DiscriminatedType, place: Place) -> ObjectType | None:
    """The member that the value of the discriminator picks; None, where it picks none or is not known."""
    lenient = place.lenient or target.lenient
    for member in node.members:
        if isinstance(member, tree.Property) and _key(member.key) == target.key:
            value = infer.type(member.value)
            if isinstance(value, StringLiteral):
                if value.value in target.members:
                    return target.members[value.value]
                severity = Severity.WARNING if lenient else Severity.ERROR
                known = list(target.members)
                near = suggestion(value.value, known)
                message = f"Property '{target.key}' takes one of {', '.join(map(repr, known[:12]))}, and this is {show(value)}"
                help = f"Did you mean '{near}'?" if near else ""
                infer.report.add("BCP088" if near else "BCP036", severity, member.value, message, help)
            return None
    if all(isinstance(m, tree.Property) and _key(m.key) is not None for m in node.members):
        severity = Severity.WARNING if lenient else Severity.ERROR
        message = (
            f"Property '{target.key}' is needed to tell what this is: {', '.join(map(repr, list(target.members)[:12]))}"
        )
        infer.report.add("BCP078", severity, node, message)
    return None


def check_object(
    infer: Infer, node: tree.Object, target: ObjectType, place: Place, skip: frozenset[str] = frozenset()
) -> None:
    """An object literal against an object type; `skip` names properties that are looked at elsewhere."""
    lenient = place.lenient or target.lenient
    given = infer.type(node)
    known = given.properties if isinstance(given, ObjectType) else {}
    for member in node.members:
        if not isinstance(member, tree.Property) or (name := _key(member.key)) is None or name in skip:
            continue
        wanted = target.properties.get(name)
        if wanted is not None:
            if wanted.readonly:
                severity = Severity.WARNING if lenient else Severity.ERROR
                infer.report.add(
                    "BCP073", severity, member.key, f"Property '{name}' is set by the platform, not by you"
                )
            elif not (isinstance(infer.type(member.value), NullType) and not wanted.required):
                # What may be left out may also be null.
                expect(infer, member.value, wanted.type, Place(member.key, name=name, lenient=lenient))
        elif target.additional is not None:
            expect(infer, member.value, target.additional, Place(member.key, name=name, lenient=lenient))
        else:
            _excess(infer, member.key, name, target, known, lenient or target.soft)
    if isinstance(given, ObjectType) and given.additional is None:
        missing = [
            n
            for n, p in target.properties.items()
            if p.required and not p.readonly and n not in known and n not in skip
        ]
        if missing:
            severity = Severity.WARNING if lenient else Severity.ERROR
            names = ", ".join(f"'{n}'" for n in sorted(missing))
            noun = "properties" if len(missing) > 1 else "property"
            message = f"The {place.what} lacks the required {noun} {names}"
            infer.report.add("BCP035", severity, place.owner or node, message)


def _excess(infer: Infer, key: tree.Node, name: str, target: ObjectType, known: object, lenient: bool) -> None:
    """A property that the type does not have."""
    free = [
        n
        for n, p in target.properties.items()
        if not p.readonly and n not in (known if isinstance(known, dict) else {})
    ]
    near = suggestion(name, free)
    severity = Severity.WARNING if lenient else Severity.ERROR
    if near:
        message = f"There is no property '{name}' in {show(target)}"
        infer.report.add("BCP089", severity, key, message, f"Did you mean '{near}'?", fix=write(key, near))
    else:
        listed = ", ".join(f"'{n}'" for n in sorted(free)[:12])
        known_names = f"It can have {listed}{', …' if len(free) > 12 else ''}." if free else ""
        help = did_you_mean(name, free) or known_names
        infer.report.add("BCP037", severity, key, f"There is no property '{name}' in {show(target)}", help)


def _object_value(infer: Infer, node: tree.Node, value: ObjectType, target: ObjectType, lenient: bool) -> None:
    """A value that is no literal, against an object type: everything is reported on the whole of it."""
    severity = Severity.WARNING if lenient or target.lenient else Severity.ERROR
    for name, given in value.properties.items():
        wanted: PropertyType | None = target.properties.get(name)
        if wanted is not None and not assignable(given.type, wanted.type, infer.resolve):
            message = f"Property '{name}' takes {show(wanted.type)}, and in this value it is {show(given.type)}"
            infer.report.add("BCP036", severity, node, message)
    missing = [n for n, p in target.properties.items() if p.required and n not in value.properties]
    if missing and value.additional is None:
        names = ", ".join(f"'{n}'" for n in sorted(missing))
        infer.report.add("BCP035", severity, node, f"The value lacks the required properties {names}")


def _key(key: tree.Node) -> str | None:
    return key.text if isinstance(key, tree.Identifier) else key.literal if isinstance(key, tree.Text) else None
