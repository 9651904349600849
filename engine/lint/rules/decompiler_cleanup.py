"""Rule decompiler-cleanup."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import property_of, resources
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("decompiler-cleanup")
def decompiler_cleanup(model: Model) -> Iterator[Finding]:
    """A name that decompiling made up: a resource called `…_resource`, a variable called `…_var`.

    It was needed where two things had one name. Choose a name that says what it is. Resources are looked at whose own name is
    written out, and marked there.

    Example:
        var name_var = 'a'
        output o string = name_var
        ---
        var name = 'a'
        output o string = name
    """
    for _, node in resources(model):
        given = property_of(node.value, "name")
        if given is not None and isinstance(given.value, tree.Text) and _is_made_up(node.name.text, "_resource"):
            yield given.value, f"'{node.name.text}' looks like a name that decompiling made up"
    for variable in model.nodes(tree.Var):
        if _is_made_up(variable.name.text, "_var"):
            yield variable.name, f"'{variable.name.text}' looks like a name that decompiling made up"


def _is_made_up(name: str, ending: str) -> bool:
    return name.endswith(ending) and name.removesuffix(ending)[-1:].isalnum()
