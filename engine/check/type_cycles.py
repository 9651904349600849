"""Types that cannot be, because they must contain themselves."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.cycles import around, circles
from engine.check.model import Model
from engine.check.report import Report
from engine.check.symbols import Kind, Symbol
from engine.parse import tree


def check_type_cycles(model: Model, report: Report) -> None:
    """Reports every declared type that requires itself, directly or through others."""
    graph: dict[Symbol, list[Symbol]] = {}
    for symbol in model.of_kind(Kind.TYPE):
        if isinstance(symbol.declaration, tree.TypeDeclaration):
            graph[symbol] = list(dict.fromkeys(_required(model, symbol.declaration.value)))
    for circle in circles(graph):
        model.cyclic |= circle
        for symbol in circle:
            assert isinstance(symbol.declaration, tree.TypeDeclaration)
            help = "Make one of its members optional, by '?', or an array."
            if symbol in graph[symbol]:
                report.error("BCP298", symbol.declaration.name, f"Type '{symbol.name}' requires itself", help)
            else:
                shortest = min(
                    (around(graph, t, symbol) for t in graph[symbol] if t in circle), key=len, default=[symbol]
                )
                path = " → ".join(s.name for s in [symbol, *shortest])
                report.error("BCP299", symbol.declaration.name, f"Type '{symbol.name}' requires itself: {path}", help)


def _required(model: Model, written: tree.Node) -> Iterator[Symbol]:
    """The types that a type expression needs to be complete; inside an object what is optional or an array is not."""
    stack = [(written, False)]
    while stack:
        node, inside = stack.pop()
        match node:
            case tree.Name():
                symbol = model.symbol(node)
                if symbol is not None and symbol.kind is Kind.TYPE:
                    yield symbol
            case tree.Nullable() | tree.ArrayType() if inside:
                pass
            case tree.TypeProperty(type=type, key=key):
                if key is not None:
                    stack.append((type, True))
            case tree.TupleItem(type=type):
                stack.append((type, True))
            case tree.Member() | tree.Index() | tree.ItemsAccess() | tree.RestAccess() | tree.Decorator():
                pass
            case _:
                stack += [(child, inside) for child in tree.children(node)]
