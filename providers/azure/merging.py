"""The block `runtimes.aci`, merged last: objects key by key, named parts by their names, null removes, anything else replaces. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.value import Properties, Value

OUTER = ("zones", "identity", "tags", "location")
"""Keys that stand beside `properties` in a resource."""
OURS = ("nGroup", "gatewayID")
"""Keys that are not of the container group."""


def merged(base: Value, block: Value) -> Value:
    """A value with a block in it."""
    if isinstance(base, Mapping) and isinstance(block, Mapping):
        result = dict(base)
        for key, value in block.items():
            if value is None:
                result.pop(key, None)
            else:
                result[key] = merged(base[key], value) if key in base else value
        return result
    if isinstance(base, list) and isinstance(block, list | tuple) and _named(base) and block and _named(block):
        return _parts(base, block)
    return list(block) if isinstance(block, tuple) else block


def _named(items: list[Value] | tuple[Value, ...]) -> bool:
    return all(isinstance(i, Mapping) and "name" in i for i in items)


def _parts(base: list[Value], block: list[Value] | tuple[Value, ...]) -> list[Value]:
    wanted = {str(i["name"]): i for i in block}
    found = [merged(i, wanted.pop(str(i["name"]), {})) for i in base]
    return [*found, *wanted.values()]


def split(block: Properties) -> tuple[dict[str, Value], dict[str, Value], dict[str, Value]]:
    """A block's parts: for the properties of a group, for what stands beside them, for the set of groups."""
    inner = {k: v for k, v in block.items() if k not in OUTER and k not in OURS}
    outer = {k: v for k, v in block.items() if k in OUTER}
    return inner, outer, dict(block.get("nGroup") or {})
