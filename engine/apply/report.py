"""From what an operator saw to what the log says: outputs, readiness, the phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.apply.effects import Done, End, Later
from engine.apply.gate import Broken, Closed
from engine.contract.errors import OperatorError
from engine.contract.operator import Applied, Health, Observed
from engine.contract.resource import OUTPUTS, Resource
from engine.contract.value import Properties
from engine.state.entry import Entry, Intent, Phase

POLL = 1.0
"""Seconds between two looks at what is not ready yet, where the operator does not say."""

IN_VAIN = "cannot start: "
"""How the reason of one begins that waits in vain."""


RETRYING = "retrying: "
"""How the reason of one begins that the outside puts off."""


def told(error: OperatorError) -> str:
    """What an operator says of a failure, with what to do about it."""
    return f"{error.reason.rstrip('.')}. {error.help}" if error.help else error.reason


def held_up(entry: Entry, verdict: Closed | Broken) -> str:
    """Why an entry does not go on, as the log has it."""
    lead = "waits: "
    if isinstance(verdict, Broken) and entry.token is None:
        lead = "" if verdict.fail else IN_VAIN
    return lead + ", ".join(map(str, verdict.reasons[:3]))


def outputs(resource: Resource, observed: Observed) -> dict[str, Any]:
    """What `reference(…, 'full')` gives: the body, the identity, and the live properties with what is shown besides."""
    body = {k: v for k, v in resource.properties.items() if k != OUTPUTS}
    live = observed.properties
    inner: dict[str, Any] = {}
    for layer in (body.get("properties"), live.get("properties"), observed.outputs):
        if isinstance(layer, Mapping):
            inner |= layer
    return {
        **body,
        **{k: v for k, v in live.items() if k != OUTPUTS},
        "id": resource.id,
        "name": resource.name,
        "type": resource.type,
        "apiVersion": resource.api_version,
        "properties": inner,
    }


def applied(resource: Resource, reported: Properties) -> Applied:
    """What was sent, and what came of it."""
    inner = reported.get("properties")
    sent = {k: v for k, v in resource.properties.items() if k != OUTPUTS}
    return Applied(sent, inner if isinstance(inner, Mapping) else {}, resource.name)


def health(entry: Entry, observed: Observed) -> tuple[dict[str, Any], End]:
    """The fields that say how it is, and when to look again."""
    changes: dict[str, Any] = {"reason": observed.message, "external_id": observed.id, "exit_code": observed.exit_code}
    if observed.exit_code is not None and observed.health is not Health.FAILED:
        changes |= {"phase": Phase.EXITED}
        return changes, _look(observed)
    match observed.health:
        case Health.READY:
            changes |= {"phase": Phase.RUNNING, "ready_incarnation": entry.incarnation, "reason": ""}
            return changes, _look(observed)
        case Health.STARTING | Health.NOT_READY:
            changes |= {"phase": Phase.RUNNING, "ready_incarnation": -1}
            if entry.ready:
                changes["lost"] = entry.incarnation
            return changes, Later(observed.look_again or POLL)
        case Health.FAILED:
            changes |= {"phase": Phase.FAILED, "ready_incarnation": -1, "reason": observed.message or "it failed"}
            if observed.mends:
                changes["failed_at"] = (entry.generation, entry.nonce)
            return changes, _look(observed)


def _look(observed: Observed) -> End:
    return Done() if observed.look_again is None else Later(observed.look_again, idle=True)


RUNS = {"phase": Phase.RUNNING, "reason": ""}
NOTHING: dict[str, Any] = {
    "token": None,
    "external_id": None,
    "applied": None,
    "applied_generation": 0,
    "wired": (),
    "outputs": {},
}


def settled(intent: Intent, found: Observed | None, entry: Entry) -> dict[str, Any]:
    """What is true once the outside was asked about an open intent."""
    phase = entry.phase
    if found is None:
        if phase in (Phase.RUNNING, Phase.EXITED):
            phase = Phase.WAITING
        return {**NOTHING, "intent": None, "phase": phase}
    known = {"intent": None, "token": intent.token, "external_id": found.id}
    match intent.operation:
        case "create":
            from_it = outputs(entry.resource.replace(properties=intent.properties), found)
            return {
                **known,
                "applied": applied(entry.resource.replace(properties=intent.properties), from_it),
                "applied_generation": intent.generation,
                "applied_nonce": intent.nonce,
                "wired": intent.wired,
                "outputs": from_it,
            }
        case "update":  # before or after, nobody knows: it leans on both, and the update is done again
            both = tuple(dict.fromkeys((*entry.wired, *intent.wired)))
            return {**known, "applied_generation": 0, "wired": both}
        case _:
            return known
