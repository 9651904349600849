"""The order in which resources are listed: each, and right below it what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def owners_first(items: Iterable[T], address: Callable[[T], str], owner: Callable[[T], str | None]) -> list[T]:
    """The items in the order they have, but for parts, which follow their owner if it is among them."""
    found = list(items)
    there = {address(item) for item in found}
    parts: dict[str | None, list[T]] = {}
    for item in found:
        above = owner(item)
        parts.setdefault(above if above in there else None, []).append(item)
    ordered: list[T] = []
    stack = parts.get(None, [])[::-1]
    while stack:
        item = stack.pop()
        ordered.append(item)
        stack.extend(reversed(parts.get(address(item), [])))
    return ordered
