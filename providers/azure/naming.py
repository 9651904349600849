"""Names and ids on Azure, and children that have them. Pure.

Everything is called ENVIRONMENT-APPLICATION-NAME, in the one resource group of its environment; a name that is too long keeps its
beginning and has the digest of the whole at its end.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from uuid import UUID, uuid5

from engine.contract.operator import View
from engine.contract.resource import Resource, Wait, join
from engine.contract.value import Properties, Value
from engine.record import Record
from providers.azure.target import place_of

NAMESPACE = UUID("6f1c5a52-6b2e-4a7c-9a53-2f0f1d0f8a10")
"""Of the GUIDs that name role assignments."""
VERSIONS: Mapping[str, str] = {
    "Microsoft.Authorization/roleAssignments": "2022-04-01",
    "Microsoft.ContainerInstance/containerGroupProfiles": "2025-09-01",
    "Microsoft.ContainerInstance/containerGroups": "2025-09-01",
    "Microsoft.ContainerInstance/nGroups": "2025-09-01",
    "Microsoft.KeyVault/vaults/secrets": "2025-05-01",
    "Microsoft.ManagedIdentity/userAssignedIdentities": "2024-11-30",
    "Microsoft.Network/applicationGateways": "2024-10-01",
    "Microsoft.Network/loadBalancers": "2024-10-01",
    "Microsoft.Network/natGateways": "2024-10-01",
    "Microsoft.Network/networkSecurityGroups": "2024-10-01",
    "Microsoft.Network/privateDnsZones": "2024-06-01",
    "Microsoft.Network/privateDnsZones/A": "2024-06-01",
    "Microsoft.Network/privateDnsZones/virtualNetworkLinks": "2024-06-01",
    "Microsoft.Network/publicIPAddresses": "2024-10-01",
    "Microsoft.Network/virtualNetworks": "2024-10-01",
    "Microsoft.Resources/resourceGroups": "2025-04-01",
    "Microsoft.Storage/storageAccounts": "2023-05-01",
    "Microsoft.Storage/storageAccounts/fileServices/shares": "2023-05-01",
}
"""The API version that each type is made with."""


class Place(Record):
    """Where an environment is: its resource group, its region, and what it has made for all that goes there.

    `subnet`, `gateways`, `balancers` are ids of subnets, `zone` the name of the private DNS zone; "" where there is none.
    """

    name: str
    subscription: str
    group: str
    location: Value = ""
    subnet: Value = ""
    gateways: Value = ""
    balancers: Value = ""
    zone: str = ""
    compute: Properties = {}

    @property
    def scope(self) -> str:
        """The id of the resource group."""
        return f"/subscriptions/{self.subscription}/resourceGroups/{self.group}"

    def id(self, type: str, *names: str) -> str:
        """The id of a resource in it."""
        namespace, *types = type.split("/")
        pairs = "/".join(f"{t}/{n}" for t, n in zip(types, names, strict=True))
        return f"{self.scope}/providers/{namespace}/{pairs}"


def place(view: View) -> Place | None:
    """The place of the environment of a view; None where that names no resource group."""
    environment = view.environment
    found = place_of(environment.properties) if environment is not None else None
    if environment is None or found is None:
        return None
    compute, outputs = environment.properties.get("compute") or {}, environment.outputs
    return Place(
        environment.name,
        *found,
        compute.get("location") or outputs.get("location") or "",
        outputs.get("subnet") or "",
        outputs.get("gatewaySubnet") or "",
        outputs.get("balancerSubnet") or "",
        zone_of(environment.name, compute),
        compute,
    )


def zone_of(environment: str, compute: Properties) -> str:
    """The name of the private DNS zone of an environment."""
    network = compute.get("network")
    given = network.get("dnsZone") if isinstance(network, Mapping) else None
    return str(given or f"{label(environment)}.internal")


def label(*parts: str, limit: int = 63) -> str:
    """A DNS label out of parts: lower case, digits and hyphens."""
    whole = "-".join(p for p in parts if p)
    text = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9-]", "-", whole.lower())).strip("-") or "x"
    if text == whole.lower() and len(text) <= limit:
        return text
    return f"{text[: limit - 9].strip('-')}-{digest(whole, 8)}"


def digest(text: str, length: int) -> str:
    """Hexadecimal digits that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def number(*parts: str) -> str:
    """A GUID that stands for some texts."""
    return str(uuid5(NAMESPACE, "|".join(p.lower() for p in parts)))


def child(
    parent: Resource,
    segment: str,
    place: Place,
    type: str,
    names: tuple[str, ...],
    properties: Properties | None,
    *,
    located: bool = True,
    application: str = "",
    waits: tuple[Wait, ...] = (),
    **more: Value,
) -> Resource:
    """A resource in the resource group of a place, with its region and the tags that tell people whose it is."""
    wish: dict[str, Value] = {}
    if located:
        tags = {"ulna.application": application, "ulna.name": str(parent.name)}
        tags = {k: v for k, v in tags.items() if v} | (more.pop("tags", None) or {})
        wish = {"location": more.pop("location", place.location), "tags": tags}
    wish |= {k: v for k, v in more.items() if v is not None}
    if properties is not None:
        wish["properties"] = properties
    id = place.id(type, *names)
    address = join(parent.address, segment)
    return Resource(address, type, VERSIONS[type], "/".join(names), id, wish, waits=waits)
