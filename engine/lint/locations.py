"""Which parameters of a module say where its resources go, and where a platform says it itself."""

from __future__ import annotations

from engine.check.model import Model
from engine.lint.names import property_of
from engine.parse import tree


def is_own_location(node: tree.Node) -> bool:
    """Whether an expression is `resourceGroup().location` or `deployment().location`, with a namespace or without."""
    return (
        isinstance(node, tree.Member)
        and node.name.text == "location"
        and isinstance(node.base, tree.Call | tree.MethodCall)
        and node.base.name.text in ("resourceGroup", "deployment")
    )


def location_params(module: Model) -> tuple[tree.Param, ...]:
    """The parameters of a file whose default decides where something goes.

    First those that have the place of the deployment as their default, then those that the `location` of a resource is made of.
    """
    return module.once(_location_params)


def _location_params(module: Model) -> tuple[tree.Param, ...]:
    defaulted = [node for node in module.nodes(tree.Param) if node.value is not None]
    found = [node for node in defaulted if node.value is not None and any(map(is_own_location, tree.walk(node.value)))]
    for resource in module.nodes(tree.Resource):
        location = property_of(resource.value, "location")
        for name in tree.find(location.value, tree.Name) if location is not None else ():
            symbol = module.symbol(name)
            param = symbol.declaration if symbol is not None else None
            if isinstance(param, tree.Param) and param.value is not None and param not in found:
                found.append(param)
    return tuple(found)
