"""A pass: settles what was interrupted, looks, and moves one resource one step. A generator that performs nothing itself.

It yields `Write` (answered at once, with the entry as it is then) and calls of the operator (answered when they are), and
returns how it ends. It may be dropped at any yield: the next pass goes on from what the log and the outside say.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.apply import effects as do
from engine.apply import report
from engine.apply.composite import COMPOSITE
from engine.apply.effects import Again, Done, Later, ProviderBug, Retry, Surroundings
from engine.apply.gate import (
    Broken,
    Closed,
    Gate,
    Open,
    follow,
    followed,
    gate_now,
    met,
    next_deadline,
    next_incarnation,
    next_token,
    waited_since,
)
from engine.apply.ownership import is_due, move, must_release
from engine.apply.retiring import is_in_place, let_go, may_stay, retire, retired, staying
from engine.contract.difference import tolerates
from engine.contract.errors import Blocked, OperatorError, Terminal, Transient
from engine.contract.operator import Difference, Observed, Operator, Replace, Same, Update
from engine.contract.resource import Drift, Reaction, Resource
from engine.contract.value import has_secret
from engine.state.entry import Entry, Intent, Phase
from engine.state.event import Kind

Steps = Generator["do.Write | do.Effect", Any, Any]
"""What a part of a pass is; it returns something to the part that called it."""

BLOCKED_POLL = 5.0
"""Seconds after which a blocked resource is looked at even if nothing told to."""


def run(address: str, around: Surroundings) -> do.Pass:
    """One pass for one key."""
    entry = around.find(address)
    if entry is None:
        return Done()
    release = must_release(entry, around.nominate)
    if is_due(entry) and not release:
        step = move(entry, around.nominate)
        if step is not None:
            entry = yield do.Write(step.kind, step.changes)
    assert entry is not None
    if entry.operator is None:
        if entry.deleting:
            yield do.Write(Kind.GONE)
        return Done()
    # nobody could own what is held: it stays as it is, and says why
    keep = is_due(entry) and entry.run and not release
    operator = around.operators.get(entry.operator)
    if operator is None:
        if entry.deleting and (entry.detached or not entry.held):
            yield do.Write(Kind.GONE)
        else:
            reason = f"its operator '{entry.operator}' is not installed"
            yield do.Write(Kind.STATUS, {"phase": Phase.FAILED, "reason": reason})
        return Done()
    return (yield from _Pass(address, around, operator, release, keep).converge())


class _Pass:
    """The part of a pass that has an operator."""

    __slots__ = ("address", "around", "keep", "operator", "release")

    def __init__(self, address: str, around: Surroundings, operator: Operator, release: bool, keep: bool) -> None:
        self.address = address
        self.around = around
        self.operator = operator
        self.release = release
        self.keep = keep

    @property
    def entry(self) -> Entry:
        """The entry as it is at this moment: edits do not wait for passes."""
        entry = self.around.find(self.address)
        assert entry is not None, f"{self.address} is gone under its own pass"
        return entry

    def converge(self) -> do.Pass:
        """See the module; maps what the operator raises to how the pass ends."""
        at = (self.entry.generation, self.entry.nonce)
        try:
            return (yield from self._steps())
        except Transient as error:
            if self.around.gives_up(error):
                return (yield from self._fail(report.told(error), at))
            yield do.Write(Kind.STATUS, {"reason": report.RETRYING + error.reason})
            return Retry(error.after)
        except Blocked as error:
            yield from self._wait(f"waits for '{error.address}': {error.reason}")
            return Later(BLOCKED_POLL)
        except Terminal as error:
            return (yield from self._fail(report.told(error), at))
        except ProviderBug as bug:
            return (yield from self._fail(str(bug), at))

    def _fail(self, reason: str, at: tuple[int, int]) -> do.Pass:
        """Final until the wish changes; a create or an update that failed may have left something, so look before forgetting."""
        entry = self.entry
        changes: dict[str, Any] = {
            "phase": Phase.FAILED,
            "reason": reason,
            "failed_at": at,
            "observed_generation": at[0],
        }
        intent = entry.intent
        if intent is not None:
            try:
                found = yield do.Observe(self.operator, entry.made, intent.token)
            except (OperatorError, ProviderBug) as error:
                # the intent stays open, and is settled by a later pass or run
                yield do.Write(Kind.STATUS, changes)
                return Done() if self.around.gives_up(error) else Retry()
            changes = {**report.settled(intent, found, self.entry), **changes}
        yield do.Write(Kind.STATUS, changes)
        return Done()

    def _wait(self, reason: str) -> Steps:
        phase = {} if self.entry.held else {"phase": Phase.WAITING}
        yield do.Write(Kind.STATUS, {"reason": reason, **phase})

    # ---------------------------------------------------------------- the steps

    def _steps(self) -> do.Pass:
        entry = self.entry
        if entry.detached or (entry.resource.existing and entry.deleting):
            yield from let_go(entry, self.operator)
            return Done()
        if entry.has_failed and entry.deleting and entry.held:
            return Done()
        if entry.intent is not None:
            yield from self._settle(entry, entry.intent)
        if entry.resource.existing:
            return (yield from self._read())
        observed = None
        if self.operator.effects and self.entry.token is not None:
            observed = yield do.Observe(self.operator, self.entry.made, self.entry.token)
            if observed is None:
                yield do.Write(Kind.STATUS, {**report.NOTHING, "phase": self._phase_of_loss(), "reason": "it vanished"})
        if self._unwanted:
            return (yield from self._remove())
        if self.keep:
            return Done() if self.entry.held else Again()
        if self.entry.has_failed:
            yield do.Write(Kind.STATUS, {"phase": Phase.FAILED, "observed_generation": self.entry.generation})
            return Done()
        return (yield from self._provide(observed))

    @property
    def _unwanted(self) -> bool:
        """Whether what is there has to go."""
        entry = self.entry
        return entry.deleting or not entry.run or self.release

    def _phase_of_loss(self) -> Phase:
        return Phase.WAITING if self.entry.phase in (Phase.RUNNING, Phase.EXITED) else self.entry.phase

    def _settle(self, entry: Entry, intent: Intent) -> Steps:
        """The log says what was meant, the outside says what is."""
        found = yield do.Observe(self.operator, entry.made, intent.token)
        if intent.operation == "create" and found is None and not self._unwanted and not self.keep:
            return  # stays open: it is tried again under the same token
        yield do.Write(Kind.STATUS, report.settled(intent, found, self.entry))

    def _read(self) -> do.Pass:
        """An existing resource: it is only looked at."""
        entry = self.entry
        wanted, unknown = self.around.resolved(entry)
        verdict = self._gate(unknown)
        if not isinstance(verdict, Open):
            return (yield from self._held_up(verdict))
        token = f"{self.address}#existing"
        known = self.around.existing(wanted)
        if known is not None and self.operator.effects and (wanted.lists or has_secret(known)):
            known = None  # who made it knows them; this run has to read them
        observed: Observed | None
        if known is not None:
            observed = Observed(str(wanted.id), token, known)
        elif self.operator.effects:
            observed = yield do.Observe(self.operator, wanted, token)
        else:
            observed = None
        if observed is None:
            why = ", or no operator can look for it" if self.operator is COMPOSITE else ""
            raise Terminal(f"'{wanted.id}' does not exist{why}")
        incarnation = max(1, self.entry.incarnation)
        changes, end = report.health(self.entry.replace(incarnation=incarnation), observed)
        yield from self._record(wanted, observed, {**changes, "token": token, "incarnation": incarnation})
        return end

    # ---------------------------------------------------------------- away

    def _remove(self) -> do.Pass:
        entry = self.entry
        if entry.token is not None or entry.retiring is not None:
            phase = Phase.DELETING if entry.deleting else Phase.STOPPING
            if (user := self.around.in_the_way(self.address)) is not None:
                yield do.Write(Kind.STATUS, {"phase": phase, "reason": f"'{user}' still uses it"})
                return Done()
            if self.around.held_back:
                return Done()
            if entry.retiring is not None:
                yield from retire(entry, self.operator)
                return Again()  # meanwhile others may have come in the way of what is left
            yield from self._delete(phase)
        if self.entry.deleting:
            yield do.Write(Kind.GONE)
            return Done()
        if not self._unwanted:
            return Again()  # wanted again meanwhile
        stopped = {"phase": Phase.STOPPED, "reason": "", "observed_generation": self.entry.generation}
        yield do.Write(Kind.STATUS, stopped)
        return Again() if self.release or is_due(self.entry) else Done()

    def _delete(self, phase: Phase, reason: str = "") -> Steps:
        entry = self.entry
        token = entry.token
        assert token is not None
        if self.operator.effects:
            intent = Intent("delete", token, entry.generation, entry.nonce)
            yield do.Write(Kind.INTENT, {"phase": phase, "intent": intent, "reason": reason})
        yield do.Delete(self.operator, entry.made, token)
        if not self.operator.effects and phase is Phase.DELETING:
            return  # that it is gone is all there is to say
        nothing: dict[str, Any] = dict(report.NOTHING)
        if self.entry.phase not in (Phase.STOPPING, Phase.DELETING, Phase.STARTING):
            nothing["phase"] = phase  # for what lives in the log alone, this is the only event
        yield do.Write(Kind.STATUS, {**nothing, "intent": None})

    # ---------------------------------------------------------------- here

    def _provide(self, observed: Observed | None) -> do.Pass:
        entry, beside = self.entry, {}
        wanted, unknown = self.around.resolved(entry)
        verdict = self._gate(unknown)
        if entry.token is not None:
            if unknown:
                return (yield from self._held_up(verdict))
            difference = self._difference(entry, wanted, observed)
            follows = follow(entry, self.around) if self.operator.effects else None
            asked = entry.nonce != entry.applied_nonce  # somebody wants it to live anew: that counts
            if follows is not None and follows.keep is Reaction.STOP and not asked:
                yield do.Write(Kind.DESIRED, followed(follows.address))
                return Again()
            if follows is not None and not isinstance(difference, Replace):
                difference = Replace((), f"'{follows.address}' lives anew")
            if isinstance(difference, Same):
                if self.operator is COMPOSITE and not isinstance(verdict, Open):
                    return (yield from self._held_up(verdict))  # it is as ready as its parts are
                return (yield from self._as_it_is(wanted, observed))
            if not isinstance(verdict, Open):
                return (yield from self._held_up(verdict))
            if self.around.held_back:
                return Done()
            if isinstance(difference, Update):
                return (yield from self._update(wanted, observed))
            if hasattr(self.operator, "make_ready"):
                yield do.MakeReady(self.operator, wanted, entry.token)
            beside = retired(self.entry) if may_stay(self.entry, difference) else {}
            if not beside and not self._unwanted:  # what is taken away meanwhile goes in its turn, users first
                yield from self._delete(Phase.STOPPING, f"replaced: {difference.why}".removesuffix(": "))
            if self._unwanted or (beside and self.entry.resource is not entry.resource):
                return Again()
            # others moved meanwhile, so the gate is asked again
            wanted, unknown = self.around.resolved(self.entry)
            verdict = self._gate(unknown)
        if not isinstance(verdict, Open):
            return (yield from self._held_up(verdict))
        if self.around.held_back:
            return Done()
        return (yield from self._create(wanted, beside))

    def _difference(self, entry: Entry, wanted: Resource, observed: Observed | None) -> Difference:
        if entry.nonce != entry.applied_nonce:
            return Replace((), "restarted")
        try:
            difference = self.operator.diff(wanted, entry.applied, observed)
        except Exception as error:
            raise ProviderBug.of(error) from error
        if entry.applied_generation == 0:  # an update whose answer was lost
            return Update() if isinstance(difference, Same) else difference
        return Same() if self._tolerates(wanted, difference) else difference

    def _tolerates(self, wanted: Resource, difference: Difference) -> bool:
        if isinstance(difference, Same) or self.entry.phase is Phase.FAILED:
            return False
        return tolerates(wanted, self.operator, self.entry.applied)

    def _as_it_is(self, wanted: Resource, observed: Observed | None) -> do.Pass:
        entry = self.entry
        if observed is None:  # lives in the log alone
            if not (entry.current and entry.ready) or entry.phase is not Phase.RUNNING or entry.reason:
                yield do.Write(
                    Kind.STATUS, {**self._up_to_date(wanted), **report.RUNS, "ready_incarnation": entry.incarnation}
                )
            return Done()
        told = entry.applied is not None and wanted.drift == Drift.REPORT
        difference = self.operator.diff(wanted, entry.applied, observed) if told else Same()
        yield from self._record(wanted, observed, {})
        changes, end = report.health(self.entry, observed)
        if not isinstance(difference, Same) and not changes["reason"]:
            changes["reason"] = f"was changed outside of Ulna: {', '.join(difference.paths) or 'as a whole'}"
        behind = None if entry.retiring is None else self.around.left_behind(self.address)
        yield do.Write(Kind.STATUS, changes if behind is None else staying(changes, behind))
        if behind is None and is_in_place(self.entry) and not self.around.held_back:
            yield from retire(self.entry, self.operator)
        return end

    def _gate(self, unknown: tuple[str, ...]) -> Gate:
        return gate_now(self.entry, self.around, unknown)

    def _held_up(self, verdict: Open | Closed | Broken) -> do.Pass:
        """Waiting for something; where nothing is there yet, an unanswered create that made nothing is given up."""
        assert not isinstance(verdict, Open)
        entry = self.entry
        failed, reason = isinstance(verdict, Broken) and verdict.fail, report.held_up(entry, verdict)
        if entry.token is not None:
            unready = {"ready_incarnation": -1} if self.operator is COMPOSITE else {}
            yield do.Write(Kind.STATUS, {"reason": reason, **unready})
            return Done()
        news = entry.reason != reason and (reason.startswith(report.IN_VAIN) or entry.reason.startswith(report.IN_VAIN))
        if failed or news or entry.phase is not Phase.WAITING or entry.intent is not None:
            changes = {"intent": None, "observed_generation": entry.generation}
            phase = Phase.FAILED if failed else Phase.WAITING
            # what it waits for changes often and can be asked of the gate: it is no event of its own, but that it waits in vain is
            yield do.Write(Kind.STATUS, {"phase": phase, "reason": reason, **changes})
        left = next_deadline(self.entry, waited_since(self.entry, self.around.now()))
        return Done() if left is None else Later(left)

    def _create(self, wanted: Resource, beside: dict[str, Any]) -> do.Pass:
        entry = self.entry
        incarnation, token = next_incarnation(entry), next_token(entry)
        wired = self.around.dependencies(self.address)
        intent = Intent("create", token, entry.generation, entry.nonce, wanted.properties, wired)
        if self.operator.effects:
            announced = {"phase": Phase.STARTING, "reason": "", "exit_code": None, "incarnation": incarnation}
            yield do.Write(Kind.INTENT, {**beside, **announced, "intent": intent, "met": met(entry, self.around)})
        observed = yield do.Create(self.operator, wanted, token)
        return (yield from self._made(wanted, observed, intent, {"incarnation": incarnation, "token": token}))

    def _update(self, wanted: Resource, observed: Observed | None) -> do.Pass:
        entry = self.entry
        assert entry.token is not None
        wired = self.around.dependencies(self.address)
        intent = Intent("update", entry.token, entry.generation, entry.nonce, wanted.properties, wired)
        if self.operator.effects:
            # until it is answered it leans on what it was wired to as well as on what it will be
            yield do.Write(Kind.INTENT, {"intent": intent, "reason": ""})
        found = yield do.Update(self.operator, wanted, entry.token, observed)
        return (yield from self._made(wanted, found, intent, {}))

    def _made(self, wanted: Resource, observed: Observed, intent: Intent, changes: dict[str, Any]) -> do.Pass:
        """Record the answer of a create or an update: what was made is what the intent said, whatever was edited since."""
        if not isinstance(observed, Observed):
            raise ProviderBug.saying(f"'{self.operator.name}' answered {intent.operation} with {observed!r}")
        outputs = report.outputs(wanted, observed)
        state, end = report.health(self.entry.replace(**changes), observed)
        made = {
            "intent": None,
            "applied": report.applied(wanted, outputs),
            "applied_generation": intent.generation,
            "applied_nonce": intent.nonce,
            "observed_generation": intent.generation,
            "wired": intent.wired,
            "outputs": outputs,
        }
        yield do.Write(Kind.STATUS, {**changes, **made, **state})
        return Again() if self.entry.retiring is not None and isinstance(end, Done) else end

    def _record(self, wanted: Resource, observed: Observed, changes: dict[str, Any]) -> Steps:
        outputs = report.outputs(wanted, observed)
        applied = report.applied(wanted, outputs)
        more = {"outputs": outputs, "applied": applied, "external_id": observed.id}
        yield do.Write(Kind.STATUS, {**changes, **self._up_to_date(wanted), **more})

    def _up_to_date(self, wanted: Resource) -> dict[str, Any]:
        entry = self.entry
        return {
            "applied_generation": entry.generation,
            "applied_nonce": entry.nonce,
            "observed_generation": entry.generation,
            "wired": self.around.dependencies(self.address),
        }
