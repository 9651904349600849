"""When an operation is done: observation decides, not the call that began it. Pure.

A goal is plain data, kept with its operation, so that a run that is begun again judges what an earlier one began:
`{"want": "ready" | "stopped" | "completed" | "gone", "of": [addresses]}`. What was there before a command does not count, nor
what had failed: an entry says itself whether what it tells is of what is wished now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.apply.model import is_settled
from engine.contract.value import Properties
from engine.record import Record
from engine.state.entry import Entry, Phase


class Reached(Record):
    """The operation is over: well or not, and why not."""

    ok: bool
    message: str = ""


Find = Callable[[str], Entry | None]
Below = Callable[[Entry], Iterable[Entry]]
"""What an entry is made of, at any remove."""


def goal(want: str, of: Iterable[str]) -> Properties:
    """The goal as it is kept."""
    return {"want": want, "of": sorted(of)}


def reached(goal: Properties, find: Find, below: Below) -> Reached | None:
    """How it ended; None while it has not."""
    judge = _JUDGES.get(str(goal.get("want")))
    if judge is None:
        return None  # whoever began it says when it is done
    open_still = False
    for address in goal.get("of", ()):
        entry = find(address)
        verdict = judge(address, entry)
        if judge is _ready and entry is not None and (verdict is None or verdict.ok):
            verdict = _with_parts(verdict, tuple(below(entry)))
        if verdict is None:
            open_still = True
        elif not verdict.ok:
            return verdict
    return None if open_still else Reached(True)


def _ready(address: str, entry: Entry | None) -> Reached | None:
    if entry is None or entry.deleting:
        return Reached(False, f"'{address}' was removed")
    if _fails(entry):
        return Reached(False, f"'{address}': {entry.reason}")
    if not entry.run:
        return Reached(False, f"'{address}' was stopped")
    return Reached(True) if is_settled(entry) else None


def _with_parts(own: Reached | None, parts: tuple[Entry, ...]) -> Reached | None:
    """What is made of parts fails with any of them, and is there once all are, and none that is one too many."""
    failed = next((p for p in parts if _fails(p)), None)
    if failed is not None:
        return Reached(False, f"'{failed.address}': {failed.reason}")
    return own if all(map(is_settled, parts)) else None


def _fails(entry: Entry) -> bool:
    """Whether it has failed at what is wished of it now: tried, seen so by its operator, or held up for good at its gate."""
    if entry.phase is not Phase.FAILED:
        return False
    seen = entry.current and entry.observed_generation == entry.generation
    return entry.has_failed or (not entry.deleting and (seen or not entry.held))


_AT_REST = (Phase.STOPPED, Phase.PENDING, Phase.WAITING, Phase.FAILED)


def _stopped(address: str, entry: Entry | None) -> Reached | None:
    if entry is None or (entry.phase in _AT_REST and not entry.held):
        return Reached(True)
    if entry.has_failed:
        return Reached(False, f"'{address}': {entry.reason}")
    return Reached(False, f"'{address}' was started again") if entry.run else None


def _completed(address: str, entry: Entry | None) -> Reached | None:
    if entry is None or entry.deleting:
        return Reached(False, f"'{address}' was removed")
    if entry.exit_code is not None and entry.phase in (Phase.EXITED, Phase.FAILED):
        ended = f"'{address}' ended with exit code {entry.exit_code}"
        return Reached(entry.exit_code == 0, ended if entry.exit_code else "")
    return Reached(False, f"'{address}': {entry.reason}") if entry.phase is Phase.FAILED else None


def _gone(address: str, entry: Entry | None) -> Reached | None:
    if entry is not None and entry.has_failed:
        return Reached(False, f"'{address}': {entry.reason}")
    return Reached(True) if entry is None else None


_JUDGES = {"ready": _ready, "stopped": _stopped, "completed": _completed, "gone": _gone}
