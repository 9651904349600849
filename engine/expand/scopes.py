"""Where resources live: resource group, subscription, management group, tenant; and the ids that follow from it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract.value import Value, Vault
from engine.expand.apply import apply
from engine.expand.desired import Scope
from engine.expand.functions.find import find
from engine.expand.functions.signature import EvaluationError, Function
from engine.expand.placeholders import verbatim
from engine.record import Record

GROUP, SUBSCRIPTION, MANAGEMENT_GROUP, TENANT = "resourceGroup", "subscription", "managementGroup", "tenant"
_SCHEMAS = (
    ("subscriptiondeploymenttemplate", SUBSCRIPTION),
    ("managementgroupdeploymenttemplate", MANAGEMENT_GROUP),
    ("tenantdeploymenttemplate", TENANT),
)
_RESOURCE_GROUPS = "microsoft.resources/resourcegroups"
_APP_NAMESPACES = ("applications.", "radius.", "ulna.")
_MANAGEMENT_GROUP_ID = "/providers/Microsoft.Management/managementGroups/"


class Level(Record):
    """A scope that a template is deployed to."""

    kind: str
    subscription: str
    group: str
    management_group: str

    @property
    def id(self) -> str:
        """Its resource id; empty for the tenant."""
        match self.kind:
            case "resourceGroup":
                return f"/subscriptions/{self.subscription}/resourceGroups/{self.group}"
            case "subscription":
                return f"/subscriptions/{self.subscription}"
            case "managementGroup":
                return _MANAGEMENT_GROUP_ID + self.management_group
            case _:
                return ""


def level_of(document: Value, scope: Scope) -> Level:
    """The level of a root template, which its schema tells."""
    kind = kind_of_schema(document)
    return Level(kind, scope.subscription_id, scope.resource_group, scope.management_group or scope.tenant_id)


def kind_of_schema(document: Value) -> str:
    """What kind of scope a template is for."""
    schema = str(document.get("$schema", "")).lower()
    return next((kind for mark, kind in _SCHEMAS if mark in schema), GROUP)


def parse_level(text: str, around: Level) -> Level | None:
    """The level an id such as `/subscriptions/…` names, or None where it is no level but a resource."""
    parts = text.strip("/").split("/")
    lower = [p.lower() for p in parts]
    if text.strip("/") == "":
        return around.replace(kind=TENANT)
    if lower[0] == "subscriptions" and len(parts) == 2:
        return around.replace(kind=SUBSCRIPTION, subscription=parts[1])
    if lower[0] == "subscriptions" and len(parts) == 4 and lower[2] == "resourcegroups":
        return around.replace(kind=GROUP, subscription=parts[1], group=parts[3])
    if lower[-3:-1] == ["microsoft.management", "managementgroups"]:
        return around.replace(kind=MANAGEMENT_GROUP, management_group=parts[-1])
    return None


def is_app_type(type: str) -> bool:
    """Whether a type is of the app model, whose ids stand under `/planes/radius`."""
    return type.lower().startswith(_APP_NAMESPACES)


def plane(group: str, scope: Scope) -> str:
    """The scope of app-model resources in a group; that of the deployment may have another name for them."""
    name = scope.app_group if scope.app_group and group == scope.resource_group else group
    return f"/planes/radius/local/resourceGroups/{name}"


def resource_id(prefix: Value, type: str, names: Sequence[Value], vault: Vault | None = None) -> Value:
    """The id of a resource of a type and names, below the id of a scope or of another resource; deferred if a name is."""
    namespace, _, rest = type.partition("/")
    one = len(names) == 1 and rest and "/" not in rest and type.lower() != _RESOURCE_GROUPS
    if one and isinstance(prefix, str) and isinstance(names[0], str):
        return f"{prefix}/providers/{type}/{names[0]}"  # nearly all
    types = rest.split("/") if rest else []
    if len(types) != len(names):
        wanted = "1 name" if len(types) == 1 else f"{len(types)} names"
        raise EvaluationError(f"The type '{type}' takes {wanted}, and {len(names)} are given")
    said = (
        ["resourceGroups"] if type.lower() == _RESOURCE_GROUPS else ["providers", *([namespace] if namespace else [])]
    )
    between = [""] if type.lower() == _RESOURCE_GROUPS else types
    if all(isinstance(v, str) for v in (prefix, *names)):
        steps = [step for pair in zip(between, map(str, names), strict=True) for step in pair if step]
        return "/".join([str(prefix), *said, *steps])
    holes = [step for i, t in enumerate(between) for step in (verbatim(t), f"{{{i + 1}}}") if step]
    return apply(_format(), ["/".join(["{0}", *map(verbatim, said), *holes]), prefix, *names], vault)


def _format() -> Function:
    function = find("format")
    assert function is not None
    return function


def type_in(id: str) -> str:
    """The type of the resource an id names, in lower case; empty where it names none."""
    lower = id.lower()
    _, found, tail = lower.rpartition("/providers/")
    if not found:
        parts = lower.strip("/").split("/")
        return _RESOURCE_GROUPS if len(parts) == 4 and parts[2] == "resourcegroups" else ""
    namespace, *rest = tail.split("/")
    return "/".join([namespace, *rest[0::2]])


def names_in(id: str) -> list[str]:
    """The names in an id, from the outer to the inner."""
    _, found, tail = id.rpartition("/providers/")
    return tail.split("/")[2::2] if found else [id.rpartition("/")[2]]
