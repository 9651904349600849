"""The fold: what a sequence of events says, taken together."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from engine.state.entry import Entry
from engine.state.event import Deployment, Event, Kind, Operation, Progress


class State:
    """The model at one sequence number: entries by address, in the order they were added, deployments by name, and the
    last operations by id.
    """

    __slots__ = ("deployments", "entries", "operations", "seq")

    def __init__(
        self,
        seq: int = 0,
        entries: dict[str, Entry] | None = None,
        deployments: dict[str, Deployment] | None = None,
        operations: dict[str, Operation] | None = None,
    ) -> None:
        self.seq = seq
        self.entries: dict[str, Entry] = {} if entries is None else entries
        self.deployments: dict[str, Deployment] = {} if deployments is None else deployments
        self.operations: dict[str, Operation] = {} if operations is None else operations

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, part) == getattr(other, part) for part in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"State({self.seq}, {self.entries!r}, {self.deployments!r})"

    def copy(self) -> State:
        """A state that later events do not reach."""
        return State(self.seq, dict(self.entries), dict(self.deployments), dict(self.operations))


KEPT = 200
"""Operations that are remembered; those that run are never forgotten."""


def _forget_one(operations: dict[str, Operation]) -> None:
    """The one that ended first."""
    over = [o for o in operations.values() if o.progress is not Progress.RUNNING]
    if over:
        del operations[min(over, key=lambda o: o.ended).id]


def fold(events: Iterable[Event], onto: State | None = None) -> State:
    """The state after the events; `onto`, a snapshot to begin with, is left as it is."""
    state = State() if onto is None else onto.copy()
    for event in events:
        advance(state, event)
    return state


def advance(state: State, event: Event) -> None:
    """Move a state by one event."""
    assert event.seq == state.seq + 1, f"event {event.seq} does not follow {state.seq}"
    state.seq = event.seq
    key = event.key
    match event.kind:
        case Kind.ADDED:
            assert key not in state.entries, f"{key} is there already"
            state.entries[key] = Entry(key, since=event.time, **event.data)
        case Kind.GONE:
            del state.entries[key]
        case Kind.DEPLOYED:
            state.deployments[key] = Deployment(key, time=event.time, **event.data)
        case Kind.UNDEPLOYED:
            state.deployments.pop(key, None)
        case Kind.OPERATION:
            known = state.operations.get(key) or Operation(key, began=event.time)
            done = {"ended": event.time} if event.data.get("progress", Progress.RUNNING) is not Progress.RUNNING else {}
            state.operations[key] = known.replace(**event.data, **done)
            if len(state.operations) > KEPT:
                _forget_one(state.operations)
        case _:
            entry = state.entries[key]
            fields = list(_FIELDS(entry))
            for field, content in event.data.items():
                fields[_PLACE[field]] = content
            if event.data.get("phase", entry.phase) is not entry.phase:
                fields[_PLACE["since"]] = event.time
            state.entries[key] = Entry(*fields)


# every step of a deployment passes here, so this is `entry.replace(…)` written for speed
_FIELDS = attrgetter(*Entry.__fields__)
_PLACE = {field: n for n, field in enumerate(Entry.__fields__)}
