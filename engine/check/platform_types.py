"""What the functions that tell about the deployment's surroundings give."""

from __future__ import annotations

from engine.check.types import ANY, STRING, ArrayType, ObjectType, PropertyType, Type


def _object(name: str, texts: str, **others: Type) -> ObjectType:
    types = {**{text: STRING for text in texts.split()}, **others}
    return ObjectType({key: PropertyType(type, True) for key, type in types.items()}, name=name)


SURROUNDINGS: dict[str, ObjectType] = {
    "resourceGroup": _object("resource group", "id name type location managedBy", tags=ANY, properties=ANY),
    "subscription": _object("subscription", "id subscriptionId tenantId displayName"),
    "tenant": _object("tenant", "tenantId country countryCode displayName"),
    "deployment": _object("deployment", "name", properties=ANY),
    "environment": _object(
        "environment",
        "name activeDirectoryDataLake batch gallery graph graphAudience media portal resourceManager sqlManagement vmImageAliasDoc",
        authentication=_object("authentication", "loginEndpoint identityProvider tenant", audiences=ArrayType(STRING)),
        suffixes=_object(
            "suffixes",
            "acrLoginServer azureDatalakeAnalyticsCatalogAndJob azureDatalakeStoreFileSystem azureFrontDoorEndpointSuffix "
            "keyvaultDns sqlServerHostname storage",
        ),
    ),
}
"""By the name of the function."""
