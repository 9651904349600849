"""Who owns a resource: the nominee, unless the owner has to let go first. Every owner has an epoch of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.contract.resource import Resource
from engine.record import Record
from engine.render.native import Nomination
from engine.state.entry import Entry, Phase
from engine.state.event import Kind

MAX_HOPS = 4

Nominate = Callable[[Resource], Nomination]
"""The pure question: who would own this resource, as the bids are now."""


class Move(Record):
    """What has to be written so that ownership is as it should be."""

    kind: Kind
    changes: dict[str, Any]


def is_due(entry: Entry) -> bool:
    """Whether ownership has to be decided: nobody has it, or the wish changed since. Sticky otherwise, and in deletion."""
    if entry.deleting:
        return False
    return entry.operator is None or entry.owner_generation != entry.generation


def must_release(entry: Entry, nominate: Nominate) -> bool:
    """Whether the owner has to let go of what it holds before another can have the resource."""
    if entry.operator is None or not entry.held or not is_due(entry):
        return False
    nominee = checked(nominate(entry.resource))
    return nominee.operator is not None and nominee.operator != entry.operator


def move(entry: Entry, nominate: Nominate) -> Move | None:
    """The assignment that is due, None where all is as it should be."""
    nominee = checked(nominate(entry.resource))
    if nominee.operator is None:
        if entry.held:  # whoever holds it keeps it: nobody else could
            return Move(Kind.UNASSIGNED, {"reason": nominee.reason}) if entry.reason != nominee.reason else None
        wanted = {"root": None, "operator": None, "phase": Phase.PENDING, "reason": nominee.reason, "hops": ()}
        if all(getattr(entry, f) == v for f, v in wanted.items()):
            return None
        return Move(Kind.UNASSIGNED, wanted | {"epoch": entry.epoch + (entry.operator is not None)})
    root = nominee.hops[0] if nominee.hops else nominee.operator
    changes: dict[str, Any] = {"owner_generation": entry.generation, "hops": nominee.hops, "root": root}
    if nominee.operator == entry.operator:
        return Move(Kind.ASSIGNED, changes)
    changes |= {"operator": nominee.operator, "epoch": entry.epoch + 1}
    return Move(Kind.HANDOFF if nominee.hops else Kind.ASSIGNED, changes)


def checked(nomination: Nomination) -> Nomination:
    """The nomination, or why its chain of hand-offs is refused."""
    hops = nomination.hops
    chain = hops if hops[-1:] == (nomination.operator,) else (*hops, nomination.operator)
    if len(chain) - 1 > MAX_HOPS:
        return Nomination(None, f"handed off more than {MAX_HOPS} times: {' → '.join(map(str, chain))}")
    if len(set(chain)) < len(chain):
        return Nomination(None, f"handed off in a circle: {' → '.join(map(str, chain))}")
    return nomination
