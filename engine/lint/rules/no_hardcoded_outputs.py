"""Rule no-hardcoded-outputs."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.lint.edits import free_name
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-hardcoded-outputs", level="off")
def no_hardcoded_outputs(model: Model) -> Iterator[Finding]:
    """An output that is always the same.

    It needs a deployment to say what the file says already. Export a variable instead.

    Example:
        output size string = 'small'
        ---
        @export()
        var size = 'small'
    """
    for node in model.nodes(tree.Output):
        if _constant(node.value):
            yield node.value, f"Output '{node.name.text}' is always the same", _export(model, node)


def _export(model: Model, node: tree.Output) -> Fix | None:
    """The output as an exported variable; one with decorators may say more than a variable can."""
    if node.decorators:
        return None
    text = f"@export()\nvar {free_name(model, node.name.text)} = "
    return Fix("Export a variable instead", (Edit(Span(node.start, node.value.start), text),), Safety.UNSAFE)


def _constant(node: tree.Node) -> bool:
    match node:
        case tree.Text(holes=()) | tree.Integer() | tree.Boolean() | tree.Null() | tree.Identifier():
            return True
        case tree.Array() | tree.Object() | tree.Property() | tree.Parenthesized() | tree.Unary():
            return all(map(_constant, tree.children(node)))
        case _:
            return False
