"""What a template cannot say, though the program is right: one name twice, a module where its file is not meant to go."""

from __future__ import annotations

from engine.build.emit.declared import Declared, key_text
from engine.build.emit.lateness import check_lateness
from engine.build.emit.names import name_segments, parent_of
from engine.build.emit.scopes import Scope, scope_of
from engine.build.emit.unit import NO_LOCALS, Unit
from engine.build.emit.uses import target
from engine.check.model import Model
from engine.check.placement import undecided
from engine.check.types import TRUE, UNKNOWN, StringLiteral
from engine.parse import tree

_SCOPES = {
    "resourceGroup": "a resource group",
    "subscription": "a subscription",
    "managementGroup": "a management group",
    "tenant": "the tenant",
}


_TOO_FAR = {"tenant": "BCP113", "managementGroup": "BCP114", "subscription": "BCP115", "resourceGroup": "BCP116"}
"""What is said in a file of each scope about a module that cannot be reached from there."""


def check_limits(unit: Unit) -> None:
    """Report what the template of a file cannot say.

    Nothing has to be known early in what Ulna deploys itself: a template compiled for that is free of those limits.
    """
    for each in unit.declared.values():
        if each.module:
            _place(unit, each)
    _names(unit)
    if not unit.session.symbolic:
        check_lateness(unit)


def _place(unit: Unit, each: Declared) -> None:
    """A module's scope must be one that its file is meant for."""
    used = unit.model.modules.get(id(each.statement))
    node = each.properties.get("scope")
    if node is not None and unit.model.type_of(node) is UNKNOWN:
        return
    if node is not None and (picked := target(unit, node)) is not None and unit.declared[picked[0]].module:
        if unit.declared[picked[0]].loop is None or picked[1] is not None:
            unit.error("BCP134", node, f"'{picked[0].name}' is a module, and no scope to deploy to")
        return
    if not isinstance(used, Model):
        return
    if node is not None and undecided(unit.model, node):
        return
    scope = scope_of(unit, each, NO_LOCALS)
    kind, wanted, file = scope.kind, used.target_scope, unit.model.target_scope
    if node is not None and kind == wanted and file in _TOO_FAR and not _reaches(file, scope):
        message = f"A file for {_SCOPES[file]} cannot deploy to {_which(scope)}"
        unit.error(_TOO_FAR[file], node, message, "Deploy it from a file whose targetScope is nearer to it.")
    if kind != wanted and node is None and kind in _SCOPES:
        unit.error("BCP035", each.statement.name, "The module lacks the required property 'scope'")
    if kind != wanted and kind in _SCOPES and wanted in _SCOPES:
        message = f"Module '{each.symbol.name}' is for {_SCOPES[wanted]}, and would be deployed to {_SCOPES[kind]}"
        unit.error(
            "BCP134", node or each.body or each.statement.name, message, "Give it a scope that its file declares."
        )


def _reaches(file: str, scope: Scope) -> bool:
    """Whether a file for one scope can deploy a module to another: what it does not name, it must have around it."""
    match scope.kind:
        case "managementGroup":
            return file in ("tenant", "managementGroup")
        case "subscription":
            return scope.subscription is not None or file in ("subscription", "resourceGroup")
        case "resourceGroup" if scope.subscription is None:
            return file == "resourceGroup" or (file == "subscription" and scope.group is not None)
        case _:
            return True


def _which(scope: Scope) -> str:
    if scope.kind == "resourceGroup" and scope.group is not None:
        return "a resource group of no subscription that it names"
    named = scope.kind == "managementGroup" or scope.subscription is not None
    return _SCOPES[scope.kind] if named else f"{_SCOPES[scope.kind]} that it does not name"


def _names(unit: Unit) -> None:
    """Two resources of one type, or two modules, may not have one name at one place."""
    for namesakes in _namesakes(unit):
        found: dict[tuple[str, ...], list[Declared]] = {}
        for each in namesakes:
            scope = scope_of(unit, each, NO_LOCALS)
            place = str(scope.resource[0].symbol.name) if scope.resource else ""
            where = (scope.kind, scope.subscription or "", scope.group or "", scope.management_group or "", place)
            parent = parent_of(unit, each, NO_LOCALS)
            above = name_segments(unit, *parent) if parent is not None else ()
            found.setdefault(tuple(part.lower() for part in (*above, *where)), []).append(each)
        for same in found.values():
            if len(same) > 1:
                listed = ", ".join(f"'{each.symbol.name}'" for each in same)
                what = "Modules" if same[0].module else "Resources"
                for each in same:
                    message = f"{what} {listed} have one name at one place"
                    unit.error("BCP122" if each.module else "BCP121", each.properties["name"], message, "Rename them.")


def _namesakes(unit: Unit) -> list[list[Declared]]:
    """Those of one type that have one name, wherever they are."""
    found: dict[tuple[str, str], list[Declared]] = {}
    for each in unit.declared.values():
        name = _own_name(unit, each)
        if name is not None and not (each.extension or each.existing):
            found.setdefault((each.type.lower(), name.lower()), []).append(each)
    return [same for same in found.values() if len(same) > 1]


def needs_text(unit: Unit) -> bool:
    """Whether what places something must be compiled to tell."""
    return any(each.module and "scope" in each.properties for each in unit.declared.values()) or bool(_namesakes(unit))


def _own_name(unit: Unit, each: Declared) -> str | None:
    """The name that a body gives, where it is known; what is deployed only perhaps may share it with another."""
    if each.module and unit.model.modules.get(id(each.statement)) is None:
        return None
    if each.loop is None and any(unit.model.type_of(condition) != TRUE for condition in each.conditions):
        return None
    given = [
        part.value
        for part in (each.body.members if each.body else ())
        if isinstance(part, tree.Property) and key_text(part.key) == "name"
    ]
    known = unit.model.type_of(given[0]) if len(given) == 1 else None
    return known.value if isinstance(known, StringLiteral) else None
