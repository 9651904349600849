"""Whether an expression fits where a type is wanted, told part by part: an object by its properties, an array by its items."""

from __future__ import annotations

from engine.check.assign import assignable
from engine.check.declare import key_text
from engine.check.mends import certain
from engine.check.misfits import ALONE, Place, excess, incomplete, interpolated, mismatch
from engine.check.types import (
    FALSE,
    NULL,
    TRUE,
    AnyType,
    ArrayType,
    DiscriminatedType,
    IntType,
    NullType,
    ObjectType,
    PropertyType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    UnionType,
    UnknownType,
    is_nullable,
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
            if isinstance(value, UnionType) or isinstance(then, tree.Object | tree.Array):
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
                lenient = arrays[0].lenient if place.resource else place.lenient
                expect(infer, body, arrays[0].item, Place(body, item=True, lenient=lenient, resource=place.resource))
                return
        case _:
            pass
    _value(infer, node, value, target, place)


def _value(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place) -> None:
    """The whole value against the whole type."""
    if place.resource and _inside(infer, node, value, target, place):
        return
    if assignable(value, target, infer.resolve):
        if place.resource or isinstance(target, StringType | IntType | ArrayType | UnionType):
            _bounded(infer, node, value, target, place)
        return
    if is_nullable(value) and assignable(without_null(value), target, infer.resolve):
        message = f"The value may be null, and a {show(target)} is wanted"
        help = "Give a default with '??', or say that it is not null with '!'."
        infer.report.warning("BCP321", node, message, help, fix=certain(node))
        return
    objects = [m for m in map(infer.open, members_of(target)) if isinstance(m, ObjectType)]
    opened = infer.open(value)
    if isinstance(opened, ObjectType) and len(objects) == 1:
        from engine.check.indirect import value_object

        value_object(infer, node, opened, objects[0], place)
        return
    mismatch(infer, node, value, target, place)


# What only type data need is loaded with them.


def _inside(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place) -> bool:
    from engine.check.indirect import inside

    return inside(infer, node, value, target, place)


def _bounded(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place) -> None:
    bounded = (m for m in members_of(target) if isinstance(m, StringType | IntType | ArrayType))
    if any(m.minimum is not None or m.maximum is not None or getattr(m, "pattern", None) for m in bounded):
        from engine.check.lengths import check_bounds_of

        severity = Severity.WARNING if place.lenient or place.resource else Severity.ERROR
        check_bounds_of(infer, node, value, target, severity)


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
    if isinstance(array, ArrayType) and not spread:
        _bounded(infer, node, infer.type(node), array, place)
    for position, item in enumerate(items):
        if isinstance(item, tree.Spread):
            if isinstance(array, ArrayType):
                _spread(infer, item.value, array, array.lenient if place.resource else place.lenient, place)
            continue
        wanted = array.items[position] if isinstance(array, TupleType) else array.item
        lenient = isinstance(array, ArrayType) and array.lenient if place.resource else place.lenient
        expect(infer, item, wanted, Place(item, item=True, lenient=lenient, resource=place.resource))
    return True


def _spread(infer: Infer, node: tree.Node, array: ArrayType, lenient: bool, place: Place) -> None:
    """What is spread in an array gives its items to it: those of a literal are looked at one by one."""
    if isinstance(node, tree.Array):
        _array(infer, node, node.items, array, place)
        return
    value = infer.open(infer.type(node))
    if isinstance(value, ArrayType | TupleType) and not assignable(value, ArrayType(array.item), infer.resolve):
        severity = Severity.WARNING if lenient else Severity.ERROR
        message = f"The items here are {show(array.item)}, and what is spread is {show(value)}"
        infer.report.add("BCP403", severity, node, message)


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


def check_body(infer: Infer, node: tree.Object, target: Type, place: Place, skip: frozenset[str] = frozenset()) -> None:
    """The body of a resource against the type that data give."""
    wanted = _chosen(infer, node, target, place) if isinstance(target, DiscriminatedType) else target
    if isinstance(wanted, ObjectType):
        check_object(infer, node, wanted, place, skip)


def _chosen(infer: Infer, node: tree.Object, target: DiscriminatedType, place: Place) -> ObjectType | None:
    """The member that the value of the discriminator picks; None, where it picks none or is not known."""
    lenient = target.lenient or (place.lenient and not place.resource)
    texts = union(*map(StringLiteral, target.members))
    for member in node.members:
        if isinstance(member, tree.Property) and key_text(member.key) == target.key:
            value = infer.type(member.value)
            if isinstance(value, StringLiteral) and value.value in target.members:
                return target.members[value.value]
            if isinstance(value, AnyType | UnknownType):
                return None
            if not isinstance(value, StringLiteral) and assignable(value, texts, infer.resolve):
                message = f"What '{target.key}' is cannot be told yet, so the rest of the object is not checked"
                infer.report.warning("BCP225", member.value, message)
                return None
            mismatch(infer, member.value, value, texts, Place(name=target.key, lenient=lenient or place.resource))
            return None
    if all(isinstance(m, tree.Property | tree.Resource) and _plain(m) for m in node.members):
        known = ", ".join(map(repr, list(target.members)[:12]))
        message = f"Property '{target.key}' is needed to tell what this is: {known}"
        infer.report.add("BCP078", Severity.WARNING if lenient else Severity.ERROR, node, message)
    return None


def _plain(member: tree.Property | tree.Resource) -> bool:
    return isinstance(member, tree.Resource) or key_text(member.key) is not None


def check_object(
    infer: Infer, node: tree.Object, target: ObjectType, place: Place, skip: frozenset[str] = frozenset()
) -> None:
    """An object literal against an object type; `skip` names properties that are looked at elsewhere."""
    lenient = target.lenient or (place.lenient and not place.resource)
    given = infer.type(node)
    known = given.properties if isinstance(given, ObjectType) else {}
    for member in node.members:
        if not isinstance(member, tree.Property):
            continue
        name = key_text(member.key)
        if name is None:
            if target.additional is None and place.resource:
                interpolated(infer, member.key, target, lenient)
            continue
        wanted = target.properties.get(name) if name not in skip else None
        if wanted is not None:
            _property(infer, member, name, wanted, lenient, place)
        elif name in skip:
            pass
        elif target.additional is not None:
            rest = Place(member.key, name=name, lenient=lenient, resource=place.resource)
            expect(infer, member.value, target.additional, rest)
        else:
            excess(infer, member.key, name, target, known, lenient or target.soft)
    if isinstance(given, ObjectType) and given.additional is None:
        incomplete(infer, target, place, known, place.owner or node, lenient, skip, node)


def _property(
    infer: Infer, member: tree.Property, name: str, wanted: PropertyType, lenient: bool, place: Place
) -> None:
    """One property that the type has."""
    doubtful = lenient or (place.resource and not wanted.system)
    if wanted.readonly:
        severity = Severity.WARNING if doubtful else Severity.ERROR
        infer.report.add("BCP073", severity, member.key, f"Property '{name}' is set by the platform, not by you")
        return
    if wanted.fallback:
        message = f"The type is not known to have a property '{name}', though it may all the same"
        infer.report.warning("BCP187", member.key, message)
    if isinstance(infer.type(member.value), NullType) and not wanted.required:
        return  # what may be left out may also be null
    type = wanted.type if wanted.required or not place.resource else union(wanted.type, NULL)
    expect(infer, member.value, type, Place(member.key, name=name, lenient=doubtful, resource=place.resource))
