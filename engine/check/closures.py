"""What an exported declaration leads to: nothing that only its own file has."""

from __future__ import annotations

from engine.check import exports
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

_STAY = frozenset({Kind.PARAM, Kind.RESOURCE, Kind.MODULE})
"""The kinds of things that are in one deployment, and cannot be taken elsewhere."""


def check_exports(infer: Infer) -> None:
    """Every `@export()` of the file."""
    model = infer.model
    led: dict[Symbol, set[Symbol]] = {}
    for symbol in model.symbols.values():
        declaration = symbol.declaration
        if not exports.is_exported(model, symbol) or not isinstance(declaration, tree.Statement):
            continue
        reached = {s for s in _closure(infer, symbol, led) if s.kind in _STAY}
        mark = next(d for d in declaration.decorators if model.decorators.get(id(d)) == "export")
        if reached:
            names = ", ".join(sorted(f"'{s.name}'" for s in reached))
            message = f"'{symbol.name}' cannot be exported: it leads to {names}, which only this file has"
            infer.report.error("BCP372", mark, message, "Use only variables, types and functions in it.")


def _closure(infer: Infer, symbol: Symbol, led: dict[Symbol, set[Symbol]]) -> set[Symbol]:
    """All that a declaration refers to, directly or through others."""
    found: set[Symbol] = set()
    stack = [symbol]
    while stack:
        top = stack.pop()
        if top not in led:
            led[top] = _named(infer, top)
        for each in led[top] - found:
            found.add(each)
            stack.append(each)
    return found


def _named(infer: Infer, symbol: Symbol) -> set[Symbol]:
    if symbol.home is not None or not isinstance(symbol.declaration, tree.Statement):
        return set()
    bound = (infer.model.symbol(node) for node in tree.walk(symbol.declaration))
    return {s for s in bound if s is not None and s is not symbol}
