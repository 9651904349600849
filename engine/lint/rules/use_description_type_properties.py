"""Rule use-description-type-properties."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.described import undescribed
from engine.lint.edits import text_of
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-description-type-properties", level="off")
def use_description_type_properties(model: Model) -> Iterator[Finding]:
    """A property of a declared type without `@description`, or with an empty one.

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
    for declaration in model.nodes(tree.TypeDeclaration):
        for node in tree.find(declaration.value, tree.TypeProperty):
            place = node.key if node.key is not None else _star(model, node)
            name = text_of(model, place)
            yield from undescribed(model, node, place, f"Property '{name.strip(chr(39))}'")


def _star(model: Model, node: tree.TypeProperty) -> tree.Node:
    """The asterisk that stands for all other properties."""
    at = model.source.text.index("*", node.decorators[-1].end if node.decorators else node.start)
    return tree.Node(at, at + 1)
