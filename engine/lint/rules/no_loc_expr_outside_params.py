"""Rule no-loc-expr-outside-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import bare
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("no-loc-expr-outside-params", Category.LOCATION)
def no_loc_expr_outside_params(model: Model) -> Iterator[Finding]:
    """`resourceGroup().location` outside the default of a parameter.

    The caller then cannot choose another place. Make it the default of a parameter and use that.

    Example:
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
          location: resourceGroup().location
        }
        ---
        param location string = resourceGroup().location
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
          location: location
        }
    """
    defaults = [p.value for p in model.nodes(tree.Param) if p.value is not None]
    for node in model.nodes(tree.Member):
        base = bare(node.base)
        function = model.builtin(base)
        if node.name.text != "location" or function is None or function.name not in ("resourceGroup", "deployment"):
            continue
        if not any(d.start <= node.start < d.end for d in defaults):
            yield node, f"'{function.name}().location' belongs in the default of a parameter"
