"""Whether a value of one type may stand where another type is wanted: no only where it is certain."""

from __future__ import annotations

from collections.abc import Callable

from engine.check.types import (
    AnyType,
    ArrayType,
    BoolLiteral,
    BoolType,
    DiscriminatedType,
    IntLiteral,
    IntType,
    LambdaType,
    NamespaceType,
    NeverType,
    NullType,
    ObjectType,
    RecursiveType,
    ResourceType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    UnionType,
    UnknownType,
)

DEPTH = 30
"""Types nested deeper are taken to fit; recursive ones would never end."""


LENIENT = 5
"""Types that data give are looked into no deeper: they may hold themselves in several ways, and that would take for ever."""


def assignable(value: Type, target: Type, resolve: Callable[[RecursiveType], Type], depth: int = 0) -> bool:
    """Whether `value` may stand where `target` is wanted; `resolve` opens types that contain themselves."""
    if value == target or depth > DEPTH:
        return True
    if isinstance(value, RecursiveType):
        value = resolve(value)
    if isinstance(target, RecursiveType):
        target = resolve(target)
    deeper = depth + 1
    match value, target:
        case (AnyType() | UnknownType() | NeverType(), _) | (_, AnyType() | UnknownType()):
            return True
        case UnionType(members=members), _:
            return all(assignable(m, target, resolve, deeper) for m in members)
        case _, UnionType(members=members):
            return any(assignable(value, m, resolve, deeper) for m in members)
        case StringLiteral() | StringType(), StringType():
            return True
        case StringLiteral(value=one), StringLiteral(value=other):
            return one == other
        case (StringType(loose=loose), StringLiteral()) | (IntType(loose=loose), IntLiteral()):
            return loose
        case IntLiteral() | IntType(), IntType():
            return True
        case BoolLiteral() | BoolType(), BoolType():
            return True
        case ArrayType(item=item), ArrayType(item=wanted):
            return assignable(item, wanted, resolve, deeper)
        case ArrayType(item=item), TupleType(items=items):
            return all(assignable(item, wanted, resolve, deeper) for wanted in items)
        case TupleType(items=items), ArrayType(item=wanted):
            return all(assignable(item, wanted, resolve, deeper) for item in items)
        case TupleType(items=items), TupleType(items=wanted_items):
            return len(items) == len(wanted_items) and all(
                assignable(item, wanted, resolve, deeper) for item, wanted in zip(items, wanted_items, strict=True)
            )
        case ObjectType(), ObjectType(lenient=True) if depth > LENIENT:
            return True
        case ObjectType(), ObjectType():
            return _object(value, target, resolve, deeper)
        case (ObjectType() | DiscriminatedType(), DiscriminatedType()) | (DiscriminatedType(), ObjectType()):
            return True
        case LambdaType(), LambdaType():
            fits = value.minimum <= len(target.parameters) and len(value.parameters) >= target.minimum
            return fits and assignable(value.returns, target.returns, resolve, deeper)
        case ResourceType() | NamespaceType(), ObjectType():
            return not isinstance(value, NamespaceType)
        case ResourceType(module=one), ResourceType(module=other):
            return one == other
        case _:
            return False


def _object(value: ObjectType, target: ObjectType, resolve: Callable[[RecursiveType], Type], depth: int) -> bool:
    for name, wanted in target.properties.items():
        given = value.properties.get(name)
        if given is None:
            if wanted.required and value.additional is None:
                return False
        elif not assignable(given.type, wanted.type, resolve, depth) and not (
            isinstance(given.type, NullType) and not wanted.required
        ):
            return False
    for name, given in value.properties.items():
        if (
            name not in target.properties
            and target.additional is not None
            and not assignable(given.type, target.additional, resolve, depth)
        ):
            return False
    return True
