"""Rule no-unused-types."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.lint.edits import remove_statement
from engine.lint.names import unused
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-unused-types", tag="unnecessary")
def no_unused_types(model: Model) -> Iterator[Finding]:
    """A type that nothing refers to, and that is not exported.

    Readers look for its purpose in vain. Remove it, or put `@export()` before it.

    Example:
        type size = 'small' | 'large'
        ---
        type size = 'small' | 'large'
        param p size
        output o string = p
    """
    for symbol, name in unused(model, Kind.TYPE):
        declaration = symbol.declaration
        if isinstance(declaration, tree.TypeDeclaration) and not model.has_decorator(declaration, "export"):
            fix = remove_statement(model, declaration, f"Remove type '{symbol.name}'")
            yield name, f"Type '{symbol.name}' is never used", fix
