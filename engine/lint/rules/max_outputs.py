"""Rule max-outputs."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

MOST = 64


@rule("max-outputs", Category.DEPLOYMENT_ERROR)
def max_outputs(model: Model) -> Iterator[Finding]:
    """More outputs than a template may have: 64.

    The Azure Resource Manager refuses such a template. Split the file into modules.

    Example:
        @@ 65 output o{} int = {}
        ---
        output o int[] = [1, 2, 3]
    """
    found = model.nodes(tree.Output)
    if len(found) > MOST:
        yield found[0].name, f"There are {len(found)} outputs, and {MOST} are allowed"
