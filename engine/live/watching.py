"""Changes from outside, as platforms tell of them: one thread for each operator that can, and one that looks at all by period."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from engine.contract.operator import Operator, Watches

AGAIN = 5.0
"""Seconds until a watch that broke is begun again; whatever changed meanwhile, the next look by period finds."""

PERIOD = 60.0
"""Seconds between two looks at all that is there: what no platform told of is found by them."""

PACE = 5.0
"""How many of these are looked at in a second, at most."""


class Watching:
    """Lets operators watch what is theirs; `look` is told the address of what changed, `there` gives those of all there is."""

    def __init__(self, look: Callable[[str], None], there: Callable[[], Sequence[str]] = tuple) -> None:
        self._look = look
        self._there = there
        self._ended = threading.Event()
        self._watched: set[str] = set()
        self._begun = False

    def over(self, operators: Iterable[Operator]) -> None:
        """Watch with all of these that can, but for those that do so already, and by period."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._by_period, name="watch all", daemon=True).start()
        for operator in operators:
            source = getattr(operator, "source", operator.name)
            if isinstance(operator, Watches) and source not in self._watched:
                self._watched.add(source)
                threading.Thread(
                    target=self._watch, args=(operator,), name=f"watch {operator.name}", daemon=True
                ).start()

    def end(self) -> None:
        """No more."""
        self._ended.set()

    def _watch(self, operator: Watches) -> None:
        while not self._ended.is_set():
            with suppress(Exception):  # a platform that tells nothing is looked at by period, as any other
                operator.watch(self._wake, self._ended.is_set)
            self._ended.wait(AGAIN)

    def _by_period(self) -> None:
        while not self._ended.wait(PERIOD):
            for address in self._there():
                if self._ended.wait(1 / PACE):
                    return
                self._look(address)

    def _wake(self, token: str) -> None:
        if not self._ended.is_set():
            self._look(token.rpartition("#")[0])
