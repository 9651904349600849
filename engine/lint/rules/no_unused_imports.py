"""Rule no-unused-imports."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import has_errors
from engine.lint.edits import remove_member, remove_statement
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-unused-imports", tag="unnecessary")
def no_unused_imports(model: Model) -> Iterator[Finding]:
    """Something imported that nothing refers to.

    The file it comes from is read and compiled for nothing. Remove it from the import.

    Example:
        >>> lib.bicep
        @export()
        var a = 1
        @export()
        var b = 2
        <<<
        import { a, b } from 'lib.bicep'
        output o int = a
        ---
        import { a } from 'lib.bicep'
        output o int = a
    """
    for statement in model.nodes(tree.Import):
        target = model.modules.get(id(statement))
        if target is None or (isinstance(target, Model) and has_errors(target.diagnostics)):
            continue
        wildcard = statement.wildcard
        if wildcard is not None and wildcard.text:
            symbol = model.symbol(wildcard)
            if symbol is not None and model.unused(symbol):
                removal = remove_statement(model, statement, f"Remove import '{wildcard.text}'")
                yield wildcard, f"Import '{wildcard.text}' is never used", removal
        for item in statement.items:
            symbol = model.symbol(item)
            if symbol is not None and symbol.name and model.unused(symbol):
                remove = remove_statement if len(statement.items) == 1 else remove_member
                fix = remove(model, statement if len(statement.items) == 1 else item, f"Remove import '{symbol.name}'")
                yield item.alias or item.name, f"Import '{symbol.name}' is never used", fix
