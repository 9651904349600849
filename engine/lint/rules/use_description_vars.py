"""Rule use-description-vars."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.described import undescribed
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-description-vars", level="off")
def use_description_vars(model: Model) -> Iterator[Finding]:
    """A variable without `@description`, or with an empty one.

    What a name cannot say, readers and editors learn from it.

    Example:
        var size = 'small'
        output o string = size
        ---
        @description('How big it is.')
        var size = 'small'
        output o string = size
    """
    for node in model.nodes(tree.Var):
        yield from undescribed(model, node, node.name, f"Variable '{node.name.text}'")
