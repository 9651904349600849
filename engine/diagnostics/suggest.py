"""Did you mean: the nearest of some names."""

from __future__ import annotations

from collections.abc import Iterable

_known: dict[tuple[str, tuple[str, ...]], tuple[str | None]] = {}
"""Answers that were given: a mistake is often made many times, and looked at many times while one types."""

_KEPT = 100


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that `name` was most likely meant to be, or None."""
    question = (name, tuple(names))
    found = _known.get(question)
    if found is None:
        if len(_known) >= _KEPT:
            _known.clear()
        found = _known[question] = (_nearest(*question),)
    return found[0]


def _nearest(name: str, names: tuple[str, ...]) -> str | None:
    from difflib import get_close_matches

    by_lower = {n.lower(): n for n in names}
    if name.lower() in by_lower:
        return by_lower[name.lower()]
    close = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[close[0]] if close else None


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A help sentence, or an empty text where nothing is near."""
    near = nearest(name, names)
    return f"Did you mean '{near}'?" if near else ""
