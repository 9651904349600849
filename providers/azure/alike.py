"""What is live, in the words of the wish: only so can the two be compared. Pure.

Azure changes the case of ids, takes blanks out of locations, sorts named parts, and fills in what was left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.value import Secret, Value
from providers.azure.late import is_late

VOLATILE = frozenset({"instanceView", "etag", "resourceGuid", "numberOfRecordSets", "operationalState", "lastModified"})
"""Properties that change by themselves: they are no outputs, or the log would be full of them."""


def alike(wish: Value, live: Value) -> Value:
    """The live value with parts in the order of the wish, and with the wish's spelling where that is all that differs."""
    if isinstance(wish, Secret) or is_late(wish):
        return wish  # it is not shown, or not as it was asked for
    if isinstance(wish, Mapping) and isinstance(live, Mapping):
        return _object(wish, live)
    if isinstance(wish, list | tuple) and isinstance(live, list | tuple):
        return _list(wish, live)
    if isinstance(wish, str) and isinstance(live, str) and wish != live and _spelt(wish) == _spelt(live):
        return wish
    return live


def _object(wish: Mapping[str, Value], live: Mapping[str, Value]) -> dict[str, Value]:
    """By key; keys that are ids may have another case."""
    folded = {k.lower(): k for k in live}
    shown: dict[str, Value] = {}
    for key, wanted in wish.items():
        there = key if key in live else folded.get(key.lower())
        if there is None:
            if wanted in (None, False, "") or wanted == [] or wanted == {}:
                shown[key] = wanted  # what is not shown is not there
            continue
        shown[key] = alike(wanted, live[there])
        folded.pop(there.lower(), None)
    return {**shown, **{k: live[k] for k in folded.values()}}


def _list(wish: list[Value] | tuple[Value, ...], live: list[Value] | tuple[Value, ...]) -> list[Value]:
    """Named parts are the same wherever they stand; others by their place."""
    names = [w.get("name") if isinstance(w, Mapping) else None for w in wish]
    if not all(isinstance(n, str) for n in names) or not all(isinstance(i, Mapping) and "name" in i for i in live):
        pairs = zip(wish, live, strict=False)
        return [*(alike(w, i) for w, i in pairs), *live[len(wish) :]]
    by_name = {str(i["name"]).lower(): i for i in live}
    found = [by_name.pop(str(n).lower(), None) for n in names]
    return [*(alike(w, i) for w, i in zip(wish, found, strict=True) if i is not None), *by_name.values()]


def _spelt(text: str) -> str:
    """What of a text counts: neither case nor blanks, in ids, locations and words; all of it in anything longer."""
    if text.startswith("/") or len(text) < 40:
        return text.lower().replace(" ", "")
    return text


def calm(value: Value) -> Value:
    """A value without what changes by itself."""
    if isinstance(value, Mapping):
        return {k: calm(v) for k, v in value.items() if k not in VOLATILE}
    if isinstance(value, list):
        return [calm(v) for v in value]
    return value


def body_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """What of a resource is sent: what the engine keeps beside it is not."""
    return {k: v for k, v in properties.items() if not k.startswith("$")}
