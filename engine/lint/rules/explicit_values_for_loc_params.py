"""Rule explicit-values-for-loc-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.declare import body_of
from engine.check.model import Model
from engine.lint.locations import location_params
from engine.lint.names import property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("explicit-values-for-loc-params", Category.LOCATION)
def explicit_values_for_loc_params(model: Model) -> Iterator[Finding]:
    """A parameter for the location of a module, left at its default.

    The module then goes where its author thought, perhaps not where its neighbours are. Give it a value. Meant are parameters
    that default to the place of the deployment, and those that the `location` of a resource is made of.

    Example:
        >>> lib.bicep
        param location string = resourceGroup().location
        output o string = location
        <<<
        module lib 'lib.bicep' = {}
        ---
        param location string
        module lib 'lib.bicep' = {
          params: {
            location: location
          }
        }
    """
    for node in model.nodes(tree.Module):
        target = model.modules.get(id(node))
        if not isinstance(target, Model) or body_of(node.value) is None:
            continue
        given = property_of(node.value, "params")
        for param in location_params(target):
            name = param.name.text
            if property_of(node.value, "params", name) is None:
                yield given or node.name, f"Parameter '{name}' of module '{node.name.text}' is left at its default"
