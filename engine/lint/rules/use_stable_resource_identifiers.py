"""Rule use-stable-resource-identifiers."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import made_of, property_of, resources
from engine.lint.rule import Category, Finding, rule


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
            for function in map(model.builtin, made_of(model, found.value, defaults=True)):
                if function is not None and function.name in ("utcNow", "newGuid"):
                    culprit = f"{function.name}()"
                    yield found.value, f"The {name} of '{symbol.name}' changes with every deployment, by {culprit}"
