"""Rule decompiler-cleanup."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("decompiler-cleanup", Category.STYLE)
def decompiler_cleanup(model: Model) -> Iterator[Finding]:
    """A name that decompiling made up: a resource called `…_resource`, a variable called `…_var`.

    It was needed where two things had one name. Choose a name that says what it is.

    Example:
        var name_var = 'a'
        output o string = name_var
        ---
        var name = 'a'
        output o string = name
    """
    for node in model.nodes(tree.Resource):
        if node.name.text.endswith("_resource"):
            yield node.name, f"'{node.name.text}' looks like a name that decompiling made up"
    for variable in model.nodes(tree.Var):
        if variable.name.text.endswith("_var"):
            yield variable.name, f"'{variable.name.text}' looks like a name that decompiling made up"
