"""A change of the model: what is asked for in one go, computed from a new desired graph and what was declared before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.apply.rollup import is_launched
from engine.contract.resource import Resource, deployment_of
from engine.contract.value import Output, leaves
from engine.expand.desired import Pending
from engine.record import Record
from engine.state.entry import Entry, Phase


class Batch(Record):
    """One atomic edit. `add` and `change` hold resources, dependencies first; the others addresses.

    `touch` are unchanged resources that read what changes: they look again, after it. `retry` are failed ones, `wake` those that
    an earlier run stopped at its end.
    `remove` deletes, users first; `detach` forgets and leaves alive. `pending` replaces what was undecided in `deployment`.
    """

    deployment: str = ""
    add: tuple[Resource, ...] = ()
    change: tuple[Resource, ...] = ()
    touch: tuple[str, ...] = ()
    retry: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    detach: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    declared: bool = True
    wake: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing."""
        return not (self.add or self.change or self.touch or self.retry or self.wake or self.remove or self.detach)


def edits(
    resources: Sequence[Resource],
    entries: Mapping[str, Entry],
    deployment: str,
    pending: Iterable[Pending] = (),
    *,
    detach: bool = False,
    whole: bool = False,
) -> Batch:
    """What has to be asked for so that a deployment is what `resources` declare, and nothing else it declared before.

    Only what the deployment declared goes when it is not declared any more; what `pending` covers stays until it is decided.
    A launched job that has ended goes with what it read. With `whole`, what was added while it ran goes as well.
    """
    undecided = tuple(pending)
    declared = {r.address for r in resources}
    add: list[Resource] = []
    change: list[Resource] = []
    touch: list[str] = []
    retry: list[str] = []
    wake: list[str] = []
    moving: set[str] = set()
    for resource in resources:
        entry = entries.get(resource.address)
        if entry is not None and entry.sleeps and not resource.explicit:
            wake.append(resource.address)
        if entry is None:
            add.append(resource)
        elif entry.deleting or not same(entry.resource, resource):
            change.append(resource)
        elif moving and not moving.isdisjoint(_reads(resource)):
            touch.append(resource.address)
        else:
            if entry.phase is Phase.FAILED or entry.failed_at is not None:
                retry.append(resource.address)
            continue
        moving.add(resource.address)
    leaving: list[str] = []
    for address, entry in entries.items():
        if address in declared or not (entry.declared or whole) or deployment_of(address) != deployment:
            continue
        if entry.deleting:
            if entry.failed_at is not None:
                retry.append(address)
        elif not any(p.covers(address) for p in undecided):
            leaving.append(address)
    if leaving:
        leaving += _spent(entries, set(leaving))
    gone = tuple(reversed(leaving))
    return Batch(
        deployment,
        tuple(add),
        tuple(change),
        tuple(touch),
        tuple(retry),
        () if detach else gone,
        gone if detach else (),
        undecided,
        wake=tuple(wake),
    )


def _spent(entries: Mapping[str, Entry], leaving: set[str]) -> list[str]:
    """The launched jobs that have ended and need what leaves, with their parts, owners first."""
    jobs = {a: e for a, e in entries.items() if a not in leaving and is_launched(e, entries.get)}
    whole = {e.resource.owner for e in jobs.values()}
    lives = {a for a, e in jobs.items() if a not in whole and not _has_ended(e)}
    needing = {a for a, e in jobs.items() if not leaving.isdisjoint({*_reads(e.resource), *e.resource.depends_on})}
    tops = [a for a, e in jobs.items() if e.resource.owner not in jobs]
    spent: list[str] = []
    for top in tops:
        parts = [a for a in jobs if a == top or a.startswith(f"{top}/")]
        if lives.isdisjoint(parts) and not needing.isdisjoint(parts):
            spent += parts
    return spent


def _has_ended(entry: Entry) -> bool:
    return entry.phase is Phase.EXITED or (entry.phase is Phase.FAILED and entry.exit_code is not None)


def same(old: Resource, new: Resource) -> bool:
    """Whether two wishes are one, wherever they were written."""
    return old is new or all(
        getattr(old, field) == getattr(new, field) for field in Resource.__fields__ if field != "origin"
    )


def _reads(resource: Resource) -> set[str]:
    """Whose changes may change it: those whose outputs it reads."""
    return {
        leaf.address for leaf in leaves([resource.properties, resource.name, resource.id]) if isinstance(leaf, Output)
    }
