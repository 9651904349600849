"""Namespace `az`: the functions of the Azure Resource Manager."""

from __future__ import annotations

from engine.check.functions.signature import Table

AZ = Table(
    "az",
    """
deployer() object
deployment() object
environment() object
extensionResourceId(string, string, string...) string
getSecret(string, string, string, string, string?) string #params #secure
list*(string, string, object?) any #inline #secure
managementGroup(string?) object
managementGroupResourceId(string, string...) string
pickZones(string, string, string, int?, int?) array
providers(string, string?) any #deprecated
reference(string, string?, string?) any #inline
resourceGroup(string?, string?) object
resourceId(string, string...) string
roleDefinitions(string) object
subscription(string?) object
subscriptionResourceId(string, string...) string
tenant() object
tenantResourceId(string, string...) string
toLogicalZone(string, string, string) string #inline
toLogicalZones(string, string, array) array #inline
toPhysicalZone(string, string, string) string #inline
toPhysicalZones(string, string, array) array #inline
""",
)

SCOPE_FUNCTIONS = {
    "managementGroup": ("managementGroup",),
    "resourceGroup": ("resourceGroup",),
    "subscription": ("resourceGroup", "subscription"),
    "tenant": ("resourceGroup", "subscription", "managementGroup", "tenant"),
}
"""Functions that give a scope, with the target scopes at which they may be called without arguments."""
