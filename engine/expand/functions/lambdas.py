"""Functions that take a lambda."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key

from engine.contract.value import Value
from engine.expand.functions.objects import items
from engine.expand.functions.signature import (
    ANY,
    ARRAY,
    LAMBDA,
    LEAVES,
    OBJECT,
    EvaluationError,
    Knowing,
    Library,
    NotYet,
    describe,
    kind_of,
)

LIBRARY = Library()
Apply = Callable[..., Value]
"""A lambda: called with as many arguments as it names, or more; `decide` below wants a boolean of it."""


def decide(function: str, test: Apply, *arguments: Value) -> bool:
    """What a lambda answers, which must be a boolean known now."""
    answer = test(*arguments)
    if type(answer) in LEAVES:
        raise NotYet
    if type(answer) is not bool:
        raise EvaluationError(f"The lambda of {function}() must give a boolean, not {describe(kind_of(answer))}")
    return answer


def _key(function: str, of: Apply, item: Value) -> str:
    key = of(item)
    if type(key) in LEAVES:
        raise NotYet
    if type(key) is not str:
        raise EvaluationError(f"The lambda of {function}() must give a string as the key, not {describe(kind_of(key))}")
    return key


@LIBRARY.declare("map", ARRAY, LAMBDA, knowing=Knowing.SHAPE)
def map_(of: list[Value], change: Apply) -> list[Value]:
    """Every item changed."""
    return [change(item, i) for i, item in enumerate(of)]


@LIBRARY.declare("filter", ARRAY, LAMBDA, knowing=Knowing.SHAPE)
def filter_(of: list[Value], test: Apply) -> list[Value]:
    """The items that pass."""
    return [item for i, item in enumerate(of) if decide("filter", test, item, i)]


@LIBRARY.declare("sort", ARRAY, LAMBDA, knowing=Knowing.SHAPE)
def sort(of: list[Value], before: Apply) -> list[Value]:
    """The items in order; the lambda says whether its first comes before its second."""

    def compare(a: Value, b: Value) -> int:
        if decide("sort", before, a, b):
            return -1
        return 1 if decide("sort", before, b, a) else 0

    return sorted(of, key=cmp_to_key(compare))


@LIBRARY.declare("reduce", ARRAY, ANY, LAMBDA, knowing=Knowing.SHAPE)
def reduce(of: list[Value], start: Value, step: Apply) -> Value:
    """One value made of all items, from left to right."""
    for i, item in enumerate(of):
        start = step(start, item, i)
    return start


@LIBRARY.declare("toObject", ARRAY, LAMBDA, LAMBDA, least=2, knowing=Knowing.SHAPE)
def to_object(of: list[Value], key: Apply, value: Apply | None = None) -> dict[str, Value]:
    """An object with a property an item; the last one wins a key."""
    return {_key("toObject", key, item): value(item) if value else item for item in of}


@LIBRARY.declare("groupBy", ARRAY, LAMBDA, LAMBDA, least=2, knowing=Knowing.SHAPE)
def group_by(of: list[Value], key: Apply, value: Apply | None = None) -> dict[str, Value]:
    """An object of arrays: the items with the same key together."""
    groups: dict[str, Value] = {}
    for item in of:
        groups.setdefault(_key("groupBy", key, item), []).append(value(item) if value else item)
    return groups


@LIBRARY.declare("mapValues", OBJECT, LAMBDA, knowing=Knowing.SHAPE)
def map_values(of: dict[str, Value], change: Apply) -> dict[str, Value]:
    """The object with every value changed."""
    return {pair["key"]: change(pair["value"]) for pair in items(of)}
