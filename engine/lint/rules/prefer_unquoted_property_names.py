"""Rule prefer-unquoted-property-names."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.source import Span
from engine.lint.edits import replace
from engine.lint.names import is_identifier
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("prefer-unquoted-property-names", Category.STYLE)
def prefer_unquoted_property_names(model: Model) -> Iterator[Finding]:
    """Quotes around the name of a property that needs none.

    `name: …` and `x.name` read better than `'name': …` and `x['name']`.

    Example:
        output o object = {
          'size': 1
        }
        ---
        output o object = {
          size: 1
        }
    """
    for key in (n.key for n in model.nodes(tree.Property)):
        if isinstance(key, tree.Text) and not key.multiline and is_identifier(key.literal):
            yield key, f"'{key.literal}' needs no quotes", replace(key, key.literal or "", "Remove the quotes")
    for node in model.nodes(tree.Index):
        index = node.index
        if isinstance(index, tree.Text) and is_identifier(index.literal) and not node.from_end and not index.multiline:
            start = model.source.text.rfind("[", node.base.end, index.start)
            place = Span(start if start >= 0 else index.start, node.end)
            dot = ".?" if node.safe else "."
            fix = replace(place, f"{dot}{index.literal}", f"Write {dot}{index.literal}")
            yield place, f"Property '{index.literal}' can be written after a dot", fix
