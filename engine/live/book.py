"""The last lines that everything wrote, numbered, for whoever asks; a slow reader misses lines, never stops anybody."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from engine.record import Record
from engine.state.entry import Entry

KEPT = 10_000
"""Lines of all resources together."""


class Line(Record):
    """One line: the `number`-th of this run, written at `time` (Unix seconds) by the resource at `address`."""

    number: int
    time: float
    address: str
    name: str
    text: str

    def plain(self) -> dict[str, object]:
        """As JSON."""
        return {f: getattr(self, f) for f in self.__fields__}


class Book:
    """See the module; may be used from any thread."""

    def __init__(self, kept: int = KEPT) -> None:
        self._lines: deque[Line] = deque(maxlen=kept)
        self._lock = threading.Lock()
        self._watchers: list[Callable[[], None]] = []
        self.number = 0

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Have a callback told of new lines from now on, by whoever writes them; call the answer to end it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def write(self, entry: Entry, text: str) -> None:
        """Take down a line."""
        with self._lock:
            self.number += 1
            self._lines.append(Line(self.number, time.time(), entry.address, str(entry.resource.name), text))
        for watcher in tuple(self._watchers):
            watcher()

    def after(self, number: int, address: str | None = None, most: int = 1000) -> list[Line]:
        """The lines behind a number, of a resource and what is below it or of all; the last `most` of them."""
        with self._lock:
            newest = self.number
            if number >= newest:
                return []
            found = [line for line in self._lines if line.number > number]
        if address is not None:
            found = [x for x in found if x.address == address or x.address.startswith(f"{address}/")]
        return found[-most:]
