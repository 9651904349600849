"""Rule use-description-type-properties."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-description-type-properties", level="off")
def use_description_type_properties(model: Model) -> Iterator[Finding]:
    """A property of a declared type without `@description`.

    What a name cannot say, readers and editors learn from it.

    Example:
        type box = {
          size: int
        }
        param p box
        output o object = p
        ---
        type box = {
          @description('How big it is.')
          size: int
        }
        param p box
        output o object = p
    """
    for node in model.nodes(tree.TypeProperty):
        if node.key is not None and not model.has_decorator(node, "description"):
            yield node.key, "This property has no description"
