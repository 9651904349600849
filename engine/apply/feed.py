"""Who watches: what is in the log reaches callbacks at once, and subscriptions whenever they ask. Nobody slows the engine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from engine.state.event import Event
from engine.state.fold import State

KEPT = 4096
"""Events kept in memory; who is further behind reads the log."""

Watcher = Callable[[Sequence[Event]], None]
"""Told of events in order, after they are durable; called in the engine's thread, so it must be quick."""


class Feed:
    """See the module. `reread` gives the events behind a sequence number from the log."""

    __slots__ = ("_reread", "_tail", "_watchers", "seq")

    def __init__(self, seq: int, reread: Callable[[int], Iterator[Event]]) -> None:
        self.seq = seq
        self._reread = reread
        self._tail: deque[Event] = deque(maxlen=KEPT)
        self._watchers: list[Watcher] = []

    def publish(self, events: Sequence[Event]) -> None:
        """Pass on what was stored."""
        self._tail.extend(events)
        self.seq = events[-1].seq
        for watcher in tuple(self._watchers):  # readers come and go in threads of their own
            watcher(events)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Have a callback told from now on; call the answer to end it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def after(self, seq: int) -> list[Event]:
        """What is behind a sequence number."""
        if seq >= self.seq:
            return []
        # a copy first: the engine may add to the tail meanwhile
        tail = list(self._tail)
        if tail and tail[0].seq <= seq + 1:
            return tail[max(0, seq + 1 - tail[0].seq) :]
        return list(self._reread(seq))


class Subscription:
    """One reader: a state to begin with, and all that came after it, in pieces, as fast as it likes."""

    __slots__ = ("_feed", "seq", "snapshot")

    def __init__(self, feed: Feed, snapshot: State) -> None:
        self._feed = feed
        self.snapshot = snapshot
        self.seq = snapshot.seq

    def poll(self) -> list[Event]:
        """What is new since the last time."""
        events = self._feed.after(self.seq)
        if events:
            self.seq = events[-1].seq
        return events
