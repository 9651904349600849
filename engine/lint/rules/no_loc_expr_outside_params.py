"""Rule no-loc-expr-outside-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.locations import is_own_location
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
    params = [(p.start, p.end) for p in model.nodes(tree.Param)]
    for node in model.nodes(tree.Member):
        if is_own_location(node) and not any(start <= node.start < end for start, end in params):
            function = model.builtin(node.base)
            if function is not None:
                yield node, f"'{function.name}().location' belongs in the default of a parameter"
