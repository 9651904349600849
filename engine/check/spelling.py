"""Did you mean: the one of some names that a misspelt one is nearest to, by edits.

Close enough is one edit for every three letters; that letters differ in case does not count.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.parse import tree


def suggestion(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest name, the first of several that are as near; None where none is near."""
    lower = name.lower()
    limit = len(name) * 34 // 100
    slack = min(2, limit)
    best, sure = None, False
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > slack:
            continue
        other = candidate.lower()
        if other == lower:
            return candidate
        if sure or len(candidate) < 3:
            continue
        distance = _distance(lower, other, limit)
        if distance is not None:
            best, limit, sure = candidate, distance - 1, distance < 2
    return best


def write(place: tree.Node, name: str) -> Fix:
    """Writes the name that was meant."""
    return Fix(f"Write '{name}'", (Edit(place.span, name),), Safety.UNSAFE)


def _distance(one: str, other: str, limit: int) -> int | None:
    """How many letters must be put in, taken out or changed; None above the limit."""
    previous = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            row.append(previous[j - 1] if left == right else 1 + min(previous[j], row[j - 1], previous[j - 1]))
        if min(row) > limit:
            return None
        previous = row
    return previous[-1] if previous[-1] <= limit else None
