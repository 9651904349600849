"""Making the new one before the old one goes: the old one retires once the new one is ready and all who used it have moved.

An entry that is `retiring` something holds two objects, the one that its token names and the one before. The record of the old one
stands in the log from the intent of the new one until it is gone, and is all that a crash needs to go on from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine.apply import effects as do
from engine.apply.gate import lives_anew
from engine.apply.report import NOTHING
from engine.contract.difference import same
from engine.contract.errors import Terminal, Unreachable
from engine.contract.operator import Difference, Operator, Order, Replace
from engine.contract.resource import OUTPUTS
from engine.state.entry import Entry, Phase, Retiring
from engine.state.event import Kind

if TYPE_CHECKING:
    from engine.apply.model import Model


def may_stay(entry: Entry, difference: Difference) -> bool:
    """Whether the old one may live until the new one is there: its operator can have both, and there are not two already."""
    if not isinstance(difference, Replace) or difference.order is not Order.CREATE_FIRST:
        return False
    return entry.retiring is None and entry.token is not None and entry.applied is not None


def retired(entry: Entry) -> dict[str, Any]:
    """What is written with the intent of the new one: the old one is the one before from then on."""
    assert entry.token is not None and entry.applied is not None
    return {**NOTHING, "retiring": Retiring(entry.token, entry.applied, entry.wired)}


def retire(entry: Entry, operator: Operator) -> Iterator[do.Retire | do.Write]:
    """The steps by which the old one goes, if there is one: again after a crash, since it is found by its token."""
    old = entry.retiring
    if old is None:
        return
    made = entry.resource.replace(properties=old.applied.properties, name=old.applied.name or entry.resource.name)
    yield do.Retire(operator, made, old.token)
    yield do.Write(Kind.STATUS, {"retiring": None})


def let_go(entry: Entry, operator: Operator) -> Iterator[do.Release | do.Write]:
    """What is detached stays, and nobody owns it any more; where the outside refuses to say so, it is forgotten all the same."""
    if operator.effects and hasattr(operator, "release") and not entry.resource.existing:
        tokens = (entry.token, entry.intent and entry.intent.token, entry.retiring and entry.retiring.token)
        for token in dict.fromkeys(t for t in tokens if t):
            with suppress(Terminal, Unreachable, do.ProviderBug):
                yield do.Release(operator, entry.made, token)
    yield do.Write(Kind.GONE)


def is_in_place(entry: Entry) -> bool:
    """Whether the new one does what the old one did."""
    return entry.current and (entry.phase is Phase.EXITED or (entry.phase is Phase.RUNNING and entry.ready))


def staying(changes: dict[str, Any], user: str) -> dict[str, Any]:
    """What is written of the new one while somebody still uses the old one."""
    return {**changes, "reason": changes["reason"] or f"the one before it lives on: '{user}' still uses it"}


def left_behind(model: Model, address: str) -> str | None:
    """The first who leans on an address, and may have been made with the life before; None if all have moved.

    What lives in the log alone hands on what it was told: those who lean on it count as well.
    """
    todo, through = [address], {address}
    while todo:
        for name in model.users(todo.pop()):
            if name in through:
                continue
            user = model.find(name)
            assert user is not None, f"{name} leans on {address} and is not there"
            if not _has_moved(model, user, through):
                return name
            operator = model.operators.get(user.operator or "")
            if operator is not None and not operator.effects:
                through.add(name)
                todo.append(name)
    return None


def _has_moved(model: Model, user: Entry, lives: set[str]) -> bool:
    """Whether a user is as it would be made now."""
    if user.intent is not None or user.applied is None or not user.current or user.deleting:
        return False
    if user.retiring is not None and not lives.isdisjoint(user.retiring.wired):
        return False
    if any(wait.address in lives and lives_anew(wait, user, model) for wait in user.resource.waits):
        return False
    try:
        wanted, unknown = model.resolved(user)
    except Terminal:
        return False
    return not unknown and same(_sent(wanted.properties), user.applied.properties)


def _sent(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {k: v for k, v in properties.items() if k != OUTPUTS} if OUTPUTS in properties else properties
