"""Functions over arrays, and those that take a string or an object as well."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.equality import identity, same
from engine.expand.functions.objects import merge
from engine.expand.functions.reading import has_key
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
MAX_RANGE = 10000


@LIBRARY.declare("length", ARRAY | STRING | OBJECT, knowing=Knowing.SHAPE)
def length(of: list[Value] | str | dict[str, Value]) -> int:
    """How many items, characters or properties."""
    return len(of)


@LIBRARY.declare("empty", ARRAY | STRING | OBJECT | NULL, knowing=Knowing.SHAPE)
def empty(of: list[Value] | str | dict[str, Value] | None) -> bool:
    """Whether there is nothing in it."""
    return not of


@LIBRARY.declare("createArray", rest=ANY, knowing=Knowing.NOTHING)
def create_array(*items: Value) -> list[Value]:
    """The arguments as an array."""
    return list(items)


@LIBRARY.declare("array", ANY, knowing=Knowing.SHAPE)
def array(value: Value) -> list[Value]:
    """An array as it is, anything else as the only item of one."""
    return value if type(value) is list else [value]


@LIBRARY.declare("range", INT, INT)
def range_(start: int, count: int) -> list[Value]:
    """So many integers, counting up from a start."""
    if not 0 <= count <= MAX_RANGE:
        raise EvaluationError(f"Argument 2 of range() must lie between 0 and {MAX_RANGE}, and is {count}")
    return list(range(start, start + count))


@LIBRARY.declare("take", ARRAY | STRING, INT, knowing=Knowing.SHAPE)
def take(of: list[Value] | str, count: int) -> Value:
    """The first so many; nothing for a negative number."""
    return of[: max(count, 0)]


@LIBRARY.declare("skip", ARRAY | STRING, INT, knowing=Knowing.SHAPE)
def skip(of: list[Value] | str, count: int) -> Value:
    """All but the first so many; all of them for a negative number."""
    return of[max(count, 0) :]


@LIBRARY.declare("flatten", ARRAY, knowing=Knowing.SHAPE)
def flatten(of: list[Value]) -> list[Value]:
    """The items of the inner arrays, one level deep."""
    flat: list[Value] = []
    for position, inner in enumerate(of):
        if type(inner) in LEAVES:
            raise NotYet
        if type(inner) is not list:
            raise EvaluationError(f"flatten(): item {position} is {describe(kind_of(inner))}, not an array")
        flat.extend(inner)
    return flat


@LIBRARY.declare("contains", ARRAY | STRING | OBJECT, ANY, knowing=Knowing.SHAPE)
def contains(container: list[Value] | str | dict[str, Value], item: Value) -> bool:
    """Whether an array has an item (case counts), a text a part (case counts), an object a key (case does not)."""
    if isinstance(container, dict):
        if type(item) not in (str, int):
            raise EvaluationError("Argument 2 of contains() must be a property's name")
        return has_key(container, str(item))
    if isinstance(container, str):
        if type(item) not in (str, int):
            raise EvaluationError("Argument 2 of contains() must be a string")
        return str(item) in container
    return any(same(i, item) for i in container)


@LIBRARY.declare("indexOf", ARRAY | STRING, ANY)
def index_of(of: list[Value] | str, item: Value) -> int:
    """Where a text (case does not count) or item (case counts) first is, from 0; -1 if it is not there."""
    if isinstance(of, str):
        return of.lower().find(_part("indexOf", item))
    return next((i for i, v in enumerate(of) if same(v, item)), -1)


@LIBRARY.declare("lastIndexOf", ARRAY | STRING, ANY)
def last_index_of(of: list[Value] | str, item: Value) -> int:
    """Where a text (case does not count) or item (case counts) last is, from 0; -1 if it is not there."""
    if isinstance(of, str):
        return of.lower().rfind(_part("lastIndexOf", item))
    return next((i for i in range(len(of) - 1, -1, -1) if same(of[i], item)), -1)


def _part(function: str, item: Value) -> str:
    if type(item) is not str:
        raise EvaluationError(f"Argument 2 of {function}() must be a string, not {describe(kind_of(item))}")
    return item.lower()


@LIBRARY.declare("distinct", ARRAY)
def distinct(of: list[Value]) -> list[Value]:
    """Each different item once, where it first was."""
    seen: dict[object, Value] = {}
    for item in of:
        seen.setdefault(identity(item), item)
    return list(seen.values())


@LIBRARY.declare("union", ARRAY | OBJECT, rest=ARRAY | OBJECT, least=1, knowing=Knowing.SHAPE)
def union(*parts: Value) -> Value:
    """All different items of arrays, or objects merged, nested ones too, where the last one wins."""
    kind = _one_kind("union", parts)
    if kind == OBJECT:
        merged: Value = parts[0]
        for part in parts[1:]:
            merged = merge(merged, part)
        return merged
    return distinct([item for part in parts for item in part])


@LIBRARY.declare("intersection", ARRAY | OBJECT, rest=ARRAY | OBJECT, least=1)
def intersection(*parts: Value) -> Value:
    """The items, or the properties with the same value, that all have."""
    if _one_kind("intersection", parts) == OBJECT:
        return _common(parts)
    shared = {identity(i): i for i in parts[0]}
    for part in parts[1:]:
        there = {identity(i) for i in part}
        shared = {k: v for k, v in shared.items() if k in there}
    return list(shared.values())


def _common(parts: tuple[Value, ...]) -> dict[str, Value]:
    first, *others = parts
    found: dict[str, Value] = {}
    for key, value in first.items():
        if not all(key in other for other in others):
            continue
        if type(value) is dict and all(type(other[key]) is dict for other in others):
            inner = _common((value, *(other[key] for other in others)))
            if inner or not value:
                found[key] = inner
        elif all(same(value, other[key]) for other in others):
            found[key] = value
    return found


def _one_kind(function: str, parts: tuple[Value, ...]) -> int:
    kind = kind_of(parts[0])
    for position, part in enumerate(parts):
        if kind_of(part) != kind:
            raise EvaluationError(
                f"Argument {position + 1} of {function}() is {describe(kind_of(part))}, and the first is {describe(kind)}"
            )
    return kind
