"""What is special of a type: which properties can only be had by a new resource. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.resource import Resource

EVERYWHERE = ("location", "kind", "extendedLocation")
_GROUP = (
    "properties.osType",
    "properties.restartPolicy",
    "properties.subnetIds",
    "properties.sku",
    "properties.priority",
    "properties.ipAddress",
    "properties.dnsConfig",
    "properties.encryptionProperties",
    "properties.confidentialComputeProperties",
    "properties.volumes",
    "properties.containers.*.name",
    "properties.containers.*.properties.resources",
    "zones",
)
FORCES: Mapping[str, tuple[str, ...]] = {
    "microsoft.containerinstance/containergroups": _GROUP,
    "microsoft.network/publicipaddresses": ("sku", "zones", "properties.publicIPAddressVersion"),
    "microsoft.network/natgateways": ("sku", "zones"),
    "microsoft.network/loadbalancers": ("sku",),
    "microsoft.network/applicationgateways": ("zones",),
    "microsoft.network/privatednszones/virtualnetworklinks": ("properties.virtualNetwork",),
    "microsoft.authorization/roleassignments": ("properties",),
    "microsoft.storage/storageaccounts": ("properties.isHnsEnabled",),
    "microsoft.keyvault/vaults": ("properties.tenantId",),
}
"""By type in lower case, dotted, as `compare` has them."""


def forces(resource: Resource) -> tuple[str, ...]:
    """The properties of a resource that cannot be changed in place."""
    return (*EVERYWHERE, *FORCES.get(resource.type.lower(), ()))


def type_of(id: str) -> str:
    """The type of the resource that an id names, in lower case."""
    _, found, tail = id.lower().rpartition("/providers/")
    if not found:
        return "microsoft.resources/resourcegroups"
    namespace, *rest = tail.split("/")
    return "/".join([namespace, *rest[0::2]])
