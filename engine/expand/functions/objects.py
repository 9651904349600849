"""Functions over objects."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import (
    ANY,
    ARRAY,
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


@LIBRARY.declare("createObject", rest=ANY, knowing=Knowing.NOTHING)
def create_object(*pairs: Value) -> dict[str, Value]:
    """An object from keys and values in turn."""
    if len(pairs) % 2:
        raise EvaluationError(f"createObject() takes keys and values in pairs, and {len(pairs)} arguments are given")
    made: dict[str, Value] = {}
    for position in range(0, len(pairs), 2):
        key = pairs[position]
        if type(key) in LEAVES:
            raise NotYet
        if type(key) is not str:
            raise EvaluationError(
                f"Argument {position + 1} of createObject() must be a string, not {describe(kind_of(key))}"
            )
        made[key] = pairs[position + 1]
    return made


@LIBRARY.declare("items", OBJECT, knowing=Knowing.SHAPE)
def items(of: dict[str, Value]) -> list[Value]:
    """Every property as `{key, value}`, sorted by key."""
    return [{"key": k, "value": of[k]} for k in _sorted(of)]


@LIBRARY.declare("objectKeys", OBJECT, knowing=Knowing.SHAPE)
def object_keys(of: dict[str, Value]) -> list[Value]:
    """The names of the properties, sorted."""
    return list(_sorted(of))


def _sorted(of: dict[str, Value]) -> list[str]:
    return sorted(of, key=lambda k: (k.lower(), k.swapcase()))


@LIBRARY.declare("shallowMerge", ARRAY, knowing=Knowing.SHAPE)
def shallow_merge(parts: list[Value]) -> dict[str, Value]:
    """Objects laid over each other; the last one to have a key wins, case not counting."""
    merged: dict[str, Value] = {}
    for position, part in enumerate(parts):
        if type(part) in LEAVES:
            raise NotYet
        if type(part) is not dict:
            raise EvaluationError(f"shallowMerge(): item {position} is {describe(kind_of(part))}, not an object")
        for key, value in part.items():
            merged[_spelling(merged, key)] = value
    return merged


def merge(base: dict[str, Value], over: dict[str, Value]) -> dict[str, Value]:
    """One object laid over another, nested objects merged too."""
    merged = dict(base)
    for key, value in over.items():
        spelling = _spelling(merged, key)
        old = merged.get(spelling)
        if (type(old) in LEAVES and type(value) is dict) or (type(old) is dict and type(value) in LEAVES):
            raise NotYet  # only run time knows whether both are objects
        merged[spelling] = merge(old, value) if type(old) is dict and type(value) is dict else value
    return merged


def _spelling(of: dict[str, Value], key: str) -> str:
    """The key as the object already spells it."""
    if key in of:
        return key
    folded = key.lower()
    return next((k for k in of if k.lower() == folded), key)
