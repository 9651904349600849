"""The queue of keys: one pass a key at a time, never lost, never doubled, the urgent first, and later by timer."""

from __future__ import annotations

import heapq
from collections import deque
from enum import IntEnum


class Priority(IntEnum):
    """Who goes first."""

    COMMAND = 0
    DELETE = 1
    CHANGE = 2
    POLL = 3


class Timer:
    """When a key is due; `idle` is one that nobody waits for, as a look at what runs well."""

    __slots__ = ("due", "idle")

    def __init__(self, due: float, idle: bool) -> None:
        self.due = due
        self.idle = idle


class WorkQueue:
    """A *dirty* key wants a pass, a *busy* one has one; what gets dirty while it is busy comes again when it is done."""

    __slots__ = ("_dirty", "_heap", "_lines", "_timers", "busy")

    def __init__(self) -> None:
        self._lines: tuple[deque[str], ...] = tuple(deque() for _ in Priority)
        self._dirty: dict[str, Priority] = {}
        self._timers: dict[str, Timer] = {}
        self._heap: list[tuple[float, str]] = []
        self.busy: set[str] = set()

    def add(self, key: str, priority: Priority = Priority.CHANGE) -> None:
        """Want a pass for a key; wanting it again only makes it more urgent."""
        known = self._dirty.get(key)
        if known is not None and known <= priority:
            return
        self._dirty[key] = priority
        if key not in self.busy:
            self._lines[priority].append(key)

    def add_after(self, key: str, due: float, *, idle: bool = False) -> None:
        """Want a pass at a time; a key has one timer, the last one set counts."""
        self._timers[key] = Timer(due, idle)
        heapq.heappush(self._heap, (due, key))
        if len(self._heap) > 2 * len(self._timers) + 16:
            self._heap = [(timer.due, k) for k, timer in self._timers.items()]
            heapq.heapify(self._heap)

    def take(self, now: float) -> str | None:
        """The next key to pass, busy from now on; None when there is none yet."""
        self._fire(now)
        for priority, line in enumerate(self._lines):
            while line:
                key = line.popleft()
                # stale: taken meanwhile, or waiting in a more urgent line
                if key not in self.busy and self._dirty.get(key) == priority:
                    del self._dirty[key]
                    self._timers.pop(key, None)  # the pass decides when to look again
                    self.busy.add(key)
                    return key
        return None

    def done(self, key: str) -> None:
        """The pass of a key ended."""
        self.busy.discard(key)
        if key in self._dirty:
            self._lines[self._dirty[key]].append(key)

    def due(self) -> float | None:
        """When the next timer fires."""
        while self._heap:
            due, key = self._heap[0]
            timer = self._timers.get(key)
            if timer is not None and timer.due == due:
                return due
            heapq.heappop(self._heap)
        return None

    def _fire(self, now: float) -> None:
        while (due := self.due()) is not None and due <= now:
            _, key = heapq.heappop(self._heap)
            idle = self._timers.pop(key).idle
            self.add(key, Priority.POLL if idle else Priority.CHANGE)

    @property
    def dirty(self) -> int:
        """How many keys want a pass."""
        return len(self._dirty)

    @property
    def timers(self) -> int:
        """How many keys have a timer."""
        return len(self._timers)

    @property
    def watched(self) -> tuple[str, ...]:
        """The keys that are only looked at now and then."""
        return tuple(k for k, timer in self._timers.items() if timer.idle)

    @property
    def settled(self) -> bool:
        """Whether nothing is to do, now or at a time somebody waits for."""
        return not self._dirty and not self.busy and all(t.idle for t in self._timers.values())
