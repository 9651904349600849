"""From an instance to a resource: its body, evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.contract.resource import Resource, Wait
from engine.contract.value import Properties, Value
from engine.expand.clusters import is_object, namespace_of, placed, refuse_kubeconfig
from engine.expand.evaluate import Evaluator
from engine.expand.functions.signature import EvaluationError, describe, kind_of
from engine.expand.unit import Instance
from engine.expand.world import settle
from engine.record import Record

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


class Body(Record):
    """What a resource is made of: its properties, and the operator it is pinned to."""

    properties: Properties
    pin: str | None = None


def body_of(instance: Instance) -> Body:
    """The body of an instance, evaluated. Raises `Waiting` while its name is not known."""
    unit = instance.unit
    instance.identity()
    evaluator = instance.evaluator
    try:
        properties = _extension(evaluator, unit.body) if unit.extension else _body(evaluator, unit.body)
        if is_object(unit) and evaluator.frame.world.scope.placeholders is None:
            refuse_kubeconfig(unit, evaluator)
            properties = placed(dict(properties), namespace_of(unit, evaluator))
        pin = _annotated(evaluator, unit.body["metadata"]) if "metadata" in unit.body else None
    except EvaluationError as error:
        settle(error, unit.pointer)
        raise
    return Body(properties, pin or _tagged(properties))


def resource_of(instance: Instance, body: Body, waits: Iterable[Wait]) -> Resource:
    """The resource that an instance is."""
    unit = instance.unit
    identity = instance.identity()
    return Resource(
        instance.address,
        unit.type,
        unit.api_version,
        identity.name,
        identity.id,
        body.properties,
        tuple(waits),
        identity.scope,
        unit.existing,
        pin=body.pin,
        origin=unit.frame.world.template.origin(unit.pointer),
    )


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
    if evaluator.frame.world.scope.placeholders is not None:
        return properties  # nothing else will tell its name
    return {key: value for key, value in properties.items() if key != "name"}


def _annotated(evaluator: Evaluator, metadata: Any) -> str | None:
    """The operator that `metadata: {ulna: {operator: …}}` names; the rest of the metadata is for people."""
    own = metadata.get("ulna") if isinstance(metadata, dict) else None
    name = evaluator.value(own.get("operator")) if isinstance(own, dict) else None
    return name if isinstance(name, str) else None


def _tagged(properties: Properties) -> str | None:
    tags: Value = properties.get("tags")
    pin = tags.get(_PIN) if isinstance(tags, dict) else None
    return pin if isinstance(pin, str) else None
