"""Equal, less, greater."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.equality import same
from engine.expand.functions.signature import ANY, NUMBER, STRING, EvaluationError, Library, describe, kind_of

LIBRARY = Library()


@LIBRARY.declare("equals", ANY, ANY)
def equals(a: Value, b: Value) -> bool:
    """Whether two values are the same; case counts."""
    return same(a, b)


@LIBRARY.declare("less", NUMBER | STRING, NUMBER | STRING)
def less(a: Value, b: Value) -> bool:
    """Whether a number or text comes before another."""
    return bool(_alike("less", a, b) and a < b)


@LIBRARY.declare("lessOrEquals", NUMBER | STRING, NUMBER | STRING)
def less_or_equals(a: Value, b: Value) -> bool:
    """Whether a number or text does not come after another."""
    return bool(_alike("lessOrEquals", a, b) and a <= b)


@LIBRARY.declare("greater", NUMBER | STRING, NUMBER | STRING)
def greater(a: Value, b: Value) -> bool:
    """Whether a number or text comes after another."""
    return bool(_alike("greater", a, b) and a > b)


@LIBRARY.declare("greaterOrEquals", NUMBER | STRING, NUMBER | STRING)
def greater_or_equals(a: Value, b: Value) -> bool:
    """Whether a number or text does not come before another."""
    return bool(_alike("greaterOrEquals", a, b) and a >= b)


def _alike(function: str, a: Value, b: Value) -> bool:
    if (type(a) is str) != (type(b) is str):
        raise EvaluationError(f"{function}() cannot compare {describe(kind_of(a))} with {describe(kind_of(b))}")
    return True
