"""Gates: whether a resource may be made now, and if not, for what it waits. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Protocol

from engine.apply.rollup import Told
from engine.contract.resource import OUTPUTS, Condition, OnBroken, Wait
from engine.record import Record
from engine.state.entry import Entry, Phase


class Reason(Record):
    """One condition that does not hold: of the resource at `address`, in words."""

    address: str
    text: str

    def __str__(self) -> str:
        return f"'{self.address}' {self.text}"


class Open(Record):
    """Everything holds at this instant."""


class Closed(Record):
    """Something does not hold yet."""

    reasons: tuple[Reason, ...]


class Broken(Record):
    """Something cannot come true unless somebody acts; `fail` says whether that is a failure of the one who waits."""

    reasons: tuple[Reason, ...]
    fail: bool = False


Gate = Open | Closed | Broken
OPEN = Open()


class Wholes(Protocol):
    """What judging those that are made of parts needs to know of them."""

    def resting(self, whole: Entry) -> Entry | None:
        """The part for which it is not there though it is wanted: one that is not to run."""

    def failing(self, whole: Entry) -> Told | None:
        """What is told of it where it has failed because of a part."""

    def begun(self, whole: Entry) -> bool:
        """Whether all its parts were started, ready or not."""


class Lives(Wholes, Protocol):
    """What judging and following others needs to know of them."""

    def find(self, address: str) -> Entry | None:
        """An entry."""

    def lives(self, address: str) -> Mapping[str, int]:
        """Which life of it this is; of what is made of parts, which of each of them, by address."""

    def now(self) -> float:
        """Unix seconds."""


class _Single:
    """Where nothing is made of parts."""

    def resting(self, whole: Entry) -> None:
        return None

    def failing(self, whole: Entry) -> None:
        return None

    def begun(self, whole: Entry) -> bool:
        return False


_SINGLE = _Single()


def gate_now(entry: Entry, around: Lives, unknown: Iterable[str]) -> Gate:
    """The gate of an entry among the others as they are at this moment."""
    return gate(entry, around.find, unknown, waited_since(entry, around.now()), around)


def gate(
    entry: Entry,
    find: Callable[[str], Entry | None],
    unknown: Iterable[str] = (),
    waited: float = 0.0,
    wholes: Wholes = _SINGLE,
) -> Gate:
    """The gate of an entry; `unknown` are the addresses whose outputs it needs and does not have.

    `waited` are the seconds that it has waited so far, see `waited_since`.
    """
    forced = is_forced(entry) and not unknown
    closed: list[Reason] = []
    broken: list[Reason] = []
    fail = False
    for wait in entry.resource.waits:
        if forced and not wait.address.startswith(f"{entry.address}/"):
            continue  # what is made of parts is as ready as they are, whatever is forced
        verdict = meets(wait, find(wait.address), waited, wholes)
        match verdict:
            case Open():
                pass
            case Closed(reasons):
                closed += reasons
            case Broken(reasons):
                broken += reasons
                fail = fail or wait.on_broken is OnBroken.FAIL
    told = {r.address for r in closed} | {r.address for r in broken}
    closed += [_output(address, find(address)) for address in unknown if address not in told]
    if broken:
        return Broken(tuple(broken + closed), fail)
    return Closed(tuple(closed)) if closed else OPEN


def waited_since(entry: Entry, now: float) -> float:
    """The seconds that an entry has waited at its gate; what failed there has waited for ever."""
    match entry.phase:
        case Phase.WAITING:
            return max(0.0, round(now - entry.since, 6))  # or a deadline would be short by less than any clock can tell
        case Phase.FAILED:
            return inf
        case _:
            return 0.0


def next_deadline(entry: Entry, waited: float) -> float | None:
    """In how many seconds the next deadline of a gate passes, None if none will."""
    left = [w.deadline - waited for w in entry.resource.waits if w.deadline is not None and w.deadline > waited]
    return min(left, default=None)


def meets(wait: Wait, seen: Entry | None, waited: float, wholes: Wholes) -> Gate:
    """Whether one condition holds."""
    verdict = _judge(wait, seen, wholes)
    if isinstance(verdict, Closed) and wait.deadline is not None and waited >= wait.deadline:
        (reason,) = verdict.reasons
        return Broken((Reason(wait.address, f"{reason.text} after {wait.deadline:g} s"),))
    return verdict


def is_forced(entry: Entry) -> bool:
    """Whether the gate is overridden for the incarnation that it is asked for."""
    return entry.forced >= 0 and entry.forced == gated_incarnation(entry)


def gated_incarnation(entry: Entry) -> int:
    """The number of the incarnation whose gate it is: the next one; of what is made of parts the one there is, once it is."""
    there = entry.token is not None and OUTPUTS in entry.resource.properties
    return entry.incarnation if there else next_incarnation(entry)


def next_token(entry: Entry) -> str:
    """The token of the incarnation that is made next: it can be computed again, whatever happens in between."""
    return f"{entry.address}#{next_incarnation(entry)}"


def next_incarnation(entry: Entry) -> int:
    """The number of the incarnation that a create makes: an unanswered create is tried again under its own."""
    return entry.incarnation + (0 if entry.intent is not None and entry.intent.operation == "create" else 1)


def met(entry: Entry, around: Lives) -> dict[str, int]:
    """The lives of those that an entry follows, as they are now."""
    return {a: n for w in entry.resource.waits if w.keep is not None for a, n in around.lives(w.address).items()}


def lives_anew(wait: Wait, entry: Entry, around: Lives) -> bool:
    """Whether the other side of a gate, or a part of it, lives anew since the entry that follows it was made.

    A part that came or went since then is no new life: who follows one that is scaled is left alone.
    """
    if wait.keep is None:
        return False
    return any(entry.met.get(address, life) != life for address, life in around.lives(wait.address).items())


def follow(entry: Entry, around: Lives) -> Wait | None:
    """The gate whose other side lives anew since the entry was made, and meets the condition again; None if there is none."""
    for wait in entry.resource.waits:
        if lives_anew(wait, entry, around) and isinstance(_judge(wait, around.find(wait.address), around), Open):
            return wait
    return None


def followed(address: str) -> dict[str, object]:
    """What is written of one that stops because one that it follows lives anew."""
    return {"run": False, "stopped_by": address, "reason": f"stopped: '{address}' lives anew"}


def _judge(wait: Wait, seen: Entry | None, wholes: Wholes) -> Gate:
    """What is found of the other by itself and by its parts; what started before one of them failed did start."""
    verdict = _look(wait, seen)
    if seen is not None and not isinstance(verdict, Broken) and (part := wholes.resting(seen)) is not None:
        return verdict if wait.condition is Condition.EXISTS else _at_rest(wait, part)
    started = isinstance(verdict, Open) and wait.condition is not Condition.READY
    if seen is None or started or isinstance(verdict, Broken):
        return verdict
    what = wholes.failing(seen)
    if what is not None:
        return Broken((Reason(wait.address, f"failed: {what.reason}"),))
    begun = wait.condition is Condition.STARTED and seen.run and not seen.deleting and wholes.begun(seen)
    return OPEN if begun else verdict


def _look(wait: Wait, seen: Entry | None) -> Gate:
    if seen is None:
        return _closed(wait, "is not there yet")
    if seen.deleting:
        return _closed(wait, "is being deleted")
    if seen.phase is Phase.FAILED:
        if wait.condition is Condition.COMPLETED and seen.current and seen.exit_code == wait.exit_code:
            return OPEN  # it ended as it was expected to, whatever its operator thinks of that
        return Broken((Reason(wait.address, "failed"),))
    if not seen.run and not seen.held:
        return _at_rest(wait, seen)
    if not seen.current:
        return _closed(wait, "is not up to date yet" if seen.token else f"is not {_WORDS[wait.condition]} yet")
    match wait.condition:
        case Condition.EXISTS:
            return OPEN
        case Condition.STARTED:
            return OPEN if seen.phase in (Phase.RUNNING, Phase.EXITED) else _closed(wait, "is not started yet")
        case Condition.READY:
            if seen.phase is Phase.EXITED:
                return Broken((Reason(wait.address, f"ended with exit code {seen.exit_code}"),))
            return OPEN if seen.phase is Phase.RUNNING and seen.ready else _closed(wait, "is not ready yet")
        case Condition.COMPLETED:
            if seen.phase is not Phase.EXITED:
                return _closed(wait, "is not completed yet")
            if seen.exit_code != wait.exit_code:
                text = f"ended with exit code {seen.exit_code}, not {wait.exit_code}"
                return Broken((Reason(wait.address, text),))
            return OPEN


_WORDS = {
    Condition.EXISTS: "there",
    Condition.STARTED: "started",
    Condition.READY: "ready",
    Condition.COMPLETED: "completed",
}


def _at_rest(wait: Wait, part: Entry) -> Closed:
    return _closed(wait, "is started only when that is asked for" if part.unasked else "is stopped")


def _closed(wait: Wait, text: str) -> Closed:
    return Closed((Reason(wait.address, text),))


def _output(address: str, seen: Entry | None) -> Reason:
    if seen is None:
        return Reason(address, "is not there yet")
    if seen.phase is Phase.FAILED:
        return Reason(address, "failed")
    return Reason(address, "has no outputs yet")
