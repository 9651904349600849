"""Rule use-description-types."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-description-types", level="off")
def use_description_types(model: Model) -> Iterator[Finding]:
    """A type without `@description`.

    What a name cannot say, readers and editors learn from it.

    Example:
        type size = 'small' | 'large'
        param p size
        output o string = p
        ---
        @description('How big it is.')
        type size = 'small' | 'large'
        param p size
        output o string = p
    """
    for node in model.nodes(tree.TypeDeclaration):
        if not model.has_decorator(node, "description"):
            yield node.name, f"Type '{node.name.text}' has no description"
