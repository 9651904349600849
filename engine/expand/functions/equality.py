"""When two values are the same: as JSON, with case, and with 1 equal to 1.0 but not to true."""

from __future__ import annotations

from engine.contract.compact import compact
from engine.contract.value import Value
from engine.expand.functions.signature import LEAVES, NotYet

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def same(a: Value, b: Value) -> bool:
    """Deep equality; raises `NotYet` where it rests on something unknown."""
    kind, other = type(a), type(b)
    if kind in LEAVES or other in LEAVES:
        raise NotYet
    if kind is list and other is list:
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if kind is dict and other is dict:
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if (kind is bool) != (other is bool):
        return False
    return bool(a == b)


def identity(value: Value) -> Any:
    """A hashable key that two values share exactly when they are the same."""
    kind = type(value)
    if kind in LEAVES:
        raise NotYet
    if kind is list:
        return ("[", tuple(identity(v) for v in value))
    if kind is dict:
        return ("{", frozenset((k, identity(v)) for k, v in value.items()))
    return (kind is bool, value)


def canonical(value: Value) -> str:
    """Compact JSON, as string() and format() print objects and arrays."""
    return compact(value)
