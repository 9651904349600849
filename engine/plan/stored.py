"""A plan as a JSON document and back; `schemas/plan.json` describes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Order
from engine.contract.value import decode, encode
from engine.diagnostics.diagnostic import UlnaError
from engine.plan.change import Action, Change, PropertyChange, PropertyKind, Undecided
from engine.plan.plan import Basis, OnUnmanage, Plan

FORMAT = 1
"""Grows when an older Ulna could no longer understand a plan."""


def to_json(plan: Plan) -> dict[str, Any]:
    """The document; secrets in it are references."""
    return {
        "ulnaPlan": FORMAT,
        "basis": _basis_to_json(plan.basis),
        "changes": [_change_to_json(c) for c in plan.changes],
        "undecided": [_plain(u) for u in plan.undecided],
    }


def from_json(document: Any) -> Plan:
    """The plan; raises `UlnaError` for what is none, or is one of a newer Ulna."""
    found = document.get("ulnaPlan") if isinstance(document, Mapping) else None
    if not isinstance(found, int):
        raise UlnaError.of("ULN602", "This is not a plan", "Make one with 'ulna plan FILE --out plan.json'.")
    if found > FORMAT:
        message = f"The plan was made by a newer Ulna (its format is {found}, this one knows {FORMAT})"
        raise UlnaError.of("ULN603", message, "Update Ulna, or plan again with this one.")
    try:
        basis = document["basis"]
        return Plan(
            Basis(
                **basis
                | {
                    "parameters": tuple(basis["parameters"]),
                    "on_unmanage": OnUnmanage(basis["on_unmanage"]),
                    "operators": tuple(basis.get("operators", ())),
                },
            ),
            tuple(_change_from_json(c) for c in document["changes"]),
            tuple(
                Undecided(**u | {"needs": tuple(u["needs"]), "present": tuple(u["present"])})
                for u in document["undecided"]
            ),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UlnaError.of("ULN602", f"The plan is damaged: {error!r}", "Plan again.") from None


def _basis_to_json(basis: Basis) -> dict[str, Any]:
    plain = _plain(basis)
    return plain if basis.operators else {k: v for k, v in plain.items() if k != "operators"}


def _plain(record: Basis | Undecided) -> dict[str, Any]:
    fields = {f: getattr(record, f) for f in record.__fields__}
    return {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()}


def _change_to_json(change: Change) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for field in change.__fields__:
        value = getattr(change, field)
        if field in change.__defaults__ and value == change.__defaults__[field]:
            continue
        match field:
            case "before" | "after":
                plain[field] = encode(value)
            case "delta":
                plain[field] = [_property_to_json(p) for p in value]
            case _:
                plain[field] = list(value) if isinstance(value, tuple) else value
    return plain


def _change_from_json(plain: Mapping[str, Any]) -> Change:
    fields = dict(plain)
    fields["action"] = Action(fields["action"])
    for field in "before", "after":
        fields[field] = decode(fields.get(field))
    fields["delta"] = tuple(_property_from_json(p) for p in fields.get("delta", ()))
    for field in "forced_by", "follows":
        fields[field] = tuple(fields.get(field, ()))
    if fields.get("order") is not None:
        fields["order"] = Order(fields["order"])
    return Change(**fields)


def _property_to_json(change: PropertyChange) -> dict[str, Any]:
    plain: dict[str, Any] = {"path": list(change.path), "kind": change.kind}
    if change.before is not None:
        plain["before"] = encode(change.before)
    if change.after is not None:
        plain["after"] = encode(change.after)
    if change.children:
        plain["children"] = [_property_to_json(c) for c in change.children]
    if change.forces:
        plain["forces"] = True
    return plain


def _property_from_json(plain: Mapping[str, Any]) -> PropertyChange:
    return PropertyChange(
        tuple(plain["path"]),
        PropertyKind(plain["kind"]),
        decode(plain.get("before")),
        decode(plain.get("after")),
        tuple(_property_from_json(c) for c in plain.get("children", ())),
        plain.get("forces", False),
    )
