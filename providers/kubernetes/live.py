"""An object as it lives, in the shape of what was asked for, so that the two can be compared. Pure.

What the server filled in is beside it and no difference; items that others added to a list are left out; a quantity written
in another way is the same. What is missing shows as null; what holds a secret is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from engine.contract.value import Leaf, Secret, Value, has_secret
from providers.kubernetes.kinds import merge_key

_VOLATILE = frozenset({"managedFields", "resourceVersion", "generation", "selfLink"})
_STAMP = re.compile(r".*(Time|Timestamp|Probe)$")
_QUANTITY = re.compile(r"^([+-]?[0-9.]+)([eE][+-]?[0-9]+|[numkKMGTPE]i?)?$")
_UNITS = {"n": -9, "u": -6, "m": -3, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
MEASURED = frozenset(
    ["requests", "limits", "capacity", "hard", "sizeLimit", "averageValue", "divisor", "default", "defaultRequest"]
)
"""Fields that hold quantities, themselves or by name."""

Opened = Callable[[Secret], Value]
"""The value of a secret, or None where this run does not know it."""


def shaped(wish: Mapping[str, Any], live: Mapping[str, Any], opened: Opened) -> dict[str, Any]:
    """The live object in the shape of the wish; `$drift` lists secrets that are not what they were."""
    drift: list[str] = []
    seen: dict[str, Any] = _object(wish, _calm(live), (), opened, drift)
    seen.pop("apiVersion", None)
    seen.pop("kind", None)
    for name in ("annotations", "labels"):
        for key in [k for k in seen.get("metadata", {}).get(name) or () if k.startswith("ulna.")]:
            del seen["metadata"][name][key]
    if "secretHash" in wish:
        seen["secretHash"] = wish["secretHash"]
    if drift:
        seen["$drift"] = drift
    return seen


def _calm(live: Mapping[str, Any]) -> dict[str, Any]:
    """Without what changes by itself."""
    calm = dict(live)
    calm["metadata"] = {k: v for k, v in (live.get("metadata") or {}).items() if k not in _VOLATILE}
    if isinstance(live.get("status"), Mapping):
        calm["status"] = _without_stamps(live["status"])
    return calm


def _without_stamps(value: Value) -> Value:
    if isinstance(value, Mapping):
        return {k: _without_stamps(v) for k, v in value.items() if not _STAMP.match(k) and k != "observedGeneration"}
    return [_without_stamps(v) for v in value] if isinstance(value, list) else value


def _object(wish: Mapping[str, Any], live: Any, path: tuple[str, ...], opened: Opened, drift: list[str]) -> Any:
    if not isinstance(live, Mapping):
        return live
    seen = dict(live)
    for key, wanted in wish.items():
        if key == "secretHash":
            continue
        if key in live:
            seen[key] = _value(wanted, live[key], (*path, key), opened, drift)
        elif not _empty(wanted):
            seen[key] = None
    return seen


def _value(wanted: Value, there: Value, path: tuple[str, ...], opened: Opened, drift: list[str]) -> Value:
    if isinstance(wanted, Mapping):
        return _object(wanted, there, path, opened, drift)
    if isinstance(wanted, list | tuple) and isinstance(there, list):
        return _list(wanted, there, path, opened, drift)
    if isinstance(wanted, Leaf):
        if has_secret(wanted):
            value = opened(wanted) if isinstance(wanted, Secret) else None
            if value is not None and _text(value) != there:
                drift.append(".".join(path))
            return wanted
        return there
    if wanted != there and not isinstance(wanted, bool) and not isinstance(there, bool):
        if MEASURED.intersection(path) and _same_quantity(wanted, there):
            return wanted
        if isinstance(wanted, int | float) != isinstance(there, int | float) and str(wanted) == str(there):
            return wanted
    return there


def _list(wanted: Any, there: list[Any], path: tuple[str, ...], opened: Opened, drift: list[str]) -> list[Any]:
    """Items are found by their keys; those of others are left out. A list that is one value stays as it is."""
    keys = merge_key(path[-1], wanted[0]) if wanted else ()
    if not keys or not all(isinstance(i, Mapping) for i in (*wanted, *there)):
        if len(wanted) != len(there):
            return there
        return [_value(w, t, path, opened, drift) for w, t in zip(wanted, there, strict=True)]
    by_key = {_key(item, keys): item for item in there}
    return [
        _value(item, found, path, opened, drift) if (found := by_key.get(_key(item, keys))) is not None else None
        for item in wanted
    ]


def _key(item: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(item.get(k, "TCP" if k == "protocol" else "")) for k in keys)


def _empty(value: Value) -> bool:
    """What the server leaves out."""
    if isinstance(value, Mapping):
        return all(map(_empty, value.values()))
    return not isinstance(value, Leaf) and value in (None, "", False, 0, [], ())


def _text(value: Value) -> Value:
    return value if isinstance(value, str) else str(value)


def _same_quantity(one: Value, other: Value) -> bool:
    a, b = quantity(one), quantity(other)
    return a is not None and a == b


def quantity(value: Value) -> Decimal | None:
    """A quantity as a number: `500m`, `1Gi`, `1e3`, `2`."""
    found = _QUANTITY.match(str(value))
    if found is None:
        return None
    try:
        number = Decimal(found[1])
    except ArithmeticError:
        return None
    unit = found[2] or ""
    if unit[:1] in "eE" and len(unit) > 1 and unit[1:].lstrip("+-").isdigit():
        return number * Decimal(10) ** int(unit[1:])
    if unit.endswith("i"):
        return number * Decimal(1024) ** (_UNITS[unit[0]] // 3)
    return number * Decimal(10) ** _UNITS[unit] if unit else number


def secret_paths(value: Value, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places in a wish that hold secrets."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from secret_paths(item, (*path, key))
    elif has_secret(value):
        yield path
