"""A log that lives as long as the process: for tests, and for what needs no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.state.event import Event
from engine.state.fold import State, fold
from engine.state.log import Fenced
from engine.state.owner import Owner


class Shelf:
    """What several `MemoryLog`s share, as several processes share a file."""

    __slots__ = ("events", "snapshot", "writer")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.snapshot = State()
        self.writer = 0


class MemoryLog:
    """A `Log` over a shelf; whoever asks for the lease gets it, so that tests can have two engines at once."""

    def __init__(self, shelf: Shelf | None = None, environment: str = "memory") -> None:
        self.shelf = Shelf() if shelf is None else shelf
        self.environment = environment
        self.writer = 0

    def acquire(self, owner: Owner, wait: float | None = 0.0, on_wait: Callable[[str], None] | None = None) -> int:
        """See `Log`; never waits."""
        self.shelf.writer += 1
        self.writer = self.shelf.writer
        return self.writer

    def state(self) -> State:
        """See `Log`."""
        return fold(self.events(self.shelf.snapshot.seq), self.shelf.snapshot)

    def events(self, after: int = 0) -> Iterator[Event]:
        """See `Log`."""
        return iter(self.shelf.events[after:])

    def append(self, events: Sequence[Event]) -> None:
        """See `Log`."""
        self.check()
        for event in events:
            assert event.seq == len(self.shelf.events) + 1, f"a gap before event {event.seq}"
            self.shelf.events.append(event)

    def check(self) -> None:
        """Refuse a writer that lost its lease."""
        if self.writer != self.shelf.writer:
            raise Fenced(self.environment)

    def heartbeat(self) -> None:
        """See `Log`."""
        self.check()

    def snapshot(self, state: State) -> None:
        """See `Log`."""
        self.shelf.snapshot = state.copy()

    def release(self) -> None:
        """See `Log`."""
        self.writer = 0
