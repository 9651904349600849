"""Rule use-description-types."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.described import undescribed
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-description-types", level="off")
def use_description_types(model: Model) -> Iterator[Finding]:
    """A type without `@description`, or with an empty one.

    What a name cannot say, readers and editors learn from it. A union with a `@discriminator` is described by its members.

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
        if not model.has_decorator(node, "discriminator"):
            yield from undescribed(model, node, node.name, f"Type '{node.name.text}'")
