"""Reading into values: members, indexes, and the functions that do it safely."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import (
    ANY,
    ARRAY,
    INT,
    LEAVES,
    NULL,
    OBJECT,
    STRING,
    EvaluationError,
    Knowing,
    Library,
    NotYet,
    describe,
    kind_of,
)

LIBRARY = Library()
INDEX = "[]"
"""The name under which `base[key]` and `base.key` are deferred; no template can call it."""

_ABSENT = object()


def member(base: Value, key: Value) -> Value:
    """`base[key]`: an object's property, whose case does not count, or an array's item."""
    if type(base) is dict:
        if type(key) is not str:
            raise EvaluationError(f"An object is indexed by a property's name, not by {describe(kind_of(key))}")
        value = find_key(base, key)
        if value is _ABSENT:
            raise EvaluationError(_no_property(base, key))
        return value
    if type(base) is list:
        if type(key) is not int:
            what = f"'{key}'" if type(key) is str else describe(kind_of(key))
            raise EvaluationError(f"An array is indexed by an integer, not by {what}")
        if not 0 <= key < len(base):
            raise EvaluationError(f"The index {key} is outside of the array, which has {_items(len(base))}")
        return base[key]
    what = "null" if base is None else describe(kind_of(base))
    raise EvaluationError(f"'{key}' cannot be read: its base is {what}")


def find_key(base: dict[str, Value], key: str) -> Value:
    """The property in whatever case, or a mark that equals nothing."""
    if key in base:
        return base[key]
    folded = key.lower()
    for name, value in base.items():
        if name.lower() == folded:
            return value
    return _ABSENT


def has_key(base: dict[str, Value], key: str) -> bool:
    """Whether there is such a property, in whatever case."""
    return find_key(base, key) is not _ABSENT


def _no_property(base: dict[str, Value], key: str) -> str:
    if not base:
        return f"The property '{key}' does not exist: the object is empty"
    names = ", ".join(f"'{name}'" for name in [*base][:12])
    more = ", …" if len(base) > 12 else ""
    return f"The property '{key}' does not exist; there is {names}{more}"


def _items(count: int) -> str:
    return "no items" if count == 0 else "1 item" if count == 1 else f"{count} items"


@LIBRARY.declare(INDEX, ANY, ANY, knowing=Knowing.SHAPE)
def index(base: Value, key: Value) -> Value:
    """Member access that had to wait."""
    return member(base, key)


@LIBRARY.declare("tryGet", ARRAY | OBJECT | NULL, ANY, rest=ANY, least=2, knowing=Knowing.SHAPE)
def try_get(base: Value, *keys: Value) -> Value:
    """The value at a path, or null as soon as a step is missing."""
    for position, key in enumerate(keys):
        if type(key) is dict:
            count, from_end = key.get("value"), key.get("fromEnd")
            base = _from_end(base, count) if from_end is True else _maybe(base, count)
        else:
            base = _maybe(base, key)
        if base is None:
            return None
        if type(base) in LEAVES and position + 1 < len(keys):
            raise NotYet
    return base


def _maybe(base: Value, key: Value) -> Value:
    if type(base) is dict and type(key) is str:
        value = find_key(base, key)
        return None if value is _ABSENT else value
    if type(base) is list and type(key) is int:
        return base[key] if 0 <= key < len(base) else None
    if base is None:
        return None
    raise EvaluationError(f"tryGet() cannot read {describe(kind_of(key))} key from {describe(kind_of(base))}")


def _from_end(base: Value, count: Value) -> Value:
    if type(base) is not list or type(count) is not int:
        raise EvaluationError("Counting from the end needs an array and an integer")
    return base[-count] if 1 <= count <= len(base) else None


@LIBRARY.declare("indexFromEnd", ARRAY, INT, knowing=Knowing.SHAPE)
def index_from_end(base: list[Value], count: int) -> Value:
    """The item so many from the end; 1 is the last."""
    if not 1 <= count <= len(base):
        raise EvaluationError(f"indexFromEnd(): there is no item {count} from the end of {_items(len(base))}")
    return base[-count]


@LIBRARY.declare("tryIndexFromEnd", ARRAY | NULL, INT, knowing=Knowing.SHAPE)
def try_index_from_end(base: list[Value] | None, count: int) -> Value:
    """The item so many from the end, or null."""
    return None if base is None else _from_end(base, count)


@LIBRARY.declare("first", ARRAY | STRING, knowing=Knowing.SHAPE)
def first(of: list[Value] | str) -> Value:
    """The first item (null if there is none) or character ('' if there is none)."""
    return of[0] if of else "" if type(of) is str else None


@LIBRARY.declare("last", ARRAY | STRING, knowing=Knowing.SHAPE)
def last(of: list[Value] | str) -> Value:
    """The last item (null if there is none) or character ('' if there is none)."""
    return of[-1] if of else "" if type(of) is str else None
