"""What list functions such as `listKeys()` answer: asked for only where somebody reads it, and sealed before anybody does."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.listing import offered, parts
from engine.contract.operator import Call
from engine.contract.resource import Resource
from engine.contract.value import Value
from providers.azure.client import Client

PLAIN = frozenset({"keyName", "name", "permissions", "creationTime"})
"""Keys whose texts tell secrets apart and are none."""


def listed(client: Client, resource: Resource, id: str, call: Call) -> dict[str, Value]:
    """For each list function that is read of a resource its answer, under the name it is called by."""
    answers: dict[str, Value] = {}
    for asked in map(offered, resource.lists):
        name, given = parts(asked)
        version, values = [*given, None, None][:2]
        answer = client.post(f"{id}/{name}", version or resource.api_version, values)
        answers[asked] = sealed(answer, f"{resource.name}.{name}", call)
    return answers


def sealed(value: Value, name: str, call: Call) -> Value:
    """The answer with a reference in the place of every text that may be secret."""
    if isinstance(value, Mapping):
        return {k: v if k in PLAIN else sealed(v, f"{name}.{k}", call) for k, v in value.items()}
    if isinstance(value, list):
        return [sealed(v, f"{name}.{n}", call) for n, v in enumerate(value)]
    return call.seal(value, name) if isinstance(value, str) and value else value
