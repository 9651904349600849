"""A value as text, the way string(), concat() and format() print it."""

from __future__ import annotations

from engine.contract.value import Value
from engine.expand.functions.equality import canonical


def as_text(value: Value) -> str:
    """Strings as they are, True and False, nothing for null, compact JSON for the rest."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if value is True or value is False:
        return str(value)
    return str(value) if type(value) is int else canonical(value)
