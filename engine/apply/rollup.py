"""What is told of a resource that has parts: it is as well as they are. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from engine.record import Record
from engine.state.entry import Entry, Phase

if TYPE_CHECKING:
    from engine.apply.model import Model

FINE = frozenset({"ready", "exited"})
"""Words of what is as it should be."""

_UNDER_WAY = frozenset({*FINE, "starting", "creating", "updating", "unhealthy"})
"""Words of a whole that its parts may contradict: of any other, it says more itself."""

_RANK = {"failed": 0, "gone": 1, "unhealthy": 2}


class Told(Record):
    """The word for a resource, why, and the exit code of what has ended."""

    state: str
    reason: str = ""
    exit_code: int | None = None

    @property
    def worst(self) -> str:
        """The word, with "failed" for what ended badly."""
        return "failed" if self.state == "exited" and self.exit_code else self.state


def told(entry: Entry, model: Model) -> Told:
    """What is told of an entry, by address where it is because of a part."""
    own = Told(entry.word, entry.reason, entry.exit_code)
    return rolled(own, ((p.address, told(p, model)) for p in parts(entry, model)))


def failing(whole: Entry, model: Model) -> Told | None:
    """What is told of a whole where that is a failure of a part, for gates; None otherwise."""
    if whole.deleting or not model.children(whole.address) or fails(whole):
        return None
    what = told(whole, model)
    return what if what.worst == "failed" else None


def resting(whole: Entry, model: Model) -> Entry | None:
    """The part, at any remove, for which a whole is not there though it is wanted: one that is not to run."""
    if whole.deleting or not whole.run or not model.children(whole.address):
        return None
    part = next((p for p in below(whole, model) if not p.run), None)
    return part if part is not None and told(whole, model).state == "stopped" else None


def fails(entry: Entry) -> bool:
    """Whether an entry by itself makes a whole that it is a part of a failed one."""
    return Told(entry.word, "", entry.exit_code).worst == "failed"


def below(whole: Entry, model: Model) -> Iterator[Entry]:
    """What an entry is made of, at any remove."""
    for part in parts(whole, model):
        yield part
        yield from below(part, model)


def begun(whole: Entry, model: Model) -> bool:
    """Whether all that a whole is made of is out there and was started, ready or not; it is made itself once they are ready."""
    found = tuple(parts(whole, model))
    return bool(found) and all(started(part) or begun(part, model) for part in found)


def started(entry: Entry) -> bool:
    """Whether an entry by itself is out there as it is wanted, and was started."""
    return entry.current and entry.run and not entry.deleting and entry.phase in (Phase.RUNNING, Phase.EXITED)


def parts(whole: Entry, model: Model) -> Iterator[Entry]:
    """What an entry is made of: a job that somebody launched for it is no part."""
    for address in model.children(whole.address):
        part = model.find(address)
        if part is not None and (part.declared or not whole.declared):
            yield part


def is_launched(entry: Entry, find: Callable[[str], Entry | None]) -> bool:
    """Whether it is a job that somebody launched for what is declared, or a part of one."""
    at: Entry | None = entry
    while at is not None and not at.declared:
        at = find(at.resource.owner) if at.resource.owner is not None else None
    return at is not None and at is not entry


def rolled(own: Told, parts: Iterable[tuple[str, Told]]) -> Told:
    """What is told of a whole, from what is told of it alone and of its parts by name."""
    if own.worst not in _UNDER_WAY and own.state != "waiting":
        return own
    amiss = [(name, part.worst) for name, part in parts if part.worst not in FINE]
    if not amiss:
        return own
    name, word = min(amiss, key=lambda found: _RANK.get(found[1], 9))
    if word == "failed":
        return Told(word, f"'{name}' failed")
    if all(word == "stopped" for _, word in amiss):
        return Told("stopped")
    if own.state == "waiting":
        return own
    if word in _RANK:
        return Told(word, f"'{name}' is {word}")
    return Told(word, f"'{name}' is {word}") if own.state in FINE else own
