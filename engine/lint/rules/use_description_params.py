"""Rule use-description-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.described import undescribed
from engine.lint.names import declared_params
from engine.lint.rule import Finding, rule


@rule("use-description-params", level="off")
def use_description_params(model: Model) -> Iterator[Finding]:
    """A parameter without `@description`, or with an empty one.

    What a name cannot say, readers and editors learn from it.

    Example:
        param size string
        output o string = size
        ---
        @description('How big it is.')
        param size string
        output o string = size
    """
    for node in declared_params(model):
        yield from undescribed(model, node, node.name, f"Parameter '{node.name.text}'")
