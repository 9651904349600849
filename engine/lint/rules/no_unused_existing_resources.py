"""Rule no-unused-existing-resources."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.edits import remove_statement
from engine.lint.names import resources
from engine.lint.rule import Finding, rule


@rule("no-unused-existing-resources", tag="unnecessary")
def no_unused_existing_resources(model: Model) -> Iterator[Finding]:
    """An `existing` resource that nothing refers to.

    It deploys nothing, so without a reference to it, it has no effect. Remove it. Of one that is nested in another
    nothing is said.

    Example:
        resource a 'My.Rp/things@2024-01-01' existing = {
          name: 'a'
        }
        ---
        resource a 'My.Rp/things@2024-01-01' existing = {
          name: 'a'
        }
        output o string = a.id
    """
    for symbol, node in resources(model):
        nested = model.nested.get(id(node))
        if node.existing and symbol.parent is None and symbol.name and model.unused(symbol) and not nested:
            fix = remove_statement(model, node, f"Remove resource '{symbol.name}'")
            yield node.name, f"Existing resource '{symbol.name}' is never used", fix
