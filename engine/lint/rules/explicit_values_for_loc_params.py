"""Rule explicit-values-for-loc-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("explicit-values-for-loc-params", Category.LOCATION)
def explicit_values_for_loc_params(model: Model) -> Iterator[Finding]:
    """A parameter for the location of a module, left at its default.

    The module then goes where its author thought, perhaps not where its neighbours are. Give it a value.

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
        if not isinstance(target, Model):
            continue
        given = property_of(node.value, "params")
        for name, symbol in target.symbols.items():
            declaration = symbol.declaration
            if not isinstance(declaration, tree.Param) or declaration.value is None:
                continue
            text = target.source.text[declaration.value.start : declaration.value.end]
            local = "location" in name.lower() or "resourceGroup().location" in text or "deployment().location" in text
            if local and property_of(node.value, "params", name) is None:
                place = given.key if given is not None else node.name
                yield place, f"Parameter '{name}' of module '{node.name.text}' is left at its default"
