"""How long to wait before trying again: doubling, capped, with full jitter."""

from __future__ import annotations

import os
from collections.abc import Callable

FIRST = 0.5
CAP = 60.0


def system_random() -> float:
    """A number from 0 to 1; the module `random` costs more to load than everything here."""
    return int.from_bytes(os.urandom(4)) / 2**32


class Backoff:
    """Counts the failures of each key in a row; `random` gives a number from 0 to 1."""

    __slots__ = ("_attempts", "_random")

    def __init__(self, random: Callable[[], float]) -> None:
        self._attempts: dict[str, int] = {}
        self._random = random

    def next(self, key: str, at_least: float | None = None) -> float:
        """Seconds to wait after one more failure; never less than what the other side asked for."""
        attempt = self._attempts.get(key, 0)
        self._attempts[key] = attempt + 1
        # the exponent is bounded so that years of failures do not make it a number too large for a float
        delay = self._random() * min(CAP, FIRST * float(1 << min(attempt, 16)))
        return max(delay, at_least or 0.0)

    def attempt(self, key: str) -> int:
        """Which try in a row the next one is, counted from 1."""
        return self._attempts.get(key, 0) + 1

    def reset(self, key: str) -> None:
        """A success: the next failure begins again at the shortest delay."""
        self._attempts.pop(key, None)
