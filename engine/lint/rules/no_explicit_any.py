"""Rule no-explicit-any."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-explicit-any")
def no_explicit_any(model: Model) -> Iterator[Finding]:
    """The type `any`.

    It turns off every check of what is given and of what is done with it. Say what is meant.

    Example:
        type loose = any
        param p loose
        output o string = p
        ---
        param p string
        output o string = p
    """
    for node in model.nodes(tree.Name):
        if node.text == "any" and model.symbol(node) is None and id(node) not in model.types:
            yield node, "Type 'any' turns off all checks"
    for member in model.nodes(tree.Member):
        base = member.base
        if member.name.text == "any" and isinstance(base, tree.Name) and base.text == "sys":
            yield base, "Type 'sys.any' turns off all checks"
