"""Comparing values property by property: what an operator's `diff` is made of.

Paths are tuples of keys and indexes; `dotted` writes them as people do: `properties.env.LOG_LEVEL.value`, `ports[0].port`,
`labels['app.kubernetes.io/name']`. A secret has changed when its digest has; `Unknown` is never the same as anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from engine.contract.operator import Applied, Difference, Observed, Operator, Order, Replace, Same, Update
from engine.contract.resource import Drift, Resource
from engine.contract.value import Deferred, Output, Secret, Unknown, Value

Path = tuple[str | int, ...]


def tolerates(resource: Resource, operator: Operator, applied: Applied | None) -> bool:
    """Whether a difference that was found is left alone: it is somebody else's change, and the resource's policy is not to heal."""
    if resource.drift == Drift.HEAL or applied is None:
        return False
    return isinstance(operator.diff(resource, applied, None), Same)


def same(before: Value, after: Value) -> bool:
    """Whether two values are equal as JSON, where `true` is not 1; secrets are by digest."""
    if before is after:
        return not isinstance(before, Unknown)
    match before:
        case dict():
            if not isinstance(after, dict) or len(before) != len(after):
                return False
            return all(k in after and same(v, after[k]) for k, v in before.items())
        case list() | tuple():
            if not isinstance(after, list | tuple) or len(before) != len(after):
                return False
            return all(map(same, before, after))
        case Secret():
            return isinstance(after, Secret) and before.digest == after.digest
        case Unknown():
            return False
        case bool():
            return False  # the two booleans are singletons
        case _:
            return not isinstance(after, bool) and bool(before == after)


def differing(before: Value, after: Value, path: Path = ()) -> Iterator[Path]:
    """The deepest paths at which two values differ; lists of different lengths differ as a whole."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in (*before, *(k for k in after if k not in before)):
            if key in before and key in after:
                yield from differing(before[key], after[key], (*path, key))
            else:
                yield (*path, key)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differing(old, new, (*path, index))
    elif not same(before, after):
        yield path


def drifted(desired: Value, live: Value, path: Path = ()) -> Iterator[Path]:
    """The paths at which what is live is not what was asked for.

    Only what both say is compared: a default that the other side filled in is no drift, nor is what it does not report.
    A secret cannot be compared with what is live, and never drifts.
    """
    if isinstance(desired, dict) and isinstance(live, dict):
        for key, wanted in desired.items():
            if key in live:
                yield from drifted(wanted, live[key], (*path, key))
    elif isinstance(desired, list | tuple) and isinstance(live, list | tuple) and len(desired) == len(live):
        for index, (item, there) in enumerate(zip(desired, live, strict=True)):
            yield from drifted(item, there, (*path, index))
    elif not isinstance(desired, Secret | Unknown | Output | Deferred) and not same(desired, live):
        yield path


def within(wish: Value, shown: Value) -> Value:
    """Of what is shown, what the wish speaks of: the rest is others', or was filled in."""
    if isinstance(wish, Mapping) and isinstance(shown, Mapping):
        return {k: within(wish[k], v) for k, v in shown.items() if k in wish}
    if isinstance(wish, list) and isinstance(shown, list) and len(wish) == len(shown):
        return [within(w, s) for w, s in zip(wish, shown, strict=True)]
    return shown


def compare(
    resource: Resource,
    applied: Applied | None,
    observed: Observed | None,
    *,
    forces: Iterable[str] = (),
    order: Order = Order.DELETE_FIRST,
) -> Difference:
    """The usual `diff`: three-way between what was last applied, what is live, and what is wanted.

    `forces` names the properties that cannot be changed in place, dotted, `*` for any one key or index; a change of one,
    or of anything in it, replaces the resource.
    """
    if applied is None:
        return Update()
    paths = set(differing(applied.properties, resource.properties))
    if observed is not None:
        paths.update(drifted(resource.properties, observed.properties))
    if not paths:
        return Same()
    patterns = [tuple(f.split(".")) for f in forces]
    forced = sorted(dotted(p) for p in paths if any(touches(p, pattern) for pattern in patterns))
    if forced:
        return Replace(tuple(forced), f"{_list(forced)} cannot be changed in place", order)
    return Update(tuple(sorted(map(dotted, paths))))


def touches(path: Path, pattern: Iterable[str]) -> bool:
    """Whether a path lies in what a pattern names, or holds it."""
    return all(wanted in ("*", str(key)) for key, wanted in zip(path, pattern, strict=False))


def dotted(path: Path) -> str:
    """A path as people write it."""
    return "".join(map(step, path)).removeprefix(".")


@lru_cache(4096)
def step(key: str | int) -> str:
    """One key of a path, as it is written behind others."""
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.replace("-", "_").isidentifier() else f"['{key}']"


def _list(words: list[str]) -> str:
    """Words as a sentence lists them."""
    quoted = [f"'{w}'" for w in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
