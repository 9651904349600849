"""The order of a graph: what is needed first, and otherwise as written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.contract.resource import Resource
from engine.contract.value import needs
from engine.diagnostics.diagnostic import Diagnostic, Severity, UlnaError


def leans_on(resource: Resource) -> frozenset[str]:
    """The addresses a resource comes after: what it waits for, and whose outputs it reads."""
    return frozenset(resource.depends_on) | needs([resource.properties, resource.name, resource.id])


def order(edges: Mapping[str, Iterable[str]]) -> list[str]:
    """The keys so that each comes after all it needs; needs that are no key are taken as met.

    Raises `UlnaError` for a cycle, with its path.
    """
    names = list(edges)
    number = {name: n for n, name in enumerate(names)}
    missing = [0] * len(names)
    followers: list[list[int]] = [[] for _ in names]
    for n, name in enumerate(names):
        for need in {number[k] for k in edges[name] if k in number}:
            missing[n] += 1
            followers[need].append(n)
    ready = [n for n, count in enumerate(missing) if not count]
    for n in ready:  # grows while it is walked
        for follower in followers[n]:
            missing[follower] -= 1
            if not missing[follower]:
                ready.append(follower)
    if len(ready) < len(names):
        raise cyclic(cycle(edges))
    return [names[n] for n in ready]


def cycle(edges: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """One cycle, its first key again at the end; empty where there is none."""
    done: set[str] = set()
    for start in edges:
        path: dict[str, None] = {}
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                del path[name]
                done.add(name)
            elif name in path:
                steps = list(path)
                return (*steps[steps.index(name) :], name)
            elif name not in done and name in edges:
                path[name] = None
                stack.append((name, True))
                stack.extend((need, False) for need in edges[name])
    return ()


def cyclic(path: tuple[str, ...]) -> UlnaError:
    """What is said of a cycle."""
    text = " → ".join(path)
    message = f"'{path[0]}' needs itself: {text}"
    help = "Take one of these out of the circle: remove a dependsOn, or a reference that makes one."
    return UlnaError(Diagnostic("ULN608", Severity.ERROR, message, help=help))
