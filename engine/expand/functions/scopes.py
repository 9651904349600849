"""Where and when a deployment happens, as templates ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.contract.value import Value
from engine.expand.functions.signature import EvaluationError, Library
from engine.expand.host import Argument

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.scopes import Level

LIBRARY = Library()
_Arguments = tuple[Argument, ...]


def _level(evaluator: Evaluator) -> Level:
    return evaluator.frame.home.level


@LIBRARY.special("resourceGroup", 0, 2)
def resource_group(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The resource group that is deployed to."""
    level = _level(evaluator).replace(kind="resourceGroup")
    match [evaluator.shape(evaluator.evaluate(a)) for a in arguments]:
        case [name]:
            level = level.replace(group=str(name))
        case [subscription, name]:
            level = level.replace(subscription=str(subscription), group=str(name))
        case _:
            pass
    return {
        "id": level.id,
        "name": level.group,
        "type": "Microsoft.Resources/resourceGroups",
        "location": evaluator.frame.world.scope.location,
        "tags": {},
        "properties": {"provisioningState": "Succeeded"},
    }


@LIBRARY.special("subscription", 0, 1)
def subscription(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The subscription that is deployed to."""
    id = evaluator.shape(evaluator.evaluate(arguments[0])) if arguments else _level(evaluator).subscription
    tenant_id = evaluator.frame.world.scope.tenant_id
    return {
        "id": f"/subscriptions/{id}",
        "subscriptionId": id,
        "tenantId": tenant_id,
        "displayName": str(id),
        "authorizationSource": "RoleBased",
        "managedByTenants": [],
    }


@LIBRARY.special("managementGroup", 0, 1)
def management_group(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The management group that is deployed to."""
    name = evaluator.shape(evaluator.evaluate(arguments[0])) if arguments else _level(evaluator).management_group
    return {
        "id": f"/providers/Microsoft.Management/managementGroups/{name}",
        "name": name,
        "type": "Microsoft.Management/managementGroups",
        "properties": {"displayName": name, "tenantId": evaluator.frame.world.scope.tenant_id},
    }


@LIBRARY.special("tenant", 0)
def tenant(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The tenant that is deployed to."""
    return {"tenantId": evaluator.frame.world.scope.tenant_id, "displayName": "", "countryCode": ""}


@LIBRARY.special("deployment", 0)
def deployment(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The deployment itself; within a module, the module's."""
    frame = evaluator.frame.home
    scope = frame.world.scope
    name = frame.instance.identity().name if frame.instance else scope.deployment
    document = frame.document
    template = {k: document[k] for k in ("$schema", "contentVersion", "metadata") if k in document}
    return {
        "name": name,
        "location": scope.location,
        "properties": {"mode": "Incremental", "template": template, "provisioningState": "Accepted"},
    }


@LIBRARY.special("deployer", 0)
def deployer(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """Who deploys."""
    nobody = "00000000-0000-0000-0000-000000000000"
    return {"objectId": nobody, "tenantId": evaluator.frame.world.scope.tenant_id, "userPrincipalName": ""}


@LIBRARY.special("utcNow", 0, 1)
def utc_now(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The time at which the deployment started, by a date pattern."""
    _only_in_defaults("utcNow", evaluator)
    from engine.expand.functions.calendar import print_time
    from engine.expand.functions.dates import read_time

    pattern = evaluator.shape(evaluator.evaluate(arguments[0])) if arguments else "yyyyMMddTHHmmssZ"
    return print_time(read_time("utcNow", evaluator.frame.world.scope.now), str(pattern))


@LIBRARY.special("newGuid", 0)
def new_guid(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """A UUID for one parameter, the same for as long as the run lasts."""
    _only_in_defaults("newGuid", evaluator)
    from engine.expand.functions.hashing import name_uuid

    scope = evaluator.frame.world.scope
    return name_uuid("/".join((scope.seed, scope.now, evaluator.frame.address, evaluator.default_of)))


def _only_in_defaults(function: str, evaluator: Evaluator) -> None:
    if not evaluator.default_of:
        raise EvaluationError(f"{function}() may be used in the default of a parameter only")
