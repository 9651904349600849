"""Rule protect-commandtoexecute-secrets."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import property_of, resources, secrets, type_of_resource
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
            publisher: 'Microsoft.Compute'
            type: 'CustomScriptExtension'
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
            publisher: 'Microsoft.Compute'
            type: 'CustomScriptExtension'
            protectedSettings: {
              commandToExecute: 'setup ${password}'
            }
          }
        }
    """
    for symbol, node in resources(model):
        if not type_of_resource(model, symbol).endswith("/extensions"):
            continue
        found = property_of(node.value, "properties", "settings", "commandToExecute")
        kind = tuple(_text(property_of(node.value, "properties", name)) for name in ("publisher", "type"))
        secret = next(secrets(model, found.value), None) if found is not None and kind in _SCRIPTS else None
        if found is not None and secret is not None:
            yield found.key, f"The command has a secret in it: {secret[1][0].lower()}{secret[1][1:]}"


_SCRIPTS = frozenset(
    {
        ("microsoft.azure.extensions", "customscript"),
        ("microsoft.compute", "customscriptextension"),
        ("microsoft.ostcextensions", "customscriptforlinux"),
    }
)
"""The publishers and types of extensions that run a command."""


def _text(given: tree.Property | None) -> str:
    return (given.value.literal or "").lower() if given is not None and isinstance(given.value, tree.Text) else ""
