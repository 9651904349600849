"""What a parameter file imports can be worked out before there is a deployment."""

from __future__ import annotations

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

_PURE = frozenset({"getSecret"})
"""The functions of `az` that say where a value is, and do not ask for it."""


def check_imports(infer: Infer) -> None:
    """Every variable and function that is imported by name."""
    for statement in infer.model.file.statements:
        for item in statement.items if isinstance(statement, tree.Import) else ():
            symbol = infer.model.symbol(item)
            if symbol is None or not isinstance(symbol.home, Model) or symbol.original is None:
                continue
            if asked := sorted(_asked(symbol.home, symbol.original)):
                listed = ", ".join(f"'{name}'" for name in asked)
                message = f"'{symbol.name}' asks {listed} of the deployment, and there is none yet"
                infer.report.error("BCP452", item.name, message, "Import what depends on its arguments alone.")


def _asked(model: Model, symbol: Symbol) -> set[str]:
    """The functions of the platform that a declaration calls, itself or through what it refers to."""
    found: set[str] = set()
    seen: set[tuple[int, str]] = set()
    stack = [(model, symbol)]
    while stack:
        at, top = stack.pop()
        if (id(at), top.name) in seen or top.kind not in (Kind.VAR, Kind.FUNC) or top.declaration is None:
            continue
        seen.add((id(at), top.name))
        if isinstance(top.home, Model) and top.original is not None:
            stack.append((top.home, top.original))
            continue
        for node in tree.walk(top.declaration):
            function = at.builtin(node)
            if function is not None and function.namespace == "az" and function.name not in _PURE:
                found.add(function.name)
            if (named := at.symbol(node)) is not None:
                stack.append((at, named))
    return found
