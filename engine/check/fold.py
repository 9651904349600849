"""What is known of a result because everything it is made of is known: `1 + 2` is 3, `toLower('A')` is 'a'."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.check.types import (
    NULL,
    BoolLiteral,
    IntLiteral,
    NullType,
    StringLiteral,
    TupleType,
    Type,
)
from engine.contract.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    import re
    from typing import Any

Value = str | int | bool | None | list["Any"]


class Failure(Exception):
    """The result certainly cannot be had: why."""


class Unknown(Exception):
    """Not everything is known, or it is too much to say."""


_LEAST, _MOST = -(2**63), 2**63 - 1
LONGEST = 4096
"""Longer texts are not carried around as types."""


def folded(name: str, arguments: Sequence[Type]) -> Type | None:
    """The type of a call or operator whose operands are all known; None where they are not.

    Raises `Failure` where it cannot succeed.
    """
    if (function := _FUNCTIONS.get(name)) is None:
        return None
    try:
        return _type(function(*map(_value, arguments)))
    except (Unknown, TypeError, ValueError):
        return None


def _value(type: Type) -> Value:
    match type:
        case StringLiteral(value=value) | IntLiteral(value=value) | BoolLiteral(value=value):
            return value
        case NullType():
            return None
        case TupleType(items=items):
            return [_value(item) for item in items]
        case _:
            raise Unknown


def _type(value: Value) -> Type:
    match value:
        case bool():
            return BoolLiteral(value)
        case int():
            if not _LEAST <= value <= _MOST:
                raise Failure("the number does not fit into 64 bits")
            return IntLiteral(value)
        case str() if len(value) <= LONGEST:
            return StringLiteral(value)
        case None:
            return NULL
        case _:
            raise Unknown


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise Failure("a number is divided by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a - b * _divide(a, b)


def _texts(*parts: Value) -> str:
    if not all(isinstance(part, str) for part in parts):
        raise Unknown
    return "".join(parts)  # type: ignore[arg-type]  # just looked at


def _format(text: str, *values: Value) -> str:
    def place(match: re.Match[str]) -> str:
        number = match[1]
        if number is None or not all(isinstance(v, str | int) and not isinstance(v, bool) for v in values):
            raise Unknown
        if int(number) >= len(values):
            raise Failure(f"the format has {{{number}}}, and there are {len(values)} values")
        return str(values[int(number)])

    return pattern(r"\{(\d+)\}|[{}]").sub(place, text)


def _uri(base: str, relative: str) -> str:
    if not pattern(r"[A-Za-z][A-Za-z0-9+.-]*:").match(base):
        raise Failure(f"'{base}' is no absolute URI")
    raise Unknown


def _base64(text: str) -> str:
    from binascii import b2a_base64

    return b2a_base64(text.encode(), newline=False).decode()


def _same(a: Value, b: Value) -> bool:
    if type(a) is not type(b):
        raise Unknown
    return a == b


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": _remainder,
    "==": _same,
    "!=": lambda a, b: not _same(a, b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
    "!": lambda a: not a,
    "negative": lambda a: -a,
    "concat": _texts,
    "toLower": lambda text: text.lower(),
    "toUpper": lambda text: text.upper(),
    "trim": lambda text: text.strip(),
    "base64": _base64,
    "format": _format,
    "uri": _uri,
    "length": len,
    "first": lambda text: text[:1] if isinstance(text, str) else _unknown(),
    "last": lambda text: text[-1:] if isinstance(text, str) else _unknown(),
    "empty": lambda value: len(value) == 0,
    "startsWith": lambda text, part: text.lower().startswith(part.lower()),
    "endsWith": lambda text, part: text.lower().endswith(part.lower()),
    "replace": lambda text, old, new: text.replace(old, new) if old else _unknown(),
}


def _unknown() -> Any:
    raise Unknown
