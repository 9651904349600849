"""What people set of a resource while it runs, over what its file says. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.resource import Resource, body
from engine.contract.value import Value

KIND = "manualScaling"


def is_container(resource: Resource) -> bool:
    """Whether it is one of the app model, which has replicas."""
    return resource.type.lower() == "applications.core/containers"


def scaled(resource: Resource, replicas: int | None) -> Resource:
    """The container with so many replicas, as its extension `manualScaling` would say."""
    if replicas is None:
        return resource
    inner = body(resource)
    given = inner.get("extensions")
    others: list[Value] = [e for e in given or () if not (isinstance(e, Mapping) and e.get("kind") == KIND)]
    changed = {**inner, "extensions": [*others, {"kind": KIND, "replicas": replicas}]}
    whole = {**resource.properties, "properties": changed} if "properties" in resource.properties else changed
    return resource.replace(properties=whole)


def changed(resource: Resource, values: Mapping[str, Value]) -> Resource:
    """The resource with properties set by dotted paths, below `properties` where it has that."""
    properties: Value = resource.properties
    for path, value in values.items():
        steps = path.split(".")
        if steps[0] != "properties" and "properties" in resource.properties:
            steps = ["properties", *steps]
        properties = _set(properties, steps, value)
    return resource if properties is resource.properties else resource.replace(properties=properties)


def _set(value: Value, steps: list[str], new: Value) -> Value:
    """A copy with one place set; objects are made where there are none, a place in a list is its number."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, list | tuple) and step.isdigit() and int(step) < len(value):
        return [_set(v, rest, new) if n == int(step) else v for n, v in enumerate(value)]
    inner = dict(value) if isinstance(value, Mapping) else {}
    inner[step] = _set(inner.get(step), rest, new)
    return inner
