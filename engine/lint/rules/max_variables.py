"""Rule max-variables."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

MOST = 512


@rule("max-variables", Category.DEPLOYMENT_ERROR)
def max_variables(model: Model) -> Iterator[Finding]:
    """More variables than a template may have: 512.

    The Azure Resource Manager refuses such a template. Split the file into modules.

    Example:
        @@ 513 var v{} = {}
        ---
        var v = range(0, 513)
        output o int[] = v
    """
    found = model.nodes(tree.Var)
    if len(found) > MOST:
        yield found[0].name, f"There are {len(found)} variables, and {MOST} are allowed"
