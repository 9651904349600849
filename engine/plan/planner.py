"""From what is wanted and what is there to what will change: pure, and with the operators' own `diff`.

Resource by resource in the order of the graph. What a resource reports stays known while it does not change; once it
does, only what its operator foresees is, and whoever reads anything else of it may change too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.contract.listing import is_call, offered
from engine.contract.operator import Observed, Operator, runs
from engine.contract.resource import OUTPUTS, Condition, Resource, deployment_of
from engine.contract.value import Properties, Unknown, Value, is_known
from engine.expand.desired import Pending
from engine.expand.functions.signature import EvaluationError
from engine.plan.asleep import asleep
from engine.plan.change import Action, Change, PropertyChange, Undecided
from engine.plan.graph import leans_on, order
from engine.plan.known import Foresight, Resolve, body
from engine.plan.plan import Basis, OnUnmanage, Plan
from engine.plan.verdict import Verdict, judge, known_as, reports, unstarted
from engine.render.native import Native, Nomination
from engine.state.entry import Entry

Find = Callable[[str, Resource], Operator | None]
"""The operator of a name that serves a resource."""

Seen = Mapping[str, Observed | None]
"""What is live, by address: None where it is gone, missing where nobody looked."""

NOTHING: Mapping[str, Any] = {}


def plan(
    basis: Basis,
    native: Native,
    entries: Mapping[str, Entry],
    find: Find,
    resolve: Resolve,
    seen: Seen = NOTHING,
    foresight: Foresight | None = None,
) -> Plan:
    """What deploying the rendered graph would do; `entries` is the whole state of the environment.

    A `foresight` that is given learns what the plan knows of every resource's outputs. Raises `UlnaError` for a value that
    cannot be worked out, as far as it can be told already.
    """
    wanted = {r.address: r for r in native.resources}
    foresight = Foresight(resolve) if foresight is None else foresight
    parts: dict[str | None, list[Entry]] = {}
    for entry in entries.values():
        parts.setdefault(entry.resource.owner, []).append(entry)
        if entry.outputs and deployment_of(entry.address) != basis.deployment:
            foresight.stays(entry.address, entry.outputs)
    changes: list[Change] = []
    new = asleep(
        (r for r in native.resources if r.address not in entries),
        entries.get,
        lambda owner: parts.get(owner, ()),
        lambda r: runs(find(_owner(r, native, entries), r), r),
    )
    resting = {a: unstarted(wanted[a], by) for a, by in new.items()}
    idle: dict[str, str] = {}
    for address in order({r.address: leans_on(r) for r in native.resources}):
        resource = wanted[address]
        if resource.existing:
            there = _existing(resource, entries, seen)
            if there is not None:
                foresight.stays(address, there)
            continue
        one = _One(
            resource, entries.get(address), foresight, seen, resting.get(address, ""), _held_by(resource, idle, entries)
        )
        nomination = native.nominations.get(address, Nomination(None))
        if OUTPUTS in resource.properties:
            composed = one.composed(nomination.operator)
            handed = " → ".join((*nomination.hops, str(nomination.operator)))
            said = f"handed on: {handed}" if nomination.hops and not composed.reason else composed.reason
            changes.append(composed.replace(reason=said))
        elif nomination.operator is None:
            changes.append(one.orphaned(nomination.reason))
        else:
            owner = one.owner(nomination.operator)
            operator = find(owner, resource)
            changes.append(
                one.operated(operator) if operator else one.orphaned(f"its operator '{owner}' is not installed")
            )
        if one.rests:
            idle[address] = one.held_by or idle.get(address) or known_as(resource)
            if resource.owner is not None:
                resting.setdefault(resource.owner, changes[-1].reason)
                idle.setdefault(resource.owner, idle[address])
    changes.extend(_leaving(basis, wanted, entries, native.pending))
    return Plan(basis, tuple(changes), tuple(_undecided(p, wanted, entries) for p in native.pending))


def _owner(resource: Resource, native: Native, entries: Mapping[str, Entry]) -> str:
    """The name of who has a resource, or is to have it."""
    nominee = native.nominations.get(resource.address)
    entry = entries.get(resource.address)
    return (nominee.operator if nominee is not None else entry.operator if entry is not None else None) or ""


def _held_by(resource: Resource, idle: Mapping[str, str], entries: Mapping[str, Entry]) -> str:
    """The name of what rests and must be started before this one can be made or changed; "" where there is none."""
    if not idle:
        return ""
    there = {
        w.address
        for w in resource.waits
        if w.condition is Condition.EXISTS and (entry := entries.get(w.address)) is not None and entry.current
    }
    return next((idle[a] for a in sorted(leans_on(resource) - there) if a in idle and a != resource.owner), "")


def _existing(resource: Resource, entries: Mapping[str, Entry], seen: Seen) -> Properties | None:
    """What is known of a resource that is only read: as it was seen, or what the state says of the one with its id."""
    wanted, live, read = str(resource.id).lower(), seen.get(resource.address), entries.get(resource.address)
    if live is not None and read is not None and str(read.resource.id).lower() == wanted and is_listed(resource, live):
        inner = live.properties.get("properties")
        return {**live.properties, **body(resource, {**(inner if isinstance(inner, dict) else {}), **live.outputs})}
    for entry in () if resource.lists else entries.values():
        if entry.outputs and str(entry.resource.id).lower() == wanted and not entry.resource.existing:
            return entry.outputs
    return None


def is_listed(resource: Resource, live: Observed | None) -> bool:
    """Whether what others list of it was seen: what is secret in it is known only to a run that looks."""
    return all(live is not None and offered(name) in live.outputs for name in resource.lists)


class _One:
    """The planning of one resource."""

    __slots__ = ("entry", "foresight", "held_by", "outputs", "resting", "rests", "seen", "wanted", "written")

    def __init__(
        self, resource: Resource, entry: Entry | None, foresight: Foresight, seen: Seen, resting: str, held_by: str
    ) -> None:
        self.resting, self.held_by = resting, held_by
        self.outputs: Properties = resource.properties.get(OUTPUTS) or {}
        self.written = resource = _written(resource)
        self.entry = entry
        self.foresight = foresight
        self.rests = False
        self.seen = seen
        try:
            properties = foresight.value(resource.properties)
            name = resource.name if type(resource.name) is str else foresight.value(resource.name)
            id = resource.id if type(resource.id) is str else foresight.value(resource.id)
        except EvaluationError as error:
            from engine.plan.unresolved import unresolved

            raise unresolved(resource, error, foresight.value) from None
        same = properties is resource.properties and name is resource.name and id is resource.id
        self.wanted = resource if same else resource.replace(properties=properties, name=name, id=id)

    def owner(self, nominee: str) -> str:
        """The operator that will own it: whoever does, while the wish is what it was, else the nominee."""
        if self.entry is None or self.entry.operator in (None, nominee):
            return nominee
        return self.entry.operator if self.entry.resource == self.written.replace(origin=None) else nominee

    def operated(self, operator: Operator) -> Change:
        """What its operator will do."""
        verdict = judge(self.wanted, self.entry, operator, self.seen, self.resting, self.held_by)
        stays = verdict.action is Action.NO_CHANGE and not verdict.rests
        if stays and is_listed(self.wanted, self.seen.get(self.wanted.address)):
            self.foresight.stays(self.wanted.address, self.reported({}))
        else:
            outputs = operator.outputs(self.wanted)
            self.foresight.changes(
                self.wanted.address, body(self.wanted, outputs), complete=bool(outputs) or not operator.effects
            )
        return self.change(verdict, operator.name)

    def composed(self, operator: str | None) -> Change:
        """What becomes of one whose children do the work: it is rendered anew, or rests as one of them does."""
        applied = self.entry.applied if self.entry is not None else None
        if self.entry is not None and applied is not None and OUTPUTS in applied.properties:
            declared = {k: v for k, v in applied.properties.items() if k != OUTPUTS}
            self.entry = self.entry.replace(applied=applied.replace(properties=declared))
        verdict = judge(self.wanted, self.entry, None, self.seen, self.resting)
        reported = body(self.wanted, self.foresight.value(self.outputs))
        if verdict.action is Action.NO_CHANGE and not verdict.rests and applied is not None:
            verdict = reports(applied, reported)
        if verdict.action is Action.NO_CHANGE and not verdict.rests:
            self.foresight.stays(self.wanted.address, self.reported(self.outputs))
        else:
            self.foresight.changes(self.wanted.address, reported, complete=True)
        return self.change(verdict, operator)

    def orphaned(self, reason: str) -> Change:
        """One that no operator takes."""
        self.foresight.changes(self.wanted.address, {})
        return self.change(Verdict(Action.UNSUPPORTED, reason or "no operator takes it"))

    def reported(self, outputs: Properties) -> Properties:
        """What it reported when it was made; a state without that is helped out."""
        known = (self.entry.outputs if self.entry is not None else None) or body(self.wanted, outputs)
        live = self.seen.get(self.wanted.address)
        if live is None or not self.wanted.lists:
            return known
        return {**known, **{k: v for k, v in live.outputs.items() if is_call(k)}}

    def follows(self, action: Action) -> tuple[str, ...]:
        """The changing resources that it reads; of something new only those whose outputs are not foreseen."""
        if not action.acts or (action is Action.CREATE and is_known([self.wanted.properties, self.wanted.name])):
            return ()
        return self.foresight.follows([self.written.properties, self.written.name])

    def change(self, verdict: Verdict, operator: str | None = None) -> Change:
        """The line of the plan."""
        self.rests = verdict.rests
        wanted, before = self.wanted, None
        if self.entry is not None and self.entry.applied is not None and verdict.action is not Action.CREATE:
            before = self.entry.applied.properties
        differences: tuple[PropertyChange, ...] = ()
        if before is not None and verdict.action in (Action.MODIFY, Action.REPLACE, Action.DEPLOY):
            from engine.plan.diff import baseline, delta, marked, without_effect  # not for a plan without changes

            live = self.seen.get(wanted.address)
            before = before if live is None else baseline(before, live.properties, wanted.properties)
            differences = marked(without_effect(delta(before, wanted.properties), verdict.paths), verdict.forced_by)
        return Change(
            wanted.address,
            _text(wanted.id),
            wanted.type,
            wanted.api_version,
            _text(wanted.name),
            verdict.action,
            verdict.reason,
            operator,
            wanted.owner,
            before,
            wanted.properties,
            differences,
            verdict.forced_by,
            verdict.order,
            self.follows(verdict.action),
        )


def _written(resource: Resource) -> Resource:
    """A resource without what rendering put beside its body."""
    if OUTPUTS not in resource.properties:
        return resource
    return resource.replace(properties={k: v for k, v in resource.properties.items() if k != OUTPUTS})


def _text(value: Value) -> str:
    """A name or an id, in words where it is not known yet."""
    return f"({value.why})" if isinstance(value, Unknown) else str(value)


def _leaving(
    basis: Basis, wanted: Mapping[str, Resource], entries: Mapping[str, Entry], pending: Sequence[Pending]
) -> list[Change]:
    """What is in the state and not in the template: ours goes, in the order it was wired; the rest is ignored."""
    ours: dict[str, Entry] = {}
    others: list[Change] = []
    for entry in entries.values():
        if entry.address in wanted or entry.detached or entry.resource.existing:
            continue
        if deployment_of(entry.address) != basis.deployment:
            others.append(_gone(entry, Action.IGNORE, ""))
        elif entry.declared and not any(p.covers(entry.address) for p in pending):
            ours[entry.address] = entry
    made_at_run_time = [e for e in entries.values() if not e.declared and e.address not in wanted]
    ours |= {e.address: e for e in made_at_run_time if _below(e, ours, entries)}
    first = order({e.address: [*e.wired, *leans_on(e.resource)] for e in ours.values()})
    action = Action.DETACH if basis.on_unmanage == OnUnmanage.DETACH else Action.DELETE
    return [_gone(ours[a], action, _why(ours[a], action)) for a in reversed(first)] + others


def _below(entry: Entry, owners: Mapping[str, Entry], entries: Mapping[str, Entry]) -> bool:
    """Whether what was made at run time goes with one of these."""
    owner = entry.resource.owner
    while owner is not None and owner not in owners:
        owner = entries[owner].resource.owner if owner in entries else None
    return owner is not None


def _why(entry: Entry, action: Action) -> str:
    if entry.deleting:
        return "its deletion was begun before"
    return "no longer in the file" if action is Action.DELETE else "no longer in the file, lives on without Ulna"


def _gone(entry: Entry, action: Action, reason: str) -> Change:
    resource = entry.resource
    return Change(
        entry.address,
        _text(resource.id),
        resource.type,
        resource.api_version,
        _text(resource.name),
        action,
        reason,
        entry.operator,
        resource.owner,
        before=entry.applied.properties if entry.applied else None,
    )


def _undecided(pending: Pending, wanted: Mapping[str, Resource], entries: Mapping[str, Entry]) -> Undecided:
    present = sorted(a for a in entries if pending.covers(a) and a not in wanted)
    return Undecided(pending.address, str(pending.unit), tuple(sorted(pending.needs)), tuple(present))
