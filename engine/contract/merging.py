"""Merges a block over what is there: a `runtimes` block over a native object, an overlay over a declaration. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.contract.value import Properties, Value

Lists = Callable[[str, Value, Value], "list[Value] | None"]
"""What becomes of a list, by its name, of what is there and of what the block says; None where the block's takes its place."""


def merged(base: Properties, block: Properties, lists: Lists = lambda name, here, value: None) -> dict[str, Value]:
    """The block wins: objects are merged key by key, null removes, lists are for `lists` to say, anything else is replaced."""
    result = dict(base)
    for name, value in block.items():
        here = result.get(name)
        if value is None:
            result.pop(name, None)
        elif isinstance(value, Mapping):
            result[name] = merged(here if isinstance(here, Mapping) else {}, value, lists)
        else:
            items = lists(name, here, value)
            result[name] = value if items is None else items
    return result
