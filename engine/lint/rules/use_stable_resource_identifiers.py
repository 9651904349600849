"""Rule use-stable-resource-identifiers."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import property_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("use-stable-resource-identifiers", Category.POTENTIAL_ISSUE)
def use_stable_resource_identifiers(model: Model) -> Iterator[Finding]:
    """A resource whose name changes with every deployment, by `utcNow()` or `newGuid()`.

    Each deployment then makes another resource and forgets the last. Build the name of what stays:
    `uniqueString(resourceGroup().id)`.

    Example:
        param now string = utcNow()
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a-${now}'
        }
        ---
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a-${uniqueString(resourceGroup().id)}'
        }
    """
    for symbol, node in resources(model):
        for name in ("name", "scope"):
            found = property_of(node.value, name)
            if found is None:
                continue
            for culprit in _changing(model, found.value):
                yield found.value, f"The {name} of '{symbol.name}' changes with every deployment, by {culprit}()"


def _changing(model: Model, node: tree.Node) -> Iterator[str]:
    """The functions by which an expression changes, through variables and the defaults of parameters."""
    stack, seen = [node], set[int]()
    while stack:
        for inner in tree.walk(stack.pop()):
            function = model.builtin(inner)
            if function is not None and function.name in ("utcNow", "newGuid"):
                yield function.name
            symbol = model.symbol(inner) if isinstance(inner, tree.Name) else None
            declaration = symbol.declaration if symbol is not None else None
            if isinstance(declaration, tree.Var | tree.Param) and declaration.value and id(declaration) not in seen:
                seen.add(id(declaration))
                stack.append(declaration.value)
