"""Where and when a deployment happens, as templates ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.contract.value import Value
from engine.expand.functions.signature import EvaluationError, Library
from engine.expand.host import Argument
from engine.expand.placeholders import is_open, told_by

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.scopes import Level

LIBRARY = Library()
_Arguments = tuple[Argument, ...]


def _level(evaluator: Evaluator) -> Level:
    return evaluator.frame.home.level


def _told(evaluator: Evaluator, given: Value, function: str, key: str) -> Value:
    """What is given, or what the function will tell in a deployment where nothing is, or nothing but what it tells."""
    world = evaluator.frame.world
    placeholders = world.scope.placeholders
    if placeholders is None or (given and not is_open(given)):
        return given
    root = world.frames[0].level
    if not isinstance(given, str) or given in ("", *(root.replace(kind=kind).id for kind in _KINDS)):
        return told_by(f"{function}()", key)
    return placeholders.opened(given)


_KINDS = ("resourceGroup", "subscription", "managementGroup")


def _live(evaluator: Evaluator, given: Value, function: str, key: str) -> Value:
    """As `_told`, of what no option tells."""
    return _told(evaluator, given if evaluator.frame.world.scope.placeholders is None else None, function, key)


def _location(evaluator: Evaluator, group: Level) -> str:
    """Where a resource group is; with placeholders, only that of the root template is told."""
    world = evaluator.frame.world
    root = world.frames[0].level
    is_told = world.scope.placeholders is None or (root.kind == group.kind and root.id.lower() == group.id.lower())
    return world.scope.location if is_told else ""


@LIBRARY.special("resourceGroup", 0, 2)
def resource_group(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The resource group that is deployed to."""
    level = _level(evaluator).replace(kind="resourceGroup")
    match [evaluator.named(evaluator.evaluate(a)) for a in arguments]:
        case [name]:
            level = level.replace(group=str(name))
        case [subscription, name]:
            level = level.replace(subscription=str(subscription), group=str(name))
        case _:
            pass
    return {
        "id": _told(evaluator, level.id, "resourceGroup", "id"),
        "name": _told(evaluator, level.group, "resourceGroup", "name"),
        "type": "Microsoft.Resources/resourceGroups",
        "location": _told(evaluator, _location(evaluator, level), "resourceGroup", "location"),
        "tags": _live(evaluator, {}, "resourceGroup", "tags"),
        "managedBy": _live(evaluator, None, "resourceGroup", "managedBy"),
        "properties": _live(evaluator, {"provisioningState": "Succeeded"}, "resourceGroup", "properties"),
    }


@LIBRARY.special("subscription", 0, 1)
def subscription(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The subscription that is deployed to."""
    id = evaluator.named(evaluator.evaluate(arguments[0])) if arguments else _level(evaluator).subscription
    scope = evaluator.frame.world.scope
    known = {
        "id": _told(evaluator, f"/subscriptions/{id}", "subscription", "id"),
        "subscriptionId": _told(evaluator, id, "subscription", "subscriptionId"),
        "tenantId": _told(evaluator, scope.tenant_id, "subscription" if is_open(id) else "tenant", "tenantId"),
        "displayName": _live(evaluator, str(id), "subscription", "displayName"),
    }
    return (
        {**known, "authorizationSource": "RoleBased", "managedByTenants": []} if scope.placeholders is None else known
    )


@LIBRARY.special("managementGroup", 0, 1)
def management_group(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The management group that is deployed to."""
    name = evaluator.named(evaluator.evaluate(arguments[0])) if arguments else _level(evaluator).management_group
    id = f"/providers/Microsoft.Management/managementGroups/{name}"
    tenant_id = evaluator.frame.world.scope.tenant_id
    return {
        "id": _told(evaluator, id, "managementGroup", "id"),
        "name": _told(evaluator, name, "managementGroup", "name"),
        "type": "Microsoft.Management/managementGroups",
        "properties": _live(evaluator, {"displayName": name, "tenantId": tenant_id}, "managementGroup", "properties"),
    }


@LIBRARY.special("tenant", 0)
def tenant(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The tenant that is deployed to."""
    id = evaluator.frame.world.scope.tenant_id
    return {
        "id": _told(evaluator, f"/tenants/{id}" if id else "", "tenant", "id"),
        "tenantId": _told(evaluator, id, "tenant", "tenantId"),
        "displayName": _live(evaluator, "", "tenant", "displayName"),
        "countryCode": _live(evaluator, "", "tenant", "countryCode"),
    }


@LIBRARY.special("deployment", 0)
def deployment(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The deployment itself; within a module, the module's."""
    frame = evaluator.frame.home
    scope = frame.world.scope
    name = frame.instance.identity().name if frame.instance else scope.deployment
    document = frame.document
    template = {k: document[k] for k in ("$schema", "contentVersion", "metadata") if k in document}
    return {
        "name": _told(evaluator, name, "deployment", "name"),
        "location": _told(evaluator, scope.location, "deployment", "location"),
        "properties": {"mode": "Incremental", "template": template, "provisioningState": "Accepted"},
    }


@LIBRARY.special("deployer", 0)
def deployer(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """Who deploys."""
    if evaluator.frame.world.scope.placeholders is not None:
        return told_by("deployer()")
    nobody = "00000000-0000-0000-0000-000000000000"
    return {"objectId": nobody, "tenantId": evaluator.frame.world.scope.tenant_id, "userPrincipalName": ""}


@LIBRARY.special("utcNow", 0, 1)
def utc_now(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The time at which the deployment started, by a date pattern."""
    _only_in_defaults("utcNow", evaluator)
    from engine.expand.functions.calendar import print_time
    from engine.expand.functions.dates import read_time

    pattern = evaluator.shape(evaluator.evaluate(arguments[0])) if arguments else "yyyyMMddTHHmmssZ"
    if evaluator.frame.world.scope.placeholders is not None:
        from engine.build.emit.text import call, literal

        return told_by(call("utcNow", *([literal(pattern)] if arguments else [])))
    return print_time(read_time("utcNow", evaluator.frame.world.scope.now), str(pattern))


@LIBRARY.special("newGuid", 0)
def new_guid(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """A UUID for one parameter, the same for as long as the run lasts."""
    _only_in_defaults("newGuid", evaluator)
    if evaluator.frame.world.scope.placeholders is not None:
        return told_by("newGuid()")
    from engine.expand.functions.hashing import name_uuid

    scope = evaluator.frame.world.scope
    return name_uuid("/".join((scope.seed, scope.now, evaluator.frame.address, evaluator.default_of)))


def _only_in_defaults(function: str, evaluator: Evaluator) -> None:
    if not evaluator.default_of:
        raise EvaluationError(f"{function}() may be used in the default of a parameter only")
