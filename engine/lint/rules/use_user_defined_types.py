"""Rule use-user-defined-types."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("use-user-defined-types", Category.BEST_PRACTICE, level="off")
def use_user_defined_types(model: Model) -> Iterator[Finding]:
    """A parameter or output typed plain `object` or `array`.

    Nothing is known of what is inside, so mistakes are found only when it is deployed. Spell the type out:
    `{ name: string }`, `string[]`, or a type of your own.

    Example:
        param box object
        output o string = box.size
        ---
        param box { size: string }
        output o string = box.size
    """
    for node in model.nodes(tree.Name):
        if node.text in ("object", "array") and model.symbol(node) is None and id(node) not in model.types:
            yield node, f"'{node.text}' says nothing of what is inside"
