"""The id of a resource, as an expression that needs no deployment to be evaluated."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.names import name_segments
from engine.build.emit.scopes import GROUPS, scope_of
from engine.build.emit.text import call, quote
from engine.build.emit.unit import Locals, Unit


def identifier(unit: Unit, each: Declared, locals: Locals) -> str:
    """Its id: the function depends on where it is deployed to."""
    scope = scope_of(unit, each, locals)
    what = [quote(each.type), *name_segments(unit, each, locals)]
    match scope.kind:
        case "resource":
            assert scope.resource is not None
            return call("extensionResourceId", identifier(unit, *scope.resource), *what)
        case "tenant":
            return call("tenantResourceId", *what)
        case "managementGroup":
            group = "managementGroup().id"
            if scope.management_group is not None:
                group = call("tenantResourceId", quote(GROUPS), scope.management_group)
            return call("extensionResourceId", group, *what)
        case "subscription":
            return call("subscriptionResourceId", *([scope.subscription] if scope.subscription else []), *what)
        case _ if scope.group is not None:
            subscription = scope.subscription or "subscription().subscriptionId"
            path = call("format", "'/subscriptions/{0}/resourceGroups/{1}'", subscription, scope.group)
            return call("extensionResourceId", path, *what)
        case _:
            return call("resourceId", *what)
