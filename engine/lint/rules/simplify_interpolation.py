"""Rule simplify-interpolation."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import StringLiteral, StringType, members_of
from engine.lint.edits import replace, text_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("simplify-interpolation", Category.STYLE)
def simplify_interpolation(model: Model) -> Iterator[Finding]:
    """A string that is nothing but one hole with a string in it.

    `'${x}'` is `x`, where x is a string.

    Example:
        param name string
        output o string = '${name}'
        ---
        param name string
        output o string = name
    """
    keys = {id(p.key) for p in model.nodes(tree.Property)} | {id(i.index) for i in model.nodes(tree.Index)}
    for node in model.nodes(tree.Text):
        if len(node.holes) != 1 or any(node.parts) or id(node) in keys:
            continue
        type = model.type_of(node.holes[0])
        if all(isinstance(m, StringType | StringLiteral) for m in members_of(type)):
            inner = text_of(model, node.holes[0])
            if isinstance(node.holes[0], tree.Binary | tree.Ternary | tree.Unary):
                inner = f"({inner})"
            yield node, "The string is nothing but what is in its hole", replace(node, inner, f"Write {inner}")
