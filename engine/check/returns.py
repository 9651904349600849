"""What built-in functions give, where that depends on their arguments."""

from __future__ import annotations

from engine.check.platform_types import SURROUNDINGS
from engine.check.types import (
    ANY,
    STRING,
    ArrayType,
    LambdaType,
    ObjectType,
    PropertyType,
    TupleType,
    Type,
    union,
    widen,
)

_ITEM = ObjectType({"key": PropertyType(STRING, True), "value": PropertyType(ANY, True)})


def returned(name: str, given: list[Type], declared: Type) -> Type:
    """The type that a call of a built-in function gives; `declared` is what its table says."""
    match name, given:
        case "map", [_, LambdaType(returns=body)]:
            return ArrayType(widen(body))
        case (("filter" | "sort" | "distinct" | "skip" | "take"), [ArrayType() | TupleType() as array, *_]):
            return ArrayType(_item(array))
        case "first", [TupleType(items=[first, *_])]:
            return first
        case "last", [TupleType(items=[*_, last])]:
            return last
        case (("first" | "last"), [ArrayType() | TupleType() as array]):
            return _item(array)
        case "items", _:
            return ArrayType(_ITEM)
        case (("concat" | "union"), [ArrayType() | TupleType(), *_]):
            return ArrayType(union(*(_item(g) for g in given)))
        case "flatten", [ArrayType() | TupleType() as array]:
            return ArrayType(_item(_item(array)))
        case _ if name in SURROUNDINGS:
            return SURROUNDINGS[name]
        case (("any" | "json" | "reduce"), _):
            return ANY
        case _:
            return declared


def _item(array: Type) -> Type:
    match array:
        case ArrayType(item=item):
            return item
        case TupleType(items=items) if items:
            return union(*map(widen, items))
        case _:
            return ANY
