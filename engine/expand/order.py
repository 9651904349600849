"""An order in which dependencies come first, otherwise that of the templates; or a cycle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def order(needs: Mapping[str, Iterable[str]]) -> tuple[list[str], list[str]]:
    """The keys, what each needs before it, and a cycle (its first repeated at the end; empty where there is none)."""
    done: dict[str, bool] = {}  # False while what it needs is being placed
    placed: list[str] = []
    for start in needs:
        if start in done:
            continue
        done[start] = False
        stack = [(start, iter(needs[start]))]
        while stack:
            key, rest = stack[-1]
            for need in rest:
                if need not in needs:
                    continue
                if need not in done:
                    done[need] = False
                    stack.append((need, iter(needs[need])))
                    break
                if not done[need]:
                    path = [k for k, _ in stack]
                    return placed, [*path[path.index(need) :], need]
            else:
                done[key] = True
                placed.append(key)
                stack.pop()
    return placed, []
