"""Changes from outside, as platforms tell of them: one thread for each operator that can."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from engine.contract.operator import Operator, Watches

AGAIN = 5.0
"""Seconds until a watch that broke is begun again; whatever changed meanwhile, the next look by period finds."""


class Watching:
    """Lets operators watch what is theirs; `look` is told the address of what changed."""

    def __init__(self, look: Callable[[str], None]) -> None:
        self._look = look
        self._ended = threading.Event()
        self._watched: set[str] = set()

    def over(self, operators: Iterable[Operator]) -> None:
        """Watch with all of these that can, but for those that do so already."""
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

    def _wake(self, token: str) -> None:
        if not self._ended.is_set():
            self._look(token.rpartition("#")[0])
