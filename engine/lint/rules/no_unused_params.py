"""Rule no-unused-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Kind
from engine.lint.edits import remove_statement
from engine.lint.names import unused
from engine.lint.rule import Finding, rule


@rule("no-unused-params", tag="unnecessary")
def no_unused_params(model: Model) -> Iterator[Finding]:
    """A parameter that nothing refers to.

    Callers must still supply it, so it costs them and buys nothing. Remove it.

    Example:
        param size string
        ---
        param size string
        output o string = size
    """
    if model.path.endswith(".bicepparam"):
        return
    for symbol, name in unused(model, Kind.PARAM):
        assert symbol.declaration is not None
        fix = remove_statement(model, symbol.declaration, f"Remove parameter '{symbol.name}'")
        yield name, f"Parameter '{symbol.name}' is never used", fix
