"""Rule use-description-outputs."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.described import undescribed
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-description-outputs", level="off")
def use_description_outputs(model: Model) -> Iterator[Finding]:
    """An output without `@description`, or with an empty one.

    What a name cannot say, readers and editors learn from it.

    Example:
        output o int = 1
        ---
        @description('How many.')
        output o int = 1
    """
    for node in model.nodes(tree.Output):
        yield from undescribed(model, node, node.name, f"Output '{node.name.text}'")
