"""What goes on during a deployment, from the changes of the entries: one line each for a pipe, one JSON object each for a program.

A terminal gets rows that are drawn again, see `live.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic, time
from types import TracebackType
from typing import Any, Self

from engine.cli.console import Console
from engine.plan.text import excerpt
from engine.state.entry import Entry

FINISHED = frozenset({"ready", "exited", "stopped", "failed", "deleted", "detached", "changed"})
"""Words after which nothing more is expected of a resource."""

MOVING = frozenset({"creating", "updating", "deleting"})
"""Words for a call of an operator that has not answered."""


def state_of(entry: Entry | None) -> str:
    """One word for where a resource is."""
    return "deleted" if entry is None else entry.word


class Row:
    """A resource as progress shows it; `began` and `ended` are seconds since the start."""

    __slots__ = ("address", "began", "ended", "name", "operator", "owner", "reason", "state", "type")

    def __init__(self, entry: Entry, began: float) -> None:
        self.address = entry.address
        self.name = entry.resource.name if isinstance(entry.resource.name, str) else entry.address.rpartition("/")[2]
        self.type = entry.resource.type
        self.owner = entry.resource.owner
        self.operator: str | None = entry.operator
        self.state = ""
        self.reason = ""
        self.began = began
        self.ended: float | None = None

    def moves(self, entry: Entry | None, now: float, detached: bool = False) -> bool:
        """Takes over what an entry says; whether that is news. Without one it is deleted, or `detached` and lives on."""
        state, reason = state_of(entry), entry.reason if entry is not None else ""
        if detached:
            state, reason = "detached", ""
        if (state, reason) == (self.state, self.reason):
            return False
        self.state, self.reason = state, reason
        self.operator = entry.operator if entry is not None else self.operator
        self.ended = now if state in FINISHED else None
        return True

    def seconds(self, now: float) -> float:
        """How long it has taken."""
        return (self.ended if self.ended is not None else now) - self.began


class Progress:
    """Rows by address, in the order of their first news. Is itself the engine's `Watch`; shows nothing."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self.console = console
        self.rows: dict[str, Row] = {}
        self._clock = clock
        self._start = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, before: Entry | None, after: Entry | None) -> None:
        """A resource's entry has changed."""
        entry = after or before
        if entry is None or entry.resource.existing:
            return
        row = self.rows.get(entry.address)
        if row is None:
            row = self.rows[entry.address] = Row(entry, self.now)
        if row.moves(after, self.now, entry.detached):
            self.show(row)

    @property
    def now(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    def show(self, row: Row) -> None:
        """Tells the news of a row."""

    def note(self, text: str) -> None:
        """Tells something about the whole."""
        self.console.say(text)

    def close(self) -> None:
        """There will be no more news."""


class Lines(Progress):
    """A line for each change of state, for pipes and logs."""

    def show(self, row: Row) -> None:
        """Where it is now."""
        reason = f"  {excerpt(row.reason)}" if row.reason else ""
        self.console.say(f"{row.seconds(self.now):6.1f}s  {row.state:<9} {row.address}  {row.type}{reason}")


class Events(Progress):
    """A JSON object for each change of state, one a line; `schemas/event.json` describes them."""

    def show(self, row: Row) -> None:
        """Where it is now."""
        self.emit(
            "resource",
            address=row.address,
            name=row.name,
            type=row.type,
            owner=row.owner,
            operator=row.operator,
            state=row.state,
            reason=row.reason,
            seconds=round(row.seconds(self.now), 3),
        )

    def note(self, text: str) -> None:
        """A message."""
        self.emit("message", text=text)

    def emit(self, event: str, **fields: Any) -> None:
        """One line."""
        emit(self.console, event, **fields)


def emit(console: Console, event: str, **fields: Any) -> None:
    """One event as a line of JSON."""
    line = {"event": event, "time": round(time(), 3)} | fields
    console.out.write(json.dumps({k: v for k, v in line.items() if v is not None}, ensure_ascii=False) + "\n")
    console.out.flush()


def progress(console: Console) -> Progress:
    """The progress that suits where it is shown."""
    if console.json:
        return Events(console)
    if console.live():
        from engine.cli.live import Live

        return Live(console)
    return Lines(console)
