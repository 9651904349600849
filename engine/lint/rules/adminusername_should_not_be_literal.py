"""Rule adminusername-should-not-be-literal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import StringLiteral
from engine.lint.names import key_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("adminusername-should-not-be-literal", Category.SECURITY)
def adminusername_should_not_be_literal(model: Model) -> Iterator[Finding]:
    """The name of an administrator, written into the file.

    Half of what an attacker must guess is in the repository. Make it a parameter without a default.

    Example:
        resource vm 'Microsoft.Compute/virtualMachines@2023-09-01' = {
          name: 'vm'
          properties: {
            osProfile: {
              adminUsername: 'root'
            }
          }
        }
        ---
        param adminName string
        resource vm 'Microsoft.Compute/virtualMachines@2023-09-01' = {
          name: 'vm'
          properties: {
            osProfile: {
              adminUsername: adminName
            }
          }
        }
    """
    named = [p for p in model.nodes(tree.Property) if (key_of(p) or "").lower() == "adminusername"]
    for _, node in resources(model) if named else ():
        for inner in named:
            within = node.value.start <= inner.start and inner.end <= node.value.end
            if within and isinstance(model.type_of(inner.value), StringLiteral):
                yield inner.value, "The name of the administrator is in the file for all to read"
