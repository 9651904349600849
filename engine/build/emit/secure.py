"""Which outputs of a module hold secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.parse import tree
from engine.template.template import Template


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
    """Whether a declaration, or the type that it is declared with, is marked as secret."""
    for _ in range(100):  # aliases of aliases; a ring was refused
        if decorated(decorators, "secure"):
            return True
        while isinstance(type, (tree.Nullable, tree.NonNull, tree.Parenthesized)):
            type = type.inner if isinstance(type, tree.Parenthesized) else type.base
        if not isinstance(type, tree.Name) or (symbol := model.symbol(type)) is None or symbol.kind is not Kind.TYPE:
            return False
        while symbol.original is not None:
            model, symbol = symbol.home or model, symbol.original
        declaration = symbol.declaration
        if not isinstance(declaration, tree.TypeDeclaration):
            return False
        decorators, type = declaration.decorators, declaration.value
    return False
