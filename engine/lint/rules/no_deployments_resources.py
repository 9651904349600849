"""Rule no-deployments-resources."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import resources, type_of_resource
from engine.lint.rule import Finding, rule


@rule("no-deployments-resources")
def no_deployments_resources(model: Model) -> Iterator[Finding]:
    """`Microsoft.Resources/deployments` written as a resource.

    A module does the same and is checked. Declare a module.

    Example:
        >>> a.bicep
        output o int = 1
        <<<
        resource inner 'Microsoft.Resources/deployments@2022-09-01' = {
          name: 'inner'
          properties: {
            mode: 'Incremental'
            template: {
              resources: []
            }
          }
        }
        ---
        module inner 'a.bicep' = {}
    """
    for symbol, node in resources(model):
        if not node.existing and type_of_resource(model, symbol) == "microsoft.resources/deployments":
            yield node.type, f"Deployment '{symbol.name}' could be a module"
