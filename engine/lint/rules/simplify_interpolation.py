"""Rule simplify-interpolation."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import StringLiteral, StringType, members_of
from engine.lint.edits import replace, text_of
from engine.lint.names import declared_params
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("simplify-interpolation", Category.STYLE)
def simplify_interpolation(model: Model) -> Iterator[Finding]:
    """A string that is nothing but one hole with a string in it.

    `'${x}'` is `x`, where x is a string. It is looked for where a name is given a value: in variables, outputs,
    parameters and properties.

    Example:
        param name string
        output o string = '${name}'
        ---
        param name string
        output o string = name
    """
    kinds = (tree.Property, tree.Var, tree.Output)
    every = (*(n for kind in kinds for n in model.nodes(kind)), *declared_params(model))
    for node in (getattr(n, "value", None) for n in every):
        if not isinstance(node, tree.Text) or len(node.holes) != 1 or any(node.parts):
            continue
        type = model.type_of(node.holes[0])
        if all(isinstance(m, StringType | StringLiteral) for m in members_of(type)):
            inner = text_of(model, node.holes[0])
            if isinstance(node.holes[0], tree.Binary | tree.Ternary | tree.Unary):
                inner = f"({inner})"
            yield node, "The string is nothing but what is in its hole", replace(node, inner, f"Write {inner}")
