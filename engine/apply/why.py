"""Why a resource is not what it is meant to be: asked of the functions that decide it, not of what they said before. Pure."""

from __future__ import annotations

from engine.apply.effects import Surroundings
from engine.apply.gate import Broken, Closed, gate_now, next_deadline, waited_since
from engine.apply.report import RETRYING
from engine.contract.errors import Terminal
from engine.state.entry import Entry, Phase


def why(entry: Entry, around: Surroundings) -> tuple[str, ...]:
    """The reasons, the first one first; () for what is as it is meant to be."""
    if entry.deleting:
        user = around.in_the_way(entry.address)
        return (f"it is being deleted, and '{user}' still uses it",) if user else ("it is being deleted",)
    if entry.operator is None:
        return (entry.reason or around.nominate(entry.resource).reason or "no operator has taken it yet",)
    if not entry.run and entry.held:
        user = around.in_the_way(entry.address)
        return (f"it is being stopped, and '{user}' stops first",) if user else ("it is being stopped",)
    at_rest = entry if not entry.run else around.resting(entry)
    if at_rest is not None:
        return (at_rest.rest(str(entry.resource.name)),)
    if entry.failed_at == (entry.generation, entry.nonce):
        return (f"it failed, and is tried again once it is changed or started: {entry.reason}",)
    if entry.current and entry.ready:
        return ()
    if entry.phase is Phase.EXITED and entry.current:
        return (f"it ended with exit code {entry.exit_code}",) if entry.exit_code else ()
    if entry.reason.startswith(RETRYING):
        return (entry.reason,)
    if entry.intent is not None:
        return (f"its operator '{entry.operator}' has been asked to {entry.intent.operation} it, and has not answered",)
    waiting = _gate(entry, around)
    if waiting:
        return waiting
    if entry.token is None:
        return (entry.reason or "it is about to be made",)
    return (entry.reason or ("it is not ready yet" if entry.current else "it is about to be changed"),)


def _gate(entry: Entry, around: Surroundings) -> tuple[str, ...]:
    try:
        _, unknown = around.resolved(entry)
    except Terminal as error:
        return (error.reason,)
    waited = waited_since(entry, around.now())
    match gate_now(entry, around, unknown):
        case Closed(reasons):
            left = next_deadline(entry, waited)
            told = tuple(f"it waits: {reason}" for reason in reasons)
            return (*told, f"its gate breaks in {left:.0f} s") if left is not None else told
        case Broken(reasons, fail):
            word = "failed" if fail or around.failing(entry) is not None else "cannot start"
            return tuple(f"it {word}: {reason}" for reason in reasons)
        case _:
            return ()
