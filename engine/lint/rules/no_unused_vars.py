"""Rule no-unused-vars."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.lint.edits import remove_statement
from engine.lint.names import unused
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-unused-vars", tag="unnecessary")
def no_unused_vars(model: Model) -> Iterator[Finding]:
    """A variable that nothing refers to, and that is not exported.

    Readers look for its purpose in vain. Remove it.

    Example:
        var size = 'small'
        ---
        var size = 'small'
        output o string = size
    """
    for symbol, name in unused(model, Kind.VAR):
        declaration = symbol.declaration
        if isinstance(declaration, tree.Var) and not model.has_decorator(declaration, "export"):
            fix = remove_statement(model, declaration, f"Remove variable '{symbol.name}'")
            yield name, f"Variable '{symbol.name}' is never used", fix
