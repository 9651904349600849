"""Pieces of ARM expression text, and the step from such text to a JSON value and back."""

from __future__ import annotations

from collections.abc import Iterable

from engine.contract.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

NULL = "null()"

_STRING = pattern(r"'(?:[^']|'')*'")
_INTEGER = pattern(r"-?[0-9]+")
_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*")


def quote(value: str) -> str:
    """A string literal."""
    return "'" + (value.replace("'", "''") if "'" in value else value) + "'"


def integer(value: int) -> str:
    """An integer literal; ARM's own go no further than 32 bits."""
    return str(value) if -(2**31) <= value < 2**31 else f"json('{value}')"


def call(name: str, *arguments: str) -> str:
    """A function call."""
    return f"{name}({', '.join(arguments)})"


def member(base: str, name: str) -> str:
    """`base.name`, or `base['odd name']`."""
    return f"{rooted(base)}.{name}" if _NAME.fullmatch(name) else f"{rooted(base)}[{quote(name)}]"


def index(base: str, at: str) -> str:
    """`base[at]`"""
    return f"{rooted(base)}[{at}]"


def rooted(base: str) -> str:
    """Text that an access may follow: a literal is wrapped in its conversion function."""
    if base[0] == "'" and _STRING.fullmatch(base):
        return f"string({base})"
    if base[-1] in "0123456789" and _INTEGER.fullmatch(base):
        return f"int({base})"
    return base


def escape(value: str) -> str:
    """A string as it stands in JSON: what would read as an expression gets a second bracket."""
    return f"[{value}" if value[:1] == "[" and value[-1] == "]" else value


def wrap(text: str) -> str:
    """Expression text as a JSON string: `[text]`, or the plain string if it is a literal."""
    if text[0] == "'" and _STRING.fullmatch(text):
        return escape(text[1:-1].replace("''", "'"))
    return f"[{text}]"


def literal(value: Any) -> str:
    """Expression text that gives a JSON value."""
    match value:
        case None:
            return NULL
        case True:
            return "true()"
        case False:
            return "false()"
        case int():
            return integer(value)
        case float():
            return f"json('{_number(value)}')"
        case str():
            return quote(value)
        case dict():
            return call("createObject", *_pairs((quote(k), literal(v)) for k, v in value.items()))
        case _:
            return call("createArray", *map(literal, value))


def plain(value: Any) -> Any:
    """A JSON value as it stands in a template: strings are escaped, floats become expressions."""
    match value:
        case bool() | int() | None:
            return value
        case float():
            return f"[json('{_number(value)}')]"
        case str():
            return escape(value)
        case dict():
            return {escape(k): plain(v) for k, v in value.items()}
        case _:
            return [plain(v) for v in value]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    for key, value in pairs:
        yield key
        yield value
