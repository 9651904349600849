"""Rule protect-commandtoexecute-secrets."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import is_secure, property_of, resources, type_of_resource
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("protect-commandtoexecute-secrets", Category.SECURITY)
def protect_commandtoexecute_secrets(model: Model) -> Iterator[Finding]:
    """A secret in `settings.commandToExecute` of an extension of a virtual machine.

    `settings` is shown in the clear. Put the command into `protectedSettings`.

    Example:
        @secure()
        param password string
        resource run 'Microsoft.Compute/virtualMachines/extensions@2023-09-01' = {
          name: 'vm/run'
          properties: {
            settings: {
              commandToExecute: 'setup ${password}'
            }
          }
        }
        ---
        @secure()
        param password string
        resource run 'Microsoft.Compute/virtualMachines/extensions@2023-09-01' = {
          name: 'vm/run'
          properties: {
            protectedSettings: {
              commandToExecute: 'setup ${password}'
            }
          }
        }
    """
    for symbol, node in resources(model):
        if not type_of_resource(model, symbol).endswith(
            ("virtualmachines/extensions", "virtualmachinescalesets/extensions")
        ):
            continue
        found = property_of(node.value, "properties", "settings", "commandToExecute")
        for inner in tree.walk(found.value) if found is not None else ():
            used = model.symbol(inner) if isinstance(inner, tree.Name) else None
            if found is not None and used is not None and is_secure(model, used):
                yield found.key, f"The command has secure parameter '{used.name}' in it, and is shown in the clear"
                break
