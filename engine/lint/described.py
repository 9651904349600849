"""What has no description, or an empty one."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Finding
from engine.parse import tree
from engine.parse.expressions import TypeProperty


def undescribed(model: Model, node: tree.Statement | TypeProperty, place: tree.Node, what: str) -> Iterator[Finding]:
    """What is to be said of one declaration: at its name where it has no `@description`, at the text where that is blank."""
    for decorator in node.decorators:
        if model.decorators.get(id(decorator)) == "description":
            call = decorator.expression
            text = call.arguments[0] if isinstance(call, tree.Call | tree.MethodCall) and call.arguments else None
            if isinstance(text, tree.Text) and text.literal is not None and not text.literal.strip():
                yield text, f"{what} has an empty description"
            return
    yield place, f"{what} has no description"
