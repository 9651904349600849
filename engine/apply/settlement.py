"""How it ended: for each resource whether it is as wished, and if not, the one cause. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from engine.apply.effects import Create, Delete, Effect, MakeReady, Observe, Release, Retire, Update
from engine.apply.gate import Broken, Closed, gate_now
from engine.apply.model import Model, is_settled
from engine.apply.report import held_up
from engine.contract.errors import Terminal
from engine.diagnostics.diagnostic import Diagnostic
from engine.expand.desired import Pending
from engine.plan.verdict import known_as
from engine.record import Record
from engine.state.entry import Entry, Phase


class Settlement(Record):
    """What became of a run.

    `succeeded` are the addresses that are as wished; `failed` those that are not, with the cause; `skipped` those that could
    not be tried because of another, with which one; `unfinished` what was still going on when time was up or a stop was asked
    for. `gone` were deleted. `resting` are those that are not to run, and why, which is as wished. `acted` says for each
    address what was last done to it: create, update, replace, delete. `problems` came up while undecided parts were expanded.
    `stopped` and `timed_out` say why it ended early.
    """

    succeeded: tuple[str, ...] = ()
    failed: Mapping[str, str] = {}
    skipped: Mapping[str, str] = {}
    unfinished: Mapping[str, str] = {}
    gone: tuple[str, ...] = ()
    acted: Mapping[str, str] = {}
    problems: tuple[Diagnostic, ...] = ()
    stopped: bool = False
    timed_out: bool = False
    resting: Mapping[str, str] = {}

    @property
    def ok(self) -> bool:
        """Whether everything is as wished."""
        return not (self.failed or self.skipped or self.unfinished or self.problems)


def deed(before: str, effect: Effect) -> str:
    """The word for what was done to a resource in this run, one call later."""
    match effect:
        case Create():
            return "replace" if before == "delete" else "create"
        case Update():
            return before or "update"
        case Delete():
            return "delete"
        case Retire():
            return "replace" if before == "create" else before
        case Observe() | MakeReady() | Release():
            return before


def settlement(
    model: Model,
    addresses: Iterable[str],
    pending: Iterable[Pending],
    *,
    gone: tuple[str, ...] = (),
    acted: Mapping[str, str],
    problems: tuple[Diagnostic, ...] = (),
    stopped: bool = False,
    timed_out: bool = False,
) -> Settlement:
    """The settlement of some entries of a model."""
    addresses = tuple(addresses)
    causes, held = _Causes(model), _held_by_what_rests(model)
    succeeded: list[str] = []
    failed: dict[str, str] = {}
    skipped: dict[str, str] = {}
    unfinished: dict[str, str] = {}
    for address in addresses:
        entry = model.state.entries[address]
        if is_fine(entry):
            succeeded.append(address)
        elif (reason := own_failure(entry)) is not None:
            failed[address] = reason
        elif (cause := causes.of(address)) is not None:
            skipped[address] = f"'{cause}' failed"
        elif address in held:
            succeeded.append(address)
        else:
            unfinished[address] = _words(entry, model)
    for part in pending:
        cause = next((c for n in sorted(part.needs) if (c := causes.of(n)) is not None), None)
        if cause is not None:
            skipped[part.address] = f"'{cause}' failed"
        elif not problems:
            names = ", ".join(f"'{n}'" for n in sorted(part.needs))
            unfinished[part.address] = f"waits for the outputs of {names}"
    resting = at_rest(map(model.state.entries.__getitem__, addresses))
    return Settlement(
        tuple(succeeded), failed, skipped, unfinished, gone, dict(acted), problems, stopped, timed_out, resting
    )


def at_rest(entries: Iterable[Entry]) -> dict[str, str]:
    """What is not to run, and why; what is made of parts for those of it that are not."""
    there = [e for e in entries if not e.run and not e.deleting]
    return {e.resource.owner or e.address: e.rest(known_as(e.resource)) for e in reversed(there)}


def is_fine(entry: Entry) -> bool:
    """Whether an entry is as wished."""
    if entry.deleting:
        return False
    if not entry.run:
        return entry.phase is Phase.STOPPED
    return is_settled(entry) and entry.retiring is None and not (entry.phase is Phase.EXITED and entry.exit_code)


def _held_by_what_rests(model: Model) -> set[str]:
    """What waits, at any remove, for nothing but what is not to run: that is as wished."""
    resting = {a for a, e in model.state.entries.items() if not e.run and is_fine(e)}
    held = set(resting)
    todo = list(resting)
    while todo:
        for address in model.waiters(todo.pop()):
            entry = model.find(address)
            if entry is not None and address not in held and _waits_for(entry, held, model):
                held.add(address)
                todo.append(address)
    return held


def _waits_for(entry: Entry, others: Container[str], model: Model) -> bool:
    """Whether it is held up by these alone, and by nothing of its own."""
    if is_fine(entry) or not entry.run or entry.deleting or own_failure(entry) is not None:
        return False
    try:
        _, unknown = model.resolved(entry)
    except Terminal:
        return False
    verdict = gate_now(entry, model, unknown)
    return isinstance(verdict, Closed) and all(r.address in others for r in verdict.reasons)


def own_failure(entry: Entry) -> str | None:
    """Why an entry itself failed; None if it did not, or only for another."""
    if entry.phase is Phase.FAILED:
        return entry.reason or "it failed"
    if entry.phase is Phase.PENDING and entry.reason:
        return entry.reason
    if entry.phase is Phase.EXITED and entry.exit_code and entry.current:
        return f"ended with exit code {entry.exit_code}"
    if entry.owner_generation != entry.generation and entry.operator is not None and entry.held and not entry.deleting:
        return entry.reason or None
    return None


def _words(entry: Entry, model: Model) -> str:
    if entry.deleting:
        return entry.reason or "is being deleted"
    try:
        _, unknown = model.resolved(entry)
    except Terminal as error:
        return error.reason
    verdict = gate_now(entry, model, unknown)
    if not entry.current and isinstance(verdict, Closed | Broken):
        return held_up(entry, verdict)
    return entry.reason or ("is not ready yet" if entry.token else f"is {entry.phase.lower()}")


class _Causes:
    """For each address the failed one that it comes down to, found once."""

    __slots__ = ("_known", "_model")

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[str, str | None] = {}

    def of(self, address: str) -> str | None:
        """The address whose failure is the cause, which may be the same one; None if there is none."""
        stack = [address]
        seen: set[str] = set()
        while stack:
            name = stack[-1]
            if name in self._known:
                stack.pop()
                continue
            entry = self._model.find(name)
            if entry is None or is_fine(entry):
                self._known[name] = None
                continue
            if own_failure(entry) is not None:
                self._known[name] = name
                continue
            if entry.deleting:
                user = self._model.leaning(name)
                others: tuple[str, ...] = () if user is None else (user,)
            else:
                others = self._model.dependencies(name)
            # each is opened once: what comes again is below itself, and cannot be its own cause
            unknown = [o for o in others if o not in self._known and o not in seen]
            seen.add(name)
            if unknown:
                stack += unknown
                continue
            self._known[name] = next((c for o in others if (c := self._known.get(o)) is not None), None)
        return self._known[address]
