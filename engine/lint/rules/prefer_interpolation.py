"""Rule prefer-interpolation."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import ArrayType, StringLiteral, StringType, TupleType, UnknownType
from engine.lint.edits import replace, text_of
from engine.lint.names import calls
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("prefer-interpolation", Category.STYLE)
def prefer_interpolation(model: Model) -> Iterator[Finding]:
    """`concat` of texts, where a string with holes would do.

    `'${a}-${b}'` shows the result; `concat(a, '-', b)` describes it.

    Example:
        param name string
        output o string = concat('app-', name)
        ---
        param name string
        output o string = 'app-${name}'
    """
    broken = [d.primary.span.start for d in model.diagnostics if d.primary is not None and d.code in _BROKEN]
    for call in calls(model, "concat"):
        if not call.arguments or not isinstance(model.type_of(call), StringType | StringLiteral):
            continue
        if any(isinstance(model.type_of(a), ArrayType | TupleType | UnknownType) for a in call.arguments):
            continue
        if len(call.arguments) < 2 or any(call.start <= at <= call.end for at in broken):
            continue
        parts = "".join(_part(model, a) for a in call.arguments)
        # A hole cannot go on in the next line.
        fix = None if "\n" in parts or "\r" in parts else replace(call, f"'{parts}'", "Write one string")
        yield call, "'concat' of texts can be a string with holes", fix


_BROKEN = frozenset({"BCP009", "BCP018", "BCP236", "BCP237"})
"""What is said of a call that cannot be read as it stands."""


def _part(model: Model, node: tree.Node) -> str:
    text = text_of(model, node)
    return text[1:-1] if isinstance(node, tree.Text) and not node.multiline else f"${{{text}}}"
