"""Where a resource or module is deployed to, and the keys that say so."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.names import name_of, parent_of, seen
from engine.build.emit.text import call, quote, wrap
from engine.build.emit.unit import Locals, Unit, namespace_of
from engine.build.emit.uses import target
from engine.check.placement import written_out
from engine.parse import tree
from engine.record import Record

GROUPS = "Microsoft.Management/managementGroups"
_LEVELS = ("resourceGroup", "subscription", "managementGroup", "tenant")


class Scope(Record):
    """A place to deploy to; `kind` is one of the four levels, or `resource` for what extends another resource.

    What is None is that of the deployment itself. `asked` tells whether the file names the scope.
    """

    kind: str
    asked: bool = False
    subscription: str | None = None
    group: str | None = None
    management_group: str | None = None
    resource: tuple[Declared, Locals] | None = None


def scope_of(unit: Unit, each: Declared, locals: Locals) -> Scope:
    """Where it is deployed to: as its `scope` says, as its parent, or as the file."""
    node = each.properties.get("scope")
    if node is None:
        if (parent := parent_of(unit, each, locals)) is not None:
            return scope_of(unit, *parent)
        return Scope(unit.model.target_scope)
    node = written_out(unit.model, node)
    if (picked := target(unit, node)) is not None:
        symbol, at = picked
        other = unit.declared[symbol]
        there = seen(unit, other, None if at is None else unit.text(at, locals))
        match other.type.lower():
            case "microsoft.resources/resourcegroups":
                above = scope_of(unit, other, there)
                return Scope("resourceGroup", True, above.subscription, name_of(unit, other, there))
            case "microsoft.management/managementgroups":
                return Scope("managementGroup", True, management_group=name_of(unit, other, there))
            case _:
                return Scope("resource", True, resource=(other, there))
    if isinstance(node, (tree.Call, tree.MethodCall)) and (
        isinstance(node, tree.Call) or namespace_of(unit, node.base)
    ):
        arguments = unit.texts(node.arguments, locals)
        match node.name.text, arguments:
            case "resourceGroup", [group]:
                return Scope("resourceGroup", True, None, group)
            case "resourceGroup", [subscription, group]:
                return Scope("resourceGroup", True, subscription, group)
            case "subscription", [subscription]:
                return Scope("subscription", True, subscription)
            case "managementGroup", [group]:
                return Scope("managementGroup", True, management_group=group)
            case name, _ if name in _LEVELS:
                return Scope(name, True)
            case _:
                pass
    return Scope(unit.model.target_scope)


def scope_keys(unit: Unit, scope: Scope, identifier: str | None) -> dict[str, str]:
    """The keys of a resource that place it; `identifier` is that of the resource it extends."""
    file = unit.model.target_scope
    if identifier is not None:
        return {"scope": wrap(identifier)}
    if not scope.asked:
        return {}
    match scope.kind:
        case "tenant" if file != "tenant":
            return {"scope": "/"}
        case "managementGroup" if scope.management_group is not None:
            if file in ("tenant", "managementGroup"):
                return {"scope": wrap(call("format", quote(GROUPS + "/{0}"), scope.management_group))}
            return {"scope": wrap(call("tenantResourceId", quote(GROUPS), scope.management_group))}
        case "subscription" if scope.subscription is not None or file != "subscription":
            return {"subscriptionId": wrap(scope.subscription or "subscription().subscriptionId")}
        case "resourceGroup":
            keys = {"subscriptionId": scope.subscription, "resourceGroup": scope.group}
            return {key: wrap(text) for key, text in keys.items() if text is not None}
        case _:
            return {}
