"""Integer arithmetic, in 64 bits."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.signature import ARRAY, INT, EvaluationError, Library, describe, kind_of

LIBRARY = Library()
_LEAST, _MOST = -(2**63), 2**63 - 1


def _fit(function: str, value: int) -> int:
    if not _LEAST <= value <= _MOST:
        raise EvaluationError(f"{function}() overflows: {value} does not fit in 64 bits")
    return value


@LIBRARY.declare("add", INT, INT)
def add(a: int, b: int) -> int:
    """The sum."""
    return _fit("add", a + b)


@LIBRARY.declare("sub", INT, INT)
def sub(a: int, b: int) -> int:
    """The difference."""
    return _fit("sub", a - b)


@LIBRARY.declare("mul", INT, INT)
def mul(a: int, b: int) -> int:
    """The product."""
    return _fit("mul", a * b)


@LIBRARY.declare("div", INT, INT)
def div(a: int, b: int) -> int:
    """The quotient, cut towards zero."""
    if b == 0:
        raise EvaluationError("div() cannot divide by 0")
    quotient = abs(a) // abs(b)
    return _fit("div", quotient if (a < 0) == (b < 0) else -quotient)


@LIBRARY.declare("mod", INT, INT)
def mod(a: int, b: int) -> int:
    """The remainder, with the sign of the dividend."""
    if b == 0:
        raise EvaluationError("mod() cannot divide by 0")
    return -(-a % abs(b)) if a < 0 else a % abs(b)


@LIBRARY.declare("min", INT | ARRAY, rest=INT, least=1)
def min_(*values: Value) -> int:
    """The least of some integers."""
    return min(_integers("min", values))


@LIBRARY.declare("max", INT | ARRAY, rest=INT, least=1)
def max_(*values: Value) -> int:
    """The greatest of some integers."""
    return max(_integers("max", values))


def _integers(function: str, values: tuple[Value, ...]) -> list[int]:
    numbers: list[int] = []
    for value in values:
        numbers.extend(value if type(value) is list else [value])
    if not numbers:
        raise EvaluationError(f"{function}() of nothing has no value")
    for number in numbers:
        if type(number) is not int:
            raise EvaluationError(f"{function}() takes integers, not {describe(kind_of(number))}")
    return numbers
