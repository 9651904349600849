"""Rule secure-parameter-default."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import Safety
from engine.diagnostics.source import Span
from engine.lint.edits import replace
from engine.lint.names import bare, decorated, is_secure
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("secure-parameter-default", Category.SECURITY)
def secure_parameter_default(model: Model) -> Iterator[Finding]:
    """A secure parameter with a default that everybody can read in the file.

    Leave the default out, or make it `''`, `{}` or something with `newGuid()` in it.

    Example:
        @secure()
        param password string = 'hunter2'
        output o bool = empty(password)
        ---
        @secure()
        param password string
        output o bool = empty(password)
    """
    for node, _ in decorated(model, "secure"):
        if not isinstance(node, tree.Param) or node.type is None or node.value is None:
            continue
        if not _harmless(model, bare(node.value)):
            start = model.source.text.rfind("=", node.start, node.value.start)
            place = Span(start if start >= 0 else node.value.start, node.value.end)
            fix = replace(place, "", "Remove the default", Safety.UNSAFE)
            yield place, f"Secure parameter '{node.name.text}' has a default that is no secret", fix


def _harmless(model: Model, value: tree.Node) -> bool:
    match value:
        case tree.Text(holes=(), parts=("",)) | tree.Object(members=()) | tree.Broken():
            return True
        case tree.Name():
            symbol = model.symbol(value)
            return symbol is not None and is_secure(model, symbol)
        case _:
            return any(f.name == "newGuid" for c in tree.find(value, tree.Call) if (f := model.builtin(c)))
