"""A plan as JSON for programs, in the shape of Azure's what-if API; `schemas/what-if.json` describes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.contract.difference import dotted
from engine.contract.value import Deferred, Leaf, Output, Secret, Unknown, Value, rewrite
from engine.plan.change import Change, PropertyChange, PropertyKind, Undecided
from engine.plan.plan import Plan

SECRET = "(secret)"
UNKNOWN = "(known after deploy)"


def report(plan: Plan, diagnostics: Iterable[Any] = ()) -> dict[str, Any]:
    """The document; `diagnostics` are JSON already."""
    return {
        "status": "Succeeded",
        "environment": plan.basis.environment,
        "deployment": plan.basis.deployment,
        "changes": [_change(c) for c in plan.changes],
        "potentialChanges": [_undecided(u) for u in plan.undecided],
        "summary": {str(action): n for action, n in plan.counts.items()},
        "diagnostics": list(diagnostics),
    }


def shown(value: Value) -> Any:
    """The value as JSON that may be seen."""
    return rewrite(value, _leaf)


def _leaf(leaf: Leaf) -> str:
    match leaf:
        case Secret():
            return SECRET
        case Unknown() | Output() | Deferred():
            return UNKNOWN


def _change(change: Change) -> dict[str, Any]:
    line: dict[str, Any] = {
        "resourceId": change.id,
        "address": change.address,
        "type": change.type,
        "name": change.name,
        "apiVersion": change.api_version,
        "changeType": str(change.action),
        "before": shown(change.before),
        "after": shown(change.after),
        "delta": [_property(p) for p in change.delta],
    }
    optional = {
        "reason": change.reason,
        "operator": change.operator,
        "owner": change.owner,
        "forcedBy": list(change.forced_by),
        "replaceOrder": str(change.order) if change.order else None,
        "follows": list(change.follows),
    }
    return line | {k: v for k, v in optional.items() if v}


def _property(change: PropertyChange) -> dict[str, Any]:
    index, *rest = change.path
    path = f"{index}{'.' * bool(rest)}{dotted(tuple(rest))}" if isinstance(index, int) else dotted(change.path)
    line: dict[str, Any] = {"path": path, "propertyChangeType": str(change.kind)}
    if change.kind is not PropertyKind.CREATE:
        line["before"] = shown(change.before)
    if change.kind is not PropertyKind.DELETE:
        line["after"] = shown(change.after)
    if change.children:
        line["children"] = [_property(c) for c in change.children]
    if change.forces:
        line["forcesReplacement"] = True
    return line


def _undecided(part: Undecided) -> dict[str, Any]:
    return {"address": part.address, "unit": part.unit, "needs": list(part.needs), "present": list(part.present)}
