"""What a template cannot say, though the program is right: late values where early ones are needed, one name twice,
a module where its file is not meant to go.
"""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.names import name_segments
from engine.build.emit.scopes import scope_of
from engine.build.emit.survey import Survey
from engine.build.emit.unit import NO_LOCALS, Unit
from engine.build.emit.uses import Uses, target, uses
from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.parse import tree

_EARLY = frozenset({"name", "parent", "scope", "location", "kind", "subscriptionId", "resourceGroup", "managedBy"})
_EARLY |= {"extendedLocation", "zones", "placement", "plan", "sku", "identity", "managedByExtended", "tags", "asserts"}
"""Properties that ARM has to know before anything is deployed."""

_OURS = ("applications.", "radius.", "ulna.")
"""Types that are none of ARM's, in whichever form they are written: they may wait for what they need."""

_SCOPES = {
    "resourceGroup": "a resource group",
    "subscription": "a subscription",
    "managementGroup": "a management group",
    "tenant": "the tenant",
}


def check_limits(unit: Unit, survey: Survey) -> None:
    """Report what the template of a file cannot say.

    Nothing has to be known early in what Ulna deploys itself: a template compiled for that is free of those limits.
    """
    for each in unit.declared.values():
        if each.module:
            _place(unit, each)
    _names(unit)
    if not unit.session.symbolic:
        _lateness(unit, survey)


def _lateness(unit: Unit, survey: Survey) -> None:
    """Report late values where ARM needs early ones."""
    late = _late_variables(survey)
    for symbol, used in survey.variables.items():
        statement = symbol.declaration
        if isinstance(statement, tree.Var) and isinstance(statement.value, tree.For) and _is_late(used, late):
            message = (
                f"The loop of variable '{symbol.name}' uses a value that is known only once a resource is deployed"
            )
            unit.error(
                "BCP182", statement.value, message, "Loop where the variable is used, in an output or a property."
            )
    for each in unit.declared.values():
        if each.extension is None and not each.type.lower().startswith(_OURS):
            _early(unit, each, late)


def _late_variables(survey: Survey) -> set[Symbol]:
    """Variables that lead, directly or through others, to a value that only run time knows."""
    users: dict[Symbol, list[Symbol]] = {}
    for symbol, used in survey.variables.items():
        for variable, _ in used.variables:
            users.setdefault(variable, []).append(symbol)
    found = {symbol for symbol, used in survey.variables.items() if used.late}
    waiting = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return found


def _is_late(used: Uses, late: set[Symbol]) -> bool:
    return used.late or any(variable in late for variable, _ in used.variables)


def _early(unit: Unit, each: Declared, late: set[Symbol]) -> None:
    """Nothing late may decide what is deployed, how often, and where."""
    name = each.symbol.name
    statement = each.statement.value
    body = statement.body if isinstance(statement, tree.For) else statement
    if each.loop is not None and _is_late(uses(unit, each.loop.array), late):
        message = f"How often '{name}' is deployed depends on a value that is known only once a resource is deployed"
        unit.error("BCP178", each.loop.array, message)
    if isinstance(body, tree.If) and _is_late(uses(unit, body.condition), late):
        message = f"Whether '{name}' is deployed depends on a value that is known only once a resource is deployed"
        unit.error("BCP177", body.condition, message)
    if each.existing:
        return
    for key, node in each.properties.items():
        if type(node) is tree.Text and not node.holes:
            continue
        if key in _EARLY and not (each.module and key not in ("name", "scope")) and _is_late(uses(unit, node), late):
            message = f"Property '{key}' of '{name}' must be known before anything is deployed, and this value is not"
            unit.error(
                "BCP120", node, message, "Of other resources only id, name, type and apiVersion can be used here."
            )


def _place(unit: Unit, each: Declared) -> None:
    """A module's scope must be one that its file is meant for."""
    used = unit.model.modules.get(id(each.statement))
    node = each.properties.get("scope")
    if node is not None and (picked := target(unit, node)) is not None and unit.declared[picked[0]].module:
        unit.error("BCP134", node, f"'{picked[0].name}' is a module, and no scope to deploy to")
        return
    if not isinstance(used, Model):
        return
    kind = scope_of(unit, each, NO_LOCALS).kind
    wanted = used.target_scope
    if kind != wanted and kind in _SCOPES and wanted in _SCOPES:
        message = f"Module '{each.symbol.name}' is for {_SCOPES[wanted]}, and would be deployed to {_SCOPES[kind]}"
        unit.error("BCP134", node or each.statement.name, message, "Give it a scope that its file declares.")


def _names(unit: Unit) -> None:
    """Two resources of one type, or two modules, may not have one name at one place."""
    found: dict[tuple[str, ...], list[Declared]] = {}
    for each in unit.declared.values():
        name = each.properties.get("name")
        plain = isinstance(name, tree.Text) and name.literal is not None
        if plain and not (each.existing or each.conditions or each.loop or each.extension):
            scope = scope_of(unit, each, NO_LOCALS)
            place = str(scope.resource[0].symbol.name) if scope.resource else ""
            where = (scope.kind, scope.subscription or "", scope.group or "", scope.management_group or "", place)
            key = (each.type, *name_segments(unit, each, NO_LOCALS), *where)
            found.setdefault(tuple(part.lower() for part in key), []).append(each)
    for same in found.values():
        if len(same) > 1:
            listed = ", ".join(f"'{each.symbol.name}'" for each in same)
            what = "Modules" if same[0].module else "Resources"
            for each in same:
                code = "BCP122" if each.module else "BCP121"
                unit.error(code, each.properties["name"], f"{what} {listed} have one name at one place", "Rename them.")
