"""A value as the text of an environment variable."""

from __future__ import annotations

from engine.contract.compact import compact
from engine.contract.value import Deferred, Secret, Value, leaves


def text(value: Value) -> Value:
    """Text as it is, numbers plain, lists of numbers with commas, the rest as JSON; later, where it is not known yet."""
    if isinstance(value, str | Secret):
        return value
    if any(True for _ in leaves(value)):
        return Deferred("string", (value,))
    if isinstance(value, float):
        return _plain(value)
    if isinstance(value, list | tuple) and value and all(type(v) in (int, float) for v in value):
        return ",".join(_plain(v) for v in value)
    return compact(value)


def _plain(number: float) -> str:
    """Without an exponent, and without `.0`."""
    if isinstance(number, float) and number == int(number):
        return str(int(number))
    shown = repr(number)
    if "e" not in shown:
        return shown
    from decimal import Decimal

    return format(Decimal(shown), "f")
