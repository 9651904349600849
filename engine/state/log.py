"""A log: the events of one environment, appended by one writer at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError
from engine.state.event import Event
from engine.state.fold import State
from engine.state.owner import Owner


class Fenced(UlnaError):
    """This writer lost its lease to another: nothing it wants to write is true any more."""

    def __init__(self, environment: str) -> None:
        message = f"Another Ulna took over the environment '{environment}'"
        help = "Run the command again once the other one has finished."
        super().__init__(Diagnostic("ULN411", Severity.ERROR, message, help=help))


class Log(Protocol):
    """See the module. Reading needs no lease; `writer` is the number of the lease held, 0 without one."""

    writer: int

    def acquire(self, owner: Owner, wait: float | None = 0.0, on_wait: Callable[[str], None] | None = None) -> int:
        """Take the lease and give its number, higher than any before; waits up to so many seconds for another to let go,
        having told `on_wait` in a sentence whom it waits for, once.
        """

    def state(self) -> State:
        """The fold of everything stored."""

    def events(self, after: int = 0) -> Iterator[Event]:
        """What was stored behind a sequence number."""

    def append(self, events: Sequence[Event]) -> None:
        """Store all or nothing; the events go on where the log ends. Raises `Fenced` if the lease is lost."""

    def heartbeat(self) -> None:
        """Show that the holder of the lease lives."""

    def snapshot(self, state: State) -> None:
        """Store a state to begin the next fold with."""

    def release(self) -> None:
        """Let go of the lease."""
