"""Another number of replicas than a file says. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.resource import Resource, body
from engine.contract.value import Value

KIND = "manualScaling"


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
