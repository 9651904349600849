"""Before and after of a resource, property by property, as people want to see it.

Lists are matched by their longest common subsequence, items that carry a `name` (or `id`, `key`) by that.
`patch` undoes `delta`: the one applied to the before gives the after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.contract.difference import Path, dotted, same
from engine.contract.value import Value, has_secret
from engine.plan.change import PropertyChange, PropertyKind

_LIMIT = 250_000
"""Cells of the table for the longest common subsequence; larger lists are compared item by item."""


def baseline(applied: Value, live: Value, desired: Value) -> Value:
    """What is there, in the terms of who declared it: the last applied value, corrected by the live one.

    What only the other side knows (its defaults) stays out. A live value never shows where a secret was or will be.
    """
    if isinstance(applied, dict) and isinstance(live, dict):
        wanted = desired if isinstance(desired, dict) else {}
        merged = {k: baseline(v, live.get(k, v), wanted.get(k)) for k, v in applied.items()}
        return merged | {k: live[k] for k in wanted if k in live and k not in applied and not has_secret(wanted[k])}
    if has_secret(applied) or has_secret(desired):
        return applied
    if isinstance(applied, list | tuple) and isinstance(live, list | tuple) and len(applied) == len(live):
        wished = desired if isinstance(desired, list | tuple) and len(desired) == len(live) else [None] * len(live)
        return [baseline(a, b, c) for a, b, c in zip(applied, live, wished, strict=True)]
    return live


def delta(before: Value, after: Value, path: Path = ()) -> tuple[PropertyChange, ...]:
    """The differences in the order of what-if: gone, new, changed, each by path."""
    return tuple(sorted(_changes(before, after, path), key=_rank))


_ORDER = (PropertyKind.DELETE, PropertyKind.CREATE, PropertyKind.MODIFY, PropertyKind.ARRAY, PropertyKind.NO_EFFECT)


def _rank(change: PropertyChange) -> tuple[int, list[tuple[bool, int | str]]]:
    kind = PropertyKind.MODIFY if change.kind is PropertyKind.ARRAY else change.kind
    return _ORDER.index(kind), [(isinstance(k, str), k) for k in change.path]


def _changes(before: Value, after: Value, path: Path) -> Iterator[PropertyChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key, old in before.items():
            if key in after:
                yield from _changes(old, after[key], (*path, key))
            else:
                yield PropertyChange((*path, key), PropertyKind.DELETE, before=old)
        for key, new in after.items():
            if key not in before:
                yield PropertyChange((*path, key), PropertyKind.CREATE, after=new)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        children = tuple(sorted(_items(before, after), key=_rank))
        if children:
            yield PropertyChange(path, PropertyKind.ARRAY, before, after, children)
    elif not same(before, after):
        yield PropertyChange(path, PropertyKind.MODIFY, before, after)


def _items(before: Sequence[Value], after: Sequence[Value]) -> Iterator[PropertyChange]:
    """What happened to the items of a list."""
    i = j = 0
    for old, new in (*_matches(before, after), (len(before), len(after))):
        while i < old and j < new and isinstance(before[i], dict) and isinstance(after[j], dict):
            if _identity(before[i]) is not None or _identity(after[j]) is not None:
                break
            yield from _item(before[i], after[j], j)
            i, j = i + 1, j + 1
        yield from (PropertyChange((n,), PropertyKind.DELETE, before=before[n]) for n in range(i, old))
        yield from (PropertyChange((n,), PropertyKind.CREATE, after=after[n]) for n in range(j, new))
        if old < len(before):
            yield from _item(before[old], after[new], new)
        i, j = old + 1, new + 1


def _item(old: Value, new: Value, index: int) -> Iterator[PropertyChange]:
    """An item that stayed, with what changed in it."""
    if same(old, new):
        return
    children = delta(old, new)
    if children and all(c.path for c in children):
        yield PropertyChange((index,), PropertyKind.MODIFY, old, new, children)
    else:
        yield PropertyChange((index,), PropertyKind.MODIFY, old, new)


def _identity(item: Value) -> tuple[str, str] | None:
    """What makes an item of a list the same item after a change."""
    if isinstance(item, dict):
        for key in ("name", "id", "key"):
            if isinstance(item.get(key), str):
                return key, item[key]
    return None


def _alike(old: Value, new: Value) -> bool:
    identity = _identity(old)
    return identity == _identity(new) if identity is not None else same(old, new)


def _matches(before: Sequence[Value], after: Sequence[Value]) -> list[tuple[int, int]]:
    """Pairs of indexes of items that stayed, both rising."""
    start, ends = 0, (len(before), len(after))
    while start < min(ends) and _alike(before[start], after[start]):
        start += 1
    tail = 0
    while tail < min(ends) - start and _alike(before[-1 - tail], after[-1 - tail]):
        tail += 1
    head = [(n, n) for n in range(start)]
    old, new = before[start : ends[0] - tail], after[start : ends[1] - tail]
    middle = [(start + i, start + j) for i, j in _common(old, new)]
    return head + middle + [(ends[0] - n, ends[1] - n) for n in range(tail, 0, -1)]


def _common(old: Sequence[Value], new: Sequence[Value]) -> Iterator[tuple[int, int]]:
    """The longest common subsequence."""
    if len(old) * len(new) > _LIMIT:
        yield from ((n, n) for n in range(min(len(old), len(new))) if _alike(old[n], new[n]))
        return
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            here = longest[i + 1][j + 1] + 1 if _alike(old[i], new[j]) else 0
            longest[i][j] = max(here, longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    while i < len(old) and j < len(new):
        if _alike(old[i], new[j]) and longest[i][j] == longest[i + 1][j + 1] + 1:
            yield i, j
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1


def patch(before: Value, changes: Iterable[PropertyChange]) -> Value:
    """The after that these changes of the before lead to."""
    value = before
    for change in changes:
        value = _patched(value, change.path, change)
    return value


def _patched(value: Value, path: Path, change: PropertyChange) -> Value:
    if path:
        key, inner = path[0], path[1:]
        if not inner and change.kind is PropertyKind.DELETE:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _patched(value.get(key), inner, change)}
    return _patched_list(value, change.children) if change.kind is PropertyKind.ARRAY else change.after


def _patched_list(items: Sequence[Value], changes: Iterable[PropertyChange]) -> list[Value]:
    gone = {c.path[0] for c in changes if c.kind is PropertyKind.DELETE}
    left = [item for n, item in enumerate(items) if n not in gone]
    for change in changes:
        index = change.path[0]
        assert isinstance(index, int)
        if change.kind is PropertyKind.CREATE:
            left.insert(index, change.after)
    for change in changes:
        if change.kind in (PropertyKind.MODIFY, PropertyKind.ARRAY):
            index = change.path[0]
            assert isinstance(index, int)
            left[index] = patch(left[index], change.children) if change.children else change.after
    return left


def marked(changes: Iterable[PropertyChange], forced: Iterable[str]) -> tuple[PropertyChange, ...]:
    """The changes, with those marked that lie in, or hold, a property that forces a replacement."""
    paths = tuple(forced)
    return tuple(c.replace(forces=any(overlap(dotted(c.path), p) for p in paths)) for c in changes)


def without_effect(changes: tuple[PropertyChange, ...], effective: Iterable[str]) -> tuple[PropertyChange, ...]:
    """The changes, with those turned into `NoEffect` that the operator did not count, if it counted any of them."""
    paths = tuple(effective)
    counts = [any(overlap(dotted(c.path), p) for p in paths) for c in changes]
    if not any(counts):
        return changes
    pairs = zip(changes, counts, strict=True)
    return tuple(sorted((c if n else c.replace(kind=PropertyKind.NO_EFFECT) for c, n in pairs), key=_rank))


def overlap(one: str, other: str) -> bool:
    """Whether one dotted path lies in the other."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and long[len(short) : len(short) + 1] in ("", ".", "[")
