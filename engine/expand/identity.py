"""What a resource is called, and where: name, scope and id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.contract.value import Secret
from engine.expand.clusters import PLANE, id_of, is_object, namespace_of
from engine.expand.functions.signature import EvaluationError, describe, kind_of
from engine.expand.placeholders import is_open
from engine.expand.scopes import GROUP, SUBSCRIPTION, Level, is_app_type, parse_level, plane, resource_id
from engine.expand.world import settle
from engine.record import Record

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator
    from engine.expand.unit import Instance


class Identity(Record):
    """`path` is the name as declared, with all segments; `name` the same; `scope` the id of what it lives in."""

    name: str
    path: str
    scope: str
    id: str


def identify(instance: Instance) -> Identity:
    """The identity of an instance. Raises `Waiting` while its name or scope is not known."""
    unit = instance.unit
    evaluator = instance.evaluator
    body = unit.body
    try:
        try:
            name = _name(instance, evaluator)
        except EvaluationError as error:
            settle(error, f"{unit.pointer}/{'properties/name' if unit.extension else 'name'}")
            raise
        scope = scope_of(evaluator, body, unit.frame.level)
        names = name.split("/")
        if is_app_type(unit.type):
            group = scope.group if isinstance(scope, Level) else unit.frame.level.group
            where = plane(group, evaluator.frame.world.scope)
            return Identity(name, name, where, str(resource_id(where, unit.type, names)))
        if is_object(unit):
            return Identity(name, name, PLANE, id_of(unit, namespace_of(unit, evaluator), name))
        if unit.extension:
            where = f"/planes/{str(body.get('import') or body.get('extension')).lower()}/local"
            return Identity(name, name, where, f"{where}/providers/{unit.type}/{name}")
        prefix = scope.id if isinstance(scope, Level) else scope
        if is_open(name) and len(names) != unit.type.count("/"):  # what is open may hold the other names
            return Identity(name, name, prefix, f"{prefix}/providers/{unit.type}/{name}")
        return Identity(name, name, prefix, str(resource_id(prefix, unit.type, names)))
    except EvaluationError as error:
        settle(error, f"{unit.pointer}/name")
        raise


def _name(instance: Instance, evaluator: Evaluator) -> str:
    unit = instance.unit
    if unit.extension:
        properties = unit.body.get("properties", {})
        properties = properties if isinstance(properties, dict) else {}
        metadata = properties.get("metadata")
        raw = properties.get("name", metadata.get("name") if isinstance(metadata, dict) else properties.get("alias"))
        if raw is None:
            return unit.symbol if instance.index is None else f"{unit.symbol}-{instance.index}"
    elif "name" not in unit.body:
        raise EvaluationError(f"The resource '{unit.label}' has no name")
    else:
        raw = unit.body["name"]
    plain = type(raw) is str and raw[:1] != "["
    name = raw if plain else _text(evaluator, raw, f"The name of '{unit.label}'")
    if not name.strip("/"):
        raise EvaluationError(f"The name of '{unit.label}' is empty")
    if unit.above is not None and name.count("/") < unit.type.count("/") - 1:
        above = unit.above.instance(instance.index if unit.above.loop else None)
        name = f"{above.identity().name}/{name}"
    return name


def _text(evaluator: Evaluator, raw: Any, what: str) -> str:
    value = evaluator.value(raw)
    if type(value) is Secret:
        error = EvaluationError(f"{what} is made of the secret '{value.name}', and names are visible to everybody")
        error.code = "ULN211"
        raise error
    value = evaluator.named(value)
    if type(value) is not str:
        raise EvaluationError(f"{what} must be a string, not {describe(kind_of(value))}")
    return value


def scope_of(evaluator: Evaluator, body: Any, around: Level) -> Level | str:
    """The level that `scope`, `subscriptionId` and `resourceGroup` of a resource name, or the id of the resource it extends."""
    try:
        if "scope" in body:
            text = _text(evaluator, body["scope"], "The scope")
            level = parse_level(text, around)
            if level is not None:
                return level
            if text.startswith("/"):
                return text
            namespace, _, rest = text.partition("/")
            parts = rest.split("/")
            type = "/".join([namespace, *parts[0::2]])
            prefix = plane(around.group, evaluator.frame.world.scope) if is_app_type(type) else around.id
            return str(resource_id(prefix, type, parts[1::2]))
        level = around
        if "subscriptionId" in body:
            subscription = _text(evaluator, body["subscriptionId"], "The subscription")
            level = level.replace(kind=SUBSCRIPTION, subscription=subscription)
        if "resourceGroup" in body:
            level = level.replace(kind=GROUP, group=_text(evaluator, body["resourceGroup"], "The resource group"))
        return level
    except EvaluationError as error:
        if error.pointer is None and not error.place:
            error.place.append(next(k for k in ("scope", "resourceGroup", "subscriptionId") if k in body))
        raise
