"""The logs of all that runs, line by line as they come: one thread for each incarnation that has a log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from engine.contract.operator import Logs, Operator
from engine.state.entry import Entry
from engine.state.event import Event

Lines = Callable[[Entry, str], None]
"""Told of a resource's next line, in the thread that read it."""


class Tails:
    """Follows every incarnation of every resource whose operator has logs, from its beginning to its end."""

    def __init__(
        self,
        find: Callable[[str], Entry | None],
        operator: Callable[[Entry], Operator | None],
        lines: Lines,
    ) -> None:
        self._find = find
        self._operator = operator
        self._lines = lines
        self._followed: set[str] = set()
        self._lock = threading.Lock()

    def look(self, events: Sequence[Event]) -> None:
        """Begin to follow what these events brought to life; a `Watcher` of the feed."""
        for key in {e.key for e in events}:
            entry = self._find(key)
            if entry is not None:
                self.follow(entry)

    def follow(self, entry: Entry) -> None:
        """Begin to follow a resource, unless that is done already."""
        token = entry.token
        if token is None or not entry.held:
            return
        with self._lock:
            if token in self._followed:
                return
            operator = self._operator(entry)
            if not isinstance(operator, Logs):
                return
            self._followed.add(token)
        threading.Thread(target=self._read, args=(entry, operator, token), name=f"tail {token}", daemon=True).start()

    def _read(self, entry: Entry, operator: Logs, token: str) -> None:
        try:
            for line in operator.logs(entry.resource, token, True):
                self._lines(entry, line)
        except Exception as error:  # logs that cannot be read are no reason to end
            self._lines(entry, f"(its log cannot be followed: {error})")
