"""The schemas of the blocks are made from Azure's own files, closed and with nothing required, as blocks are merged. ULNA_ACCEPT=1 writes them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import schemas
from engine.app.schema import check
from providers.azure.platform import AciPlatform
from tests.fakes.arm import openapi

FOLDER = Path(schemas.__file__).parent / "runtimes"
INSTANCE = (
    openapi.FILES
    / "containerinstance/resource-manager/Microsoft.ContainerInstance/ContainerInstance/stable/2025-09-01/containerInstance.json"
)
GATEWAY = openapi.FILES / "network/resource-manager/Microsoft.Network/stable/2024-10-01/applicationGateway.json"
HEAD = {"$schema": "https://json-schema.org/draft/2020-12/schema", "x-ulna-addition": True, "type": "object"}

WORDS = {
    "secretReferences": "Secrets of a Key Vault, by name, for secureValueReference.",
    "containers": "Containers: parts of one that has the same name, and more of them.",
    "imageRegistryCredentials": "Who pulls from which registry; an identity here needs no password.",
    "restartPolicy": "When containers that ended are started again.",
    "ipAddress": "The address of the group: Private in the network of the environment, or Public.",
    "osType": "The operating system of the images; Windows groups cannot be in a network.",
    "volumes": "Volumes that containers mount.",
    "diagnostics": "Where logs are kept: a Log Analytics workspace.",
    "subnetIds": "Another subnet than that of the environment; it is delegated to container groups.",
    "dnsConfig": "Who resolves names, in place of Azure with the zone of the environment.",
    "sku": "Standard, Dedicated or Confidential.",
    "encryptionProperties": "A key of one's own for what is kept of the group.",
    "initContainers": "Containers that run to their end before the others.",
    "extensions": "Extensions that virtual kubelets use.",
    "confidentialComputeProperties": "What a confidential group may run.",
    "priority": "Regular, or Spot: cheaper, without an address, and taken away at any moment.",
    "identityAcls": "Which container may act as which identity.",
    "containerGroupProfile": "A profile of one's own that the group is made from.",
    "standbyPoolProfile": "A pool of groups that wait to be used.",
    "zones": "The availability zone.",
    "identity": "Identities besides those that Ulna gives it.",
    "tags": "Tags besides those of Ulna.",
    "location": "Another region than that of the environment.",
    "nGroup": "Properties of the set of groups; with it, one replica is a set as well.",
    "gatewayID": "Accepted and not used: a gateway finds its containers by its routes.",
    "elasticProfile": "How many, and how they are called.",
    "placementProfile": "How they are spread over fault domains.",
    "containerGroupProfiles": "The profile they are made from.",
    "updateProfile": "How a change goes from one to the next.",
}


def schema_of(file: Path, schema: Any) -> dict[str, Any]:
    """A schema of the files as one of ours: closed, without what is only read; null takes a property away."""
    file, schema = openapi._deref(file, schema)
    kind = schema.get("type") or ("object" if "properties" in schema else None)
    made: dict[str, Any] = {}
    if kind is not None:
        made["type"] = [kind, "null"]
    if "enum" in schema:
        made["enum"] = [*schema["enum"], None]
    named, _, more = openapi.members(file, schema)
    if named:
        made["properties"] = {k: schema_of(*v) for k, v in named.items() if not read_only(*v)}
        made["additionalProperties"] = False
    if more is not None and isinstance(more[1], dict) and more[1]:
        made["additionalProperties"] = schema_of(*more)
    if kind == "array":
        made["items"] = schema_of(file, schema["items"])
    return made


def read_only(file: Path, schema: Any) -> bool:
    return bool(schema.get("readOnly") or openapi._deref(file, schema)[1].get("readOnly"))


def explained(properties: dict[str, Any]) -> dict[str, Any]:
    return {k: {**v, "description": WORDS[k]} for k, v in properties.items()}


def container_block() -> dict[str, Any]:
    def of(name: str) -> dict[str, Any]:
        return schema_of(INSTANCE, {"$ref": f"#/definitions/{name}"})

    group, set_ = of("ContainerGroupPropertiesProperties"), of("NGroupProperties")
    outer = {
        "zones": {"type": ["array", "null"], "items": {"type": "string"}},
        "identity": of("ContainerGroupIdentity"),
        "tags": {"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]}},
        "location": {"type": ["string", "null"]},
        "nGroup": {**set_, "type": "object", "properties": explained(set_["properties"])},
        "gatewayID": {"type": ["string", "null"]},
    }
    text = (
        "Properties of the container group, merged last: objects key by key, named parts by their names, null removes."
    )
    return {
        "$id": "runtimes/aci",
        "title": "runtimes.aci",
        **HEAD,
        "description": text,
        "properties": explained({**group["properties"], **outer}),
        "additionalProperties": False,
    }


def gateway_block() -> dict[str, Any]:
    gateway = schema_of(GATEWAY, {"$ref": "#/definitions/ApplicationGatewayPropertiesFormat"})
    properties = {
        "applicationGateway": {
            "type": "object",
            "description": "Properties of the Application Gateway, merged last: named parts by their names, null removes.",
            "properties": {k: {} for k in gateway["properties"]},
            "additionalProperties": False,
        },
        "privateIPAddress": {
            "type": "string",
            "description": "The address of an internal gateway; needed where the subnet is one that was given.",
        },
    }
    return {
        "$id": "runtimes/aci.gateways",
        "title": "runtimes.aci of a gateway",
        "description": "What only a gateway on Azure has: the Application Gateway that it becomes.",
        **HEAD,
        "properties": properties,
        "additionalProperties": False,
    }


MADE = {"aci.json": container_block, "aci.gateways.json": gateway_block}


@pytest.mark.parametrize("name", MADE)
def test_a_schema_is_what_azure_publishes(name: str) -> None:
    if not openapi.FILES.is_dir():
        pytest.skip("shared/data/azure-openapi is not there")
    file = FOLDER / name
    wanted = json.dumps(MADE[name](), indent=1) + "\n"
    if os.environ.get("ULNA_ACCEPT"):
        file.write_text(wanted)
    assert file.read_text() == wanted


def test_a_block_is_checked() -> None:
    schema = AciPlatform().runtime_schema
    block = {
        "sku": "Confidential",
        "zones": ["1"],
        "containers": [
            {"name": "web", "properties": {"resources": {"requests": {"gpu": {"count": 1, "sku": "V100"}}}}}
        ],
        "nGroup": {"placementProfile": {"faultDomainCount": 2}},
    }
    assert not check(block, schema, "'web'", None)
    assert check({**block, "skue": "Standard"}, schema, "'web'", None)
    assert check({**block, "sku": "Premium"}, schema, "'web'", None)
    assert check({"nGroup": {"elasticProfil": {}}}, schema, "'web'", None)
    assert check({"containers": [{"name": "web", "properties": {"imag": "x"}}]}, schema, "'web'", None)


def test_the_environment_block_is_checked() -> None:
    schema = AciPlatform().environment_schema
    block = {
        "kind": "aci",
        "resourceGroup": "/subscriptions/s/resourceGroups/g",
        "location": "westeurope",
        "cloud": {"resourceManager": "http://127.0.0.1:1"},
        "network": {"addressPrefix": "10.1.0.0/16", "egress": "none"},
        "identity": {"kind": "systemAssigned"},
        "keyVault": "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v",
    }
    assert not check(block, schema, "'dev'", None)
    assert not check({**block, "cloud": "usGovernment"}, schema, "'dev'", None)
    for wrong in ({"locaton": "x"}, {"cloud": "moon"}, {"network": {"egres": "none"}}, {"keyVault": "v"}):
        assert check({**block, **wrong}, schema, "'dev'", None), wrong


def test_the_other_blocks_are_checked() -> None:
    platform = AciPlatform()
    gateways, volumes = platform.block_schema("gateways"), platform.block_schema("volumes")
    assert gateways is not None and volumes is not None and platform.block_schema("containers") is None
    assert not check({"applicationGateway": {"sku": {"capacity": 2}}}, gateways, "'g'", None)
    assert check({"applicationGateway": {"skuu": {}}}, gateways, "'g'", None)
    assert not check({"sku": "Premium_LRS"}, volumes, "'v'", None)
    assert check({"skuu": "x"}, volumes, "'v'", None)
