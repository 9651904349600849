"""Declarations that refer to themselves, directly or through others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from engine.check.model import Model
from engine.check.report import Report
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

_FOLLOWED = (Kind.PARAM, Kind.VAR, Kind.RESOURCE, Kind.MODULE, Kind.FUNC)

References = dict[Symbol, list[tuple[tree.Node, Symbol]]]


def check_cycles(model: Model, report: Report) -> None:
    """Reports every reference that closes a circle, with the path around it; linear in the size of the file."""
    references = _references(model)
    graph = {symbol: list(dict.fromkeys(t for _, t in found)) for symbol, found in references.items()}
    for circle in circles(graph):
        model.cyclic |= circle
        for symbol in circle:
            for node, target in references[symbol]:
                if target is symbol:
                    report.error("BCP079", node, f"'{symbol.name}' refers to itself")
                elif target in circle:
                    path = " → ".join(s.name for s in [symbol, *around(graph, target, symbol)])
                    report.error("BCP080", node, f"'{symbol.name}' depends on itself: {path}")


def declared(model: Model) -> Iterator[Symbol]:
    """The symbols of the file that can refer to others, nested resources too."""
    for symbol in model.symbols.values():
        if symbol.kind in _FOLLOWED and symbol.home is None and isinstance(symbol.declaration, tree.Statement):
            yield symbol
    for inner in model.nested.values():
        yield from inner.values()


def _references(model: Model) -> References:
    """What each declaration refers to, and where; a nested resource also refers to the one around it."""
    found: References = {symbol: [] for symbol in declared(model)}
    owners = sorted(found, key=lambda s: _span(s).start)
    starts = [_span(s).start for s in owners]
    for target, nodes in model.uses.items():
        if target.kind not in _FOLLOWED or target not in found:
            continue
        for node in nodes:
            at = bisect_right(starts, node.start) - 1
            owner: Symbol | None = owners[at] if at >= 0 else None
            # Outside the last declaration that starts before it, it may still be in one around that.
            while owner is not None and _span(owner).end <= node.start:
                owner = owner.parent
            if owner is not None and isinstance(node, tree.Name | tree.Call | tree.NestedMember):
                found[owner].append((node, target))
    for symbol in found:
        if symbol.parent is not None:
            found[symbol].append((_span(symbol), symbol.parent))
    return found


def _span(symbol: Symbol) -> tree.Node:
    assert symbol.declaration is not None
    return symbol.declaration


def circles(graph: dict[Symbol, list[Symbol]]) -> Iterator[set[Symbol]]:
    """The strongly connected parts that have a circle; Tarjan's algorithm without recursion."""
    order: dict[Symbol, int] = {}
    low: dict[Symbol, int] = {}
    path: list[Symbol] = []
    on_path: set[Symbol] = set()
    for root in graph:
        if root in order:
            continue
        stack: list[tuple[Symbol, int]] = [(root, 0)]
        while stack:
            symbol, at = stack.pop()
            if at == 0:
                order[symbol] = low[symbol] = len(order)
                path.append(symbol)
                on_path.add(symbol)
            targets = graph[symbol]
            while at < len(targets):
                target = targets[at]
                at += 1
                if target not in graph:
                    continue
                if target not in order:
                    stack += [(symbol, at), (target, 0)]
                    break
                if target in on_path:
                    low[symbol] = min(low[symbol], low[target])
            else:
                if low[symbol] == order[symbol]:
                    part = set()
                    while symbol not in part:
                        part.add(top := path.pop())
                        on_path.discard(top)
                    if len(part) > 1 or symbol in targets:
                        yield part
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[symbol])


def around(graph: dict[Symbol, list[Symbol]], start: Symbol, goal: Symbol) -> list[Symbol]:
    """The shortest path from one symbol to another, both included."""
    before: dict[Symbol, Symbol | None] = {start: None}
    queue = [start]
    for symbol in queue:
        if symbol is goal:
            break
        for target in graph.get(symbol, ()):
            if target not in before:
                before[target] = symbol
                queue.append(target)
    path, at = [], goal if goal in before else None
    while at is not None:
        path.append(at)
        at = before[at]
    return path[::-1]
