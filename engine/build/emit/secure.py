"""Which outputs of a module hold secrets."""

from __future__ import annotations

from collections.abc import Mapping

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.parse import tree
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def decorated(decorators: tuple[tree.Decorator, ...], name: str) -> tree.Call | tree.MethodCall | None:
    """The decorator of a name, `@name(…)` or `@sys.name(…)`."""
    for decorator in decorators:
        expression = decorator.expression
        if isinstance(expression, (tree.Call, tree.MethodCall)) and expression.name.text == name:
            return expression
    return None


def secure_outputs(used: Model | Template | None) -> frozenset[str]:
    """Names of the outputs whose values must not be seen."""
    if isinstance(used, Model):
        return frozenset(
            s.name.text
            for s in used.file.statements
            if isinstance(s, tree.Output) and is_secure(used, s.decorators, s.type)
        )
    if isinstance(used, Template):
        found: Any = used.document.get("outputs")
        if isinstance(found, Mapping):
            return frozenset(
                name
                for name, each in found.items()
                if str(each.get("type", "")).lower() in ("securestring", "secureobject")
            )
    return frozenset()


def is_secure(model: Model, decorators: tuple[tree.Decorator, ...], type: tree.Expression | None) -> bool:
    """Whether a declaration, the type that it is declared with, or a part of that type is marked as secret."""
    waiting: list[tuple[Model, tuple[tree.Decorator, ...], tree.Node | None]] = [(model, decorators, type)]
    visited: set[Symbol] = set()
    while waiting:
        model, decorators, node = waiting.pop()
        if decorated(decorators, "secure"):
            return True
        match node:
            case tree.Name() | tree.Member():
                symbol = model.symbol(node)
                if symbol is None or symbol.kind is not Kind.TYPE or symbol in visited:
                    continue
                visited.add(symbol)
                while symbol.original is not None:
                    model, symbol = symbol.home or model, symbol.original
                if isinstance(symbol.declaration, tree.TypeDeclaration):
                    waiting.append((model, symbol.declaration.decorators, symbol.declaration.value))
            case tree.TypeProperty() | tree.TupleItem():
                waiting.append((model, node.decorators, node.type))
            case None:
                pass
            case _:
                waiting += [(model, (), below) for below in tree.children(node)]
    return False
