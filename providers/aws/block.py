"""The block `runtimes.ecs`, in the words of ECS's API, merged last: objects by key, lists of named things by name. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.merging import merged as merge
from engine.contract.value import Properties, Value

PARTS = ("taskDefinition", "containerDefinition", "service")
_NAMED = {
    "environment": "name",
    "secrets": "name",
    "mountPoints": "containerPath",
    "volumes": "name",
    "containerDefinitions": "name",
}
"""Lists whose items have a key: those of the block take the place of those with the same, and others stay."""


def part(block: Properties, name: str) -> Mapping[str, Any]:
    """One of the three parts; {} if it is not there."""
    found = block.get(name)
    return found if isinstance(found, Mapping) else {}


def merged(native: Properties, block: Properties) -> dict[str, Value]:
    """The block wins; null removes."""
    return merge(native, block, _by_name)


def _by_name(name: str, here: Value, items: Value) -> list[Value] | None:
    """Items of both lists, one for each name, where items have names."""
    key = _NAMED.get(name)
    if key is None or not isinstance(items, list | tuple) or not isinstance(here, list | tuple):
        return None
    fresh = {item.get(key): item for item in items if isinstance(item, Mapping)}
    kept = [merged(item, fresh.pop(item.get(key))) if item.get(key) in fresh else item for item in here]
    return [*kept, *fresh.values()]


def structure(block: Properties) -> Iterator[Value]:
    """What decides how the block is merged: every object and list in it, down to the items of lists."""
    for name in PARTS:
        found = block.get(name)
        yield found
        if isinstance(found, Mapping):
            for value in found.values():
                yield value
                if isinstance(value, list | tuple):
                    yield from value
