"""Did you mean: the one of some names that a misspelt one is nearest to, by edits.

Close enough is two fifths of the name; two letters that differ only in case hardly count.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.parse import tree


def suggestion(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest name, or None where none is near."""
    best, limit = None, len(name) * 2 // 5 + 0.9
    slack = min(2, len(name) * 34 // 100)
    lower = name.lower()
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > slack:
            continue
        if len(candidate) < 3 and candidate.lower() != lower:
            continue
        distance = _distance(name, candidate, limit)
        if distance is not None:
            best, limit = candidate, distance - 0.1
    return best


def write(place: tree.Node, name: str) -> Fix:
    """Writes the name that was meant."""
    return Fix(f"Write '{name}'", (Edit(place.span, name),), Safety.UNSAFE)


def _distance(one: str, other: str, limit: float) -> float | None:
    """The edit distance, a substitution counting two; None above the limit."""
    previous = [float(i) for i in range(len(other) + 1)]
    for i, left in enumerate(one, 1):
        row = [float(i)]
        for j, right in enumerate(other, 1):
            if left == right:
                row.append(previous[j - 1])
            else:
                change = 0.1 if left.lower() == right.lower() else 2
                row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + change))
        if min(row) > limit:
            return None
        previous = row
    return previous[-1] if previous[-1] <= limit else None
