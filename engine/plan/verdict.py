"""What has to happen to one resource, and why: the table of causes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from engine.contract.difference import differing, drifted, tolerates
from engine.contract.operator import Applied, Difference, Observed, Operator, Order, Replace, Same, Update
from engine.contract.resource import Resource
from engine.contract.value import Unknown, Value
from engine.plan.change import Action
from engine.record import Record
from engine.state.entry import Entry, Phase
from engine.state.entry import resting as rests


class Verdict(Record):
    """An action with its reason; `paths` are the properties that the operator counts as changed.

    What `rests` is left stopped, or not started, whatever its file says.
    """

    action: Action
    reason: str = ""
    paths: tuple[str, ...] = ()
    forced_by: tuple[str, ...] = ()
    order: Order | None = None
    rests: bool = False


def judge(
    wanted: Resource,
    entry: Entry | None,
    operator: Operator | None,
    seen: Mapping[str, Observed | None],
    resting: str = "",
    held_by: str = "",
) -> Verdict:
    """The verdict on a resource, as far as its values are known.

    `operator` is None for one that its children make up; `resting` says why one of those rests, or what is not there yet does.
    `held_by` is the name of what rests and must be started before this is touched.
    """
    verdict = _judge(wanted, entry, operator, seen, resting)
    if held_by and verdict.action.acts:
        why = rests(f"nothing is done until '{held_by}' is started", held_by)
        return Verdict(Action.NO_CHANGE, why, rests=True)
    return verdict


def _judge(
    wanted: Resource, entry: Entry | None, operator: Operator | None, seen: Mapping[str, Observed | None], resting: str
) -> Verdict:
    if why := resting or _resting(wanted, entry):
        return Verdict(Action.NO_CHANGE, why, rests=True)
    if entry is None or entry.detached:
        return Verdict(Action.CREATE)
    if entry.sleeps and entry.token is not None:
        return Verdict(Action.MODIFY, "it was to stop when its run ended, and stays")
    if entry.applied is None:
        return Verdict(Action.CREATE, _unmade(entry))
    if operator is None:
        return _verdict(_composed(wanted, entry.applied), wanted, entry.applied, None)
    if entry.token is None:
        return Verdict(Action.CREATE, _absent(entry))
    if seen.get(wanted.address, entry) is None:
        return Verdict(Action.CREATE, "it is gone, though nobody asked for that")
    if entry.operator not in (None, operator.name):
        reason = f"moves from operator '{entry.operator}' to '{operator.name}'"
        return Verdict(Action.REPLACE, reason, order=Order.DELETE_FIRST)
    if entry.nonce != entry.applied_nonce:
        return Verdict(Action.REPLACE, "a restart was asked for", order=Order.DELETE_FIRST)
    failed = entry.phase is Phase.FAILED
    if failed and entry.failed_at is None:
        return Verdict(Action.REPLACE, f"it failed ({entry.reason}), and is made anew", order=Order.DELETE_FIRST)
    live = seen.get(wanted.address)
    difference = operator.diff(wanted, entry.applied, live)
    if isinstance(difference, Same) and entry.applied_generation == 0:
        return Verdict(Action.MODIFY, "an update was interrupted, and is done again")
    if isinstance(difference, Same) and entry.retiring is not None:
        return Verdict(Action.MODIFY, "the one before it is still there, and goes once nobody uses it")
    if not isinstance(difference, Same) and not failed and tolerates(wanted, operator, entry.applied):
        return Verdict(Action.NO_CHANGE, f"was changed outside of Ulna, and is left so ({wanted.drift})")
    if isinstance(difference, Same) and failed:
        return Verdict(Action.NO_CHANGE, f"it failed before ({entry.reason}), and is tried again")
    return _verdict(difference, wanted, entry.applied, live)


def _resting(wanted: Resource, entry: Entry | None) -> str:
    """Why a deployment does not start it; "" where it does: a tag that is taken away is a start."""
    if entry is None or entry.run or (not wanted.explicit and (entry.sleeps or entry.resource.explicit)):
        return ""
    return entry.rest(known_as(wanted))


def unstarted(wanted: Resource, stopped_by: str) -> str:
    """Why one that is new is not started."""
    return Entry(wanted.address, wanted, run=False, stopped_by=stopped_by).rest(known_as(wanted))


def known_as(wanted: Resource) -> str:
    """The name that people start it by: of what is made of parts, that of the whole."""
    return (wanted.owner or wanted.address).rpartition("/")[2]


def _composed(wanted: Resource, applied: Applied) -> Difference:
    paths = any(True for _ in differing(applied.properties, wanted.properties))
    return Update() if paths else Same()


def reports(applied: Applied, body: Mapping[str, Value]) -> Verdict:
    """The verdict on one that is as it was declared, by what its children will make it report."""
    paths = list(differing(applied.outputs, body["properties"]))
    if not paths:
        return Verdict(Action.NO_CHANGE)
    if all(isinstance(_at(body["properties"], path), Unknown) for path in paths):
        return Verdict(Action.DEPLOY, "what its parts report is known after deploy")
    return Verdict(Action.MODIFY, "its parts report something else")


def _verdict(difference: Difference, wanted: Resource, applied: Applied, live: Observed | None) -> Verdict:
    match difference:
        case Same():
            return Verdict(Action.NO_CHANGE)
        case Update(paths):
            if _only_unknown(wanted, applied, live):
                return Verdict(Action.DEPLOY, "whether it changes is known after deploy", paths)
            return Verdict(Action.MODIFY, _drift(wanted, applied, live), paths)
        case Replace(paths, why, order):
            if _only_unknown(wanted, applied, live):
                return Verdict(
                    Action.DEPLOY, f"may be replaced: {why}" if why else "may be replaced", paths, paths, order
                )
            return Verdict(Action.REPLACE, why, (), paths, order)
        case _:
            assert_never(difference)


def _only_unknown(wanted: Resource, applied: Applied, live: Observed | None) -> bool:
    """Whether all that differs is what only the deployment will know."""
    if live is not None and any(True for _ in drifted(wanted.properties, live.properties)):
        return False
    paths = list(differing(applied.properties, wanted.properties))
    return bool(paths) and all(isinstance(_at(wanted.properties, path), Unknown) for path in paths)


def _at(value: Value, path: tuple[str | int, ...]) -> Value:
    for key in path:
        if isinstance(value, dict) and key not in value:
            return None
        value = value[key]
    return value


def _drift(wanted: Resource, applied: Applied, live: Observed | None) -> str:
    """Says so where the file is as it was, and the outside is not."""
    if any(True for _ in differing(applied.properties, wanted.properties)):
        return ""
    if live is not None and any(True for _ in drifted(wanted.properties, live.properties)):
        return "was changed outside of Ulna"
    return live.message if live is not None else ""


def _unmade(entry: Entry) -> str:
    if entry.intent is not None:
        return "its creation was interrupted, and is settled first"
    if entry.sleeps:
        return "it was stopped when its run ended"
    return f"failed before ({entry.reason}), is tried again" if entry.phase is Phase.FAILED and entry.reason else ""


def _absent(entry: Entry) -> str:
    if entry.intent is not None:
        return "its creation was interrupted, and is settled first"
    return f"it is {entry.phase.lower()}" if entry.phase in (Phase.STOPPED, Phase.EXITED, Phase.GONE) else ""
