"""From a batch to events: checked against the model as it is now, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from engine.apply.batch import Batch
from engine.apply.gate import gated_incarnation
from engine.apply.model import Model
from engine.apply.ownership import move, must_release
from engine.contract.operator import runs
from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.expand.desired import Pending
from engine.plan.asleep import asleep
from engine.record import Record
from engine.state.entry import COMMAND, SESSION, Entry, Phase
from engine.state.event import Kind


class Draft(Record):
    """An event without its place in the log."""

    kind: Kind
    key: str
    data: dict[str, Any]


def drafts(batch: Batch, model: Model, pending: tuple[Pending, ...]) -> tuple[Draft, ...]:
    """The events of a batch; raises `UlnaError` for what would break the model. `pending` is all that is undecided."""
    _check(batch, model, pending)
    bare = batch.replace(add=tuple(map(_placeless, batch.add)), change=tuple(map(_placeless, batch.change)))
    return tuple(_drafts(bare, model))


def _drafts(batch: Batch, model: Model) -> Iterator[Draft]:
    entries = model.state.entries
    resting = asleep(batch.add, model.find, lambda a: _parts(a, model), lambda r: _runs(r, model))
    for resource in batch.add:
        data: dict[str, Any] = {"resource": resource, **_owned(Entry(resource.address, resource), model)}
        if resource.address in resting:
            data |= {"run": False, "stopped_by": resting[resource.address]}
        if not batch.declared:
            data["declared"] = False
        yield Draft(Kind.ADDED, resource.address, data)
    for resource in batch.change:
        entry = entries[resource.address]
        changes = _changed(entry, resource)
        yield Draft(Kind.SPEC, resource.address, changes | _owned(entry.replace(**changes), model))
    for address in batch.touch:
        entry = entries[address]
        changes = {"generation": entry.generation + 1, **_again(entry)}
        yield Draft(Kind.SPEC, address, changes | _owned(entry.replace(**changes), model))
    for address in batch.wake:
        yield Draft(Kind.DESIRED, address, dict(_STARTED))
    for address in batch.retry:
        yield Draft(Kind.RETRY, address, _again(entries[address]))
    for address in _with_children(batch.remove, model):
        if not entries[address].deleting:
            yield Draft(Kind.DELETING, address, {"deleting": True, "failed_at": None})
    for address in batch.detach:
        yield Draft(Kind.DELETING, address, {"deleting": True, "detached": True})


def _parts(address: str, model: Model) -> Iterator[Entry]:
    return (e for a in model.children(address) if (e := model.find(a)) is not None)


def _runs(resource: Resource, model: Model) -> bool:
    """Whether something runs in what is about to be added."""
    return runs(model.operators.get(model.nominate(resource).operator or ""), resource)


def _owned(entry: Entry, model: Model) -> dict[str, Any]:
    """The assignment that goes without saying: of who has it already, or is the first to."""
    if must_release(entry, model.nominate):
        return {}
    step = move(entry, model.nominate)
    return step.changes if step is not None and step.kind is Kind.ASSIGNED else {}


def _placeless(resource: Resource) -> Resource:
    """Without its place in a file, which the state does not keep."""
    return resource if resource.origin is None else resource.replace(origin=None)


def _changed(entry: Entry, resource: Resource) -> dict[str, Any]:
    data: dict[str, Any] = {"resource": resource, "generation": entry.generation + 1, **_again(entry)}
    if entry.resource.explicit and not resource.explicit:
        data |= {"run": True, "stopped_by": ""}
    if entry.deleting:
        data |= {"deleting": False, "detached": False}
    if entry.resource.existing != resource.existing:  # what was only read was never ours, and the other way round
        data |= {"token": None, "external_id": None, "applied": None, "wired": (), "outputs": {}, "intent": None}
        data |= {"phase": Phase.PENDING}
    return data


def _again(entry: Entry) -> dict[str, Any]:
    """What makes a failed resource be tried again: what lives and is not well is made anew."""
    if entry.failed_at is not None or (entry.phase is Phase.FAILED and not entry.held):
        if entry.held or entry.deleting:
            # what was seen of it does not count until it is seen again
            return {"failed_at": None, "observed_generation": 0}
        return {"failed_at": None, "phase": Phase.PENDING}  # deadlines of its gate begin anew
    return {"nonce": entry.nonce + 1} if entry.phase is Phase.FAILED and entry.token is not None else {}


def _with_children(addresses: tuple[str, ...], model: Model) -> Iterator[str]:
    """Addresses with what was added at run time below them, children first."""
    seen: set[str] = set()
    for address in addresses:
        stack = [(address, False)]
        while stack:
            name, ready = stack.pop()
            if ready:
                yield name
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                entries = model.state.entries
                stack.extend((c, False) for c in model.children(name) if not entries[c].declared)


_STARTED = {"run": True, "stopped_by": "", "failed_at": None}


class Command(StrEnum):
    """What is asked of a single resource: all but `sleep` by people, that one by a run that ends."""

    START = "start"
    STOP = "stop"
    RESTART = "restart"
    FORCE = "force"
    SLEEP = "sleep"


def commanded(address: str, command: Command, model: Model) -> Draft:
    """The event of a command; forcing overrides the gate of one incarnation: the next, or that of the whole whose parts are forced."""
    entry = model.find(address)
    if entry is None:
        help = did_you_mean(address, model.state.entries)
        raise UlnaError.of("ULN424", f"There is no resource '{address}'", help)
    if entry.deleting:
        raise UlnaError.of("ULN425", f"'{address}' is being deleted", "Wait until it is gone.")
    wish: dict[str, Any]
    match command:
        case Command.START:
            wish = _STARTED | _mended(entry)
        case Command.STOP:
            wish = {"run": False, "stopped_by": COMMAND, "failed_at": None}
        case Command.RESTART:
            wish = _STARTED | _mended(entry) | {"nonce": entry.nonce + 1}
        case Command.FORCE:
            wish = _STARTED | _mended(entry) | {"forced": gated_incarnation(entry)}
        case Command.SLEEP:
            wish = {"run": False, "stopped_by": SESSION, "failed_at": None}
    return Draft(Kind.DESIRED, address, wish)


def _mended(entry: Entry) -> dict[str, Any]:
    """What makes one that has failed be tried again, so that its failure is none of what is wished from now on.

    What is as it was wished and failed all the same is made anew; where there is nothing, deadlines of its gate begin anew.
    """
    if entry.phase is not Phase.FAILED:
        return {}
    if not entry.held:
        return {"phase": Phase.PENDING}
    return {"nonce": entry.nonce + 1} if entry.current else {}


# ---------------------------------------------------------------- checks


def _check(batch: Batch, model: Model, pending: tuple[Pending, ...]) -> None:
    entries = model.state.entries
    problems: list[Diagnostic] = []
    beside = {r.address for r in batch.add}
    for resource in batch.add:
        if resource.address in entries:
            problems.append(_problem("ULN420", f"'{resource.address}' is there already", resource))
        owner = entries.get(resource.owner) if resource.owner and not batch.declared else None
        owned = owner is not None and not owner.deleting
        if not batch.declared and resource.owner and not owned and resource.owner not in beside:
            problems.append(
                _problem(
                    "ULN424", f"'{resource.address}' needs its owner '{resource.owner}', which is not there", resource
                )
            )
    named = (*(r.address for r in batch.change), *batch.touch, *batch.retry, *batch.remove, *batch.detach)
    for address in named:
        if address not in entries:
            help = did_you_mean(address, entries) or ""
            problems.append(Diagnostic("ULN424", Severity.ERROR, f"There is no resource '{address}'", help=help))
    if problems:
        raise UlnaError(*problems)
    leaving = set(_with_children((*batch.remove, *batch.detach), model))
    new = {r.address: model.links(r).addresses for r in (*batch.add, *batch.change)}
    for resource in (*batch.add, *batch.change):
        for dependency in new[resource.address]:
            if dependency in new or any(p.covers(dependency) for p in pending):
                continue
            known = entries.get(dependency)
            if known is None or known.deleting or dependency in leaving:
                state = "does not exist" if known is None else "is being deleted"
                problems.append(
                    _problem("ULN421", f"'{resource.address}' waits for '{dependency}', which {state}", resource)
                )
    for address in leaving:
        for user in model.waiters(address):
            if user not in leaving and user not in new and not entries[user].deleting:
                message = f"'{address}' cannot be removed: '{user}' still needs it"
                help = f"Remove '{user}' as well, or the reference from it."
                problems.append(Diagnostic("ULN423", Severity.ERROR, message, help=help))
    if problems:
        raise UlnaError(*problems)
    if new:
        cycle = find_cycle(new, model)
        if cycle:
            message = f"'{cycle[0]}' waits for itself: {' → '.join(cycle)}"
            raise UlnaError(Diagnostic("ULN422", Severity.ERROR, message, help="Remove one of these dependencies."))


def find_cycle(new: dict[str, tuple[str, ...]], model: Model) -> tuple[str, ...]:
    """A cycle among the dependencies as they will be, its first address again at the end; () where there is none."""
    entries = model.state.entries
    names = [*entries, *(a for a in new if a not in entries)]
    number = {name: n for n, name in enumerate(names)}
    edges = [new[name] if name in new else model.dependencies(name) for name in names]
    missing = [0] * len(names)
    users: list[list[int]] = [[] for _ in names]
    for n, dependencies in enumerate(edges):
        for dependency in dependencies:
            target = number.get(dependency)
            if target is not None:
                missing[n] += 1
                users[target].append(n)
    free = [n for n, count in enumerate(missing) if not count]
    for n in free:  # grows while it is walked
        for user in users[n]:
            missing[user] -= 1
            if not missing[user]:
                free.append(user)
    if len(free) == len(names):
        return ()
    # every one left has a dependency that is left: follow any until one comes again
    at = next(n for n, count in enumerate(missing) if count)
    path: dict[int, None] = {}
    while at not in path:
        path[at] = None
        at = next(number[d] for d in edges[at] if d in number and missing[number[d]])
    steps = list(path)
    return tuple(names[n] for n in (*steps[steps.index(at) :], at))


def _problem(code: str, message: str, resource: Resource) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, resource.origin)
