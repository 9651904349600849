"""From an instance to a resource: its body evaluated."""

from __future__ import annotations

from typing import Any

from engine.contract.resource import Resource
from engine.contract.value import Properties, Value
from engine.expand.evaluate import Evaluator
from engine.expand.functions.signature import EvaluationError, describe, kind_of
from engine.expand.graph import annotation
from engine.expand.unit import Instance
from engine.expand.world import settle

_OWN = frozenset(
    [
        "type",
        "apiVersion",
        "name",
        "dependsOn",
        "scope",
        "subscriptionId",
        "resourceGroup",
        "copy",
        "condition",
        "existing",
        "import",
        "extension",
        "metadata",
        "comments",
        "resources",
        "@options",
        "method",
        "asserts",
    ]
)
_PIN = "ulna.operator"


def resource_of(instance: Instance) -> tuple[Resource, dict[str, None]]:
    """The resource, without its waits, and the addresses it refers to. Raises `Waiting` while its name is not known."""
    unit = instance.unit
    identity = instance.identity()
    evaluator = instance.evaluator
    try:
        properties = _extension(evaluator, unit.body) if unit.extension else _body(evaluator, unit.body)
        metadata = evaluator.value(unit.body.get("metadata"))
    except EvaluationError as error:
        settle(error, unit.pointer)
        raise
    resource = Resource(
        instance.address,
        unit.type,
        unit.api_version,
        identity.name,
        identity.id,
        properties,
        scope=identity.scope,
        existing=unit.existing,
        pin=annotation(metadata) or _tagged(properties),
        origin=unit.frame.world.template.origin(unit.pointer),
    )
    return resource, {**unit.touched, **evaluator.touched} if unit.touched else evaluator.touched


def _body(evaluator: Evaluator, body: Any) -> Properties:
    made: Properties = evaluator.object(
        {k: v for k, v in body.items() if k not in _OWN or (k == "copy" and type(v) is list)}
    )
    return made


def _extension(evaluator: Evaluator, body: Any) -> Properties:
    try:
        properties = evaluator.value(body.get("properties", {}))
        if type(properties) is not dict:
            raise EvaluationError(f"The body must be an object known at once, not {describe(kind_of(properties))}")
    except EvaluationError as error:
        if error.pointer is None:
            error.place.append("properties")
        raise
    return {key: value for key, value in properties.items() if key != "name"}


def _tagged(properties: Properties) -> str | None:
    tags: Value = properties.get("tags")
    pin = tags.get(_PIN) if isinstance(tags, dict) else None
    return pin if isinstance(pin, str) else None
