"""From one kind of value to another; string() stands in strings.py, array() in arrays.py."""

from __future__ import annotations

from typing import Any

from engine.contract.value import Value
from engine.expand.functions.signature import BOOL, FLOAT, INT, STRING, EvaluationError, Library

LIBRARY = Library()


@LIBRARY.declare("int", STRING | INT | FLOAT)
def int_(value: str | int | float) -> int:
    """An integer from text; a decimal number is cut."""
    if isinstance(value, str):
        text = value.strip()
        digits = text[1:] if text[:1] in ("-", "+") else text
        if not digits.isascii() or not digits.isdecimal() or len(digits) > 19:
            raise EvaluationError(f"int() cannot read '{value}' as an integer")
        value = int(text)
    if not -(2**63) <= value < 2**63:
        raise EvaluationError(f"int(): {value} does not fit in 64 bits")
    return int(value)


@LIBRARY.declare("float", STRING | INT | FLOAT)
def float_(value: str | int | float) -> float:
    """A decimal number."""
    try:
        return float(value)
    except ValueError:
        raise EvaluationError(f"float() cannot read '{value}' as a number") from None


@LIBRARY.declare("bool", STRING | INT | BOOL)
def bool_(value: str | int | bool) -> bool:
    """True for 'true' in any case and for numbers other than 0."""
    if not isinstance(value, str):
        return bool(value)
    word = value.strip().lower()
    if word not in ("true", "false", "1", "0"):
        raise EvaluationError(f"bool() cannot read '{value}' as a boolean")
    return word in ("true", "1")


@LIBRARY.declare("json", STRING)
def json_(text: str) -> Value:
    """The value of a JSON text."""
    return read_json("json", text)


def read_json(function: str, text: str) -> Value:
    """The value of a JSON text, or an error in the function's name."""
    import json

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        from engine.sources.unfinished import finished

        if (whole := finished(text)) is not None:
            return read_json(function, whole)
        where = f"line {error.lineno}, column {error.colno}"
        raise EvaluationError(f"{function}() cannot read its text as JSON: {error.msg} at {where}") from None
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{function}() cannot read its text as JSON: {error}") from None
