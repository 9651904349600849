"""The fold: what a sequence of events says, taken together."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from engine.state.entry import Entry
from engine.state.event import Deployment, Event, Kind


class State:
    """The model at one sequence number: entries by address, in the order they were added, and deployments by name."""

    __slots__ = ("deployments", "entries", "seq")

    def __init__(
        self, seq: int = 0, entries: dict[str, Entry] | None = None, deployments: dict[str, Deployment] | None = None
    ) -> None:
        self.seq = seq
        self.entries: dict[str, Entry] = {} if entries is None else entries
        self.deployments: dict[str, Deployment] = {} if deployments is None else deployments

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self.seq, self.entries, self.deployments) == (other.seq, other.entries, other.deployments)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"State({self.seq}, {self.entries!r}, {self.deployments!r})"

    def copy(self) -> State:
        """A state that later events do not reach."""
        return State(self.seq, dict(self.entries), dict(self.deployments))


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
