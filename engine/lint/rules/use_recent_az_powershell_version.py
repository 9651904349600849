"""Rule use-recent-az-powershell-version."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import constant_text, property_of, resources, type_of_resource
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-recent-az-powershell-version")
def use_recent_az_powershell_version(model: Model) -> Iterator[Finding]:
    """A deployment script with an old version of Azure PowerShell.

    Old versions are withdrawn. Use 11.0 or newer.

    Example:
        resource script 'Microsoft.Resources/deploymentScripts@2023-08-01' = {
          name: 'script'
          kind: 'AzurePowerShell'
          properties: {
            azPowerShellVersion: '8.0'
            retentionInterval: 'P1D'
          }
        }
        ---
        resource script 'Microsoft.Resources/deploymentScripts@2023-08-01' = {
          name: 'script'
          kind: 'AzurePowerShell'
          properties: {
            azPowerShellVersion: '12.0'
            retentionInterval: 'P1D'
          }
        }
    """
    least = model.config.get("analyzers", "core", "rules", "use-recent-az-powershell-version", "minimumVersion")
    wanted = _version(least) if isinstance(least, str) else None
    for symbol, node in resources(model):
        if type_of_resource(model, symbol) != "microsoft.resources/deploymentscripts":
            continue
        kind = property_of(node.value, "kind")
        if (
            kind is None
            or not isinstance(kind.value, tree.Text)
            or (kind.value.literal or "").lower() != "azurepowershell"
        ):
            continue
        found = property_of(node.value, "properties", "azPowerShellVersion")
        given = _version(constant_text(model, found.value) or "") if found is not None else None
        if found is not None and given and wanted and given < wanted:
            yield node, f"Azure PowerShell older than {least} is withdrawn sooner or later"


def _version(text: str) -> tuple[int, ...] | None:
    parts = text.split(".")
    return tuple(map(int, parts)) if len(parts) > 1 and all(p.isdecimal() for p in parts) else None
