"""What Azure itself fills in, and what it refuses by rules that are in no schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

if TYPE_CHECKING:
    from tests.fakes.arm.world import World

Json = Any
LOCATION_LESS = ("resourcegroups",)
STATELESS = ("microsoft.authorization/roleassignments", "microsoft.managedidentity/userassignedidentities")


def type_of(id: str) -> str:
    """The type in an id, in lower case."""
    _, found, tail = id.lower().rpartition("/providers/")
    if not found:
        return "microsoft.resources/resourcegroups"
    namespace, *rest = tail.split("/")
    return "/".join([namespace, *rest[0::2]])


def has_state(id: str) -> bool:
    """Whether a resource has a provisioningState."""
    kind = type_of(id)
    without = ("/a", "/cname", "/txt", "/secrets", "/shares", "/fileservices", "/containergroupprofiles")
    return kind not in STATELESS and not kind.endswith(without) and kind != "microsoft.keyvault/vaults"


def number(text: str) -> str:
    """A GUID that is always the same for a text."""
    return str(uuid5(NAMESPACE_URL, text.lower()))


def fill(world: World, id: str, body: Json, before: Json) -> Json:
    """A body with what Azure adds to it."""
    kind, name = type_of(id), id.rpartition("/")[2]
    body |= {"id": id, "name": name, "type": _spelt(id)}
    if "location" in body:
        body["location"] = body["location"].lower().replace(" ", "")
    properties = body.setdefault("properties", {}) if kind != "microsoft.resources/resourcegroups" else {}
    if kind.startswith("microsoft.network/") and "privatednszones" not in kind:
        _parts(id, body)
        body["etag"] = f'W/"{number(id)}"'
    identity = body.get("identity")
    if isinstance(identity, dict) and "SystemAssigned" in identity.get("type", ""):
        identity |= {"principalId": number(id + "principal"), "tenantId": number("tenant")}
    if isinstance(identity, dict) and "userAssignedIdentities" in identity:
        identity["userAssignedIdentities"] = {
            k: {"principalId": number(k), "clientId": number(k + "client")} for k in identity["userAssignedIdentities"]
        }
    known = before.get("properties", {}) if before else {}
    match kind:
        case "microsoft.network/publicipaddresses":
            properties["ipAddress"] = known.get("ipAddress") or f"20.0.0.{len(world.stored) % 250 + 1}"
            properties.setdefault("idleTimeoutInMinutes", 4)
            if label := (properties.get("dnsSettings") or {}).get("domainNameLabel"):
                properties["dnsSettings"]["fqdn"] = f"{label}.{body['location']}.cloudapp.azure.com"
        case "microsoft.network/virtualnetworks":
            properties.setdefault("enableDdosProtection", False)
            if "subnets" not in properties and "subnets" in known:
                properties["subnets"] = known["subnets"]
        case "microsoft.network/loadbalancers":
            for part in properties.get("frontendIPConfigurations", []):
                part["properties"]["privateIPAddress"] = world.pods.front(world, id, part["properties"], properties)
        case "microsoft.network/applicationgateways":
            properties["operationalState"] = "Running"
        case "microsoft.network/privatednszones":
            properties |= {"maxNumberOfRecordSets": 25000, "numberOfRecordSets": 1}
        case "microsoft.managedidentity/userassignedidentities":
            properties |= {"principalId": number(id), "clientId": number(id + "client"), "tenantId": number("tenant")}
        case "microsoft.containerinstance/containergroups":
            properties.setdefault("sku", "Standard")
            properties.setdefault("ipAddress", {"type": "Private", "ports": []})
        case "microsoft.containerinstance/containergroupprofiles":
            properties["revision"] = known.get("revision", 0) + 1
        case "microsoft.keyvault/vaults/secrets":
            vault = id.split("/")[-3]
            properties["secretUri"] = f"{world.url}/vault/{vault}/secrets/{name}"
            world.secrets[properties["secretUri"]] = properties.pop("value", world.secrets.get(properties["secretUri"]))
        case "microsoft.storage/storageaccounts":
            properties["primaryEndpoints"] = {"file": f"https://{name}.file.core.windows.net/"}
        case _ if "privatednszones/a" in kind:
            properties["fqdn"] = f"{name}.{id.split('/')[-3]}."
    return body


def settle(world: World, id: str) -> None:
    """What happens once an operation is done: a set of groups makes its groups."""
    if type_of(id) == "microsoft.containerinstance/ngroups":
        _groups_of(world, id)
    if type_of(id).startswith("microsoft.network/applicationgateways"):
        world.pods.gateway(world, id)


def _groups_of(world: World, id: str) -> None:
    """The container groups of an nGroups resource: so many as it wants, by its profile."""
    from tests.fakes.arm.world import Refused, Stored

    stored = world.stored.get(id.lower())
    scope, name = id.rpartition("/providers/")[0], id.rpartition("/")[2]
    wanted = stored.body["properties"].get("elasticProfile", {}).get("desiredCount", 0) if stored else 0
    for index in range(100):
        group = f"{scope}/providers/Microsoft.ContainerInstance/containerGroups/{name}-{number(f'{id}{index}')[:8]}"
        there = world.stored.get(group.lower())
        if index >= wanted:
            if there is None:
                return
            world._remove(group)
            continue
        assert stored is not None
        stub = stored.body["properties"]["containerGroupProfiles"][0]
        profile = world.stored[stub["resource"]["id"].lower()].body
        made = {
            "location": stored.body["location"],
            "properties": {k: v for k, v in profile["properties"].items() if k not in ("revision", "timeToLive")},
        }
        made["properties"]["subnetIds"] = stub.get("containerGroupProperties", {}).get("subnetIds", [])
        made["properties"]["containerGroupProfile"] = {
            "id": profile["id"],
            "revision": profile["properties"]["revision"],
        }
        mark = (profile["properties"]["revision"], made["properties"]["subnetIds"])
        if there is not None and world.marks.get(group.lower()) == mark:
            continue
        if there is not None:
            world._remove(group)
        try:
            world.put(group, stored.version, made, False)
            world.marks[group.lower()] = mark
        except Refused as refused:  # the set is there all the same
            world.stored[group.lower()] = Stored(
                group, stored.version, fill(world, group, made, None), "Failed", why=refused.message
            )


def refuse(world: World, id: str, body: Json, before: Json) -> None:
    """Rules of Azure's that no schema has."""
    from tests.fakes.arm.world import Refused

    kind, properties = type_of(id), body.get("properties", {})
    if (
        before is not None
        and "location" in body
        and body["location"].lower().replace(" ", "") != before.get("location")
    ):
        raise Refused(
            409, "InvalidResourceLocation", f"The resource '{id}' already exists in {before.get('location')!r}."
        )
    for key, value in body.get("tags", {}).items():
        if len(key) > 512 or len(value) > 256 or re.search(r"[<>%&\\?/]", key):
            raise Refused(400, "InvalidTagNameCharacters", f"The tag {key!r} is not allowed.")
    if kind == "microsoft.containerinstance/containergroups" or kind.endswith("containergroupprofiles"):
        _refuse_group(world, id, properties, before)
    if kind == "microsoft.network/publicipaddresses":
        label = (properties.get("dnsSettings") or {}).get("domainNameLabel")
        for other in world.stored.values():
            theirs = (other.body.get("properties", {}).get("dnsSettings") or {}).get("domainNameLabel")
            if label and theirs == label and other.id.lower() != id.lower():
                raise Refused(400, "DnsRecordInUse", f"DNS record {label} is already used by another public IP.")
    known = (before or {}).get("properties", {})
    if (
        kind == "microsoft.authorization/roleassignments"
        and known.get("principalId", properties["principalId"]) != properties["principalId"]
    ):
        raise Refused(409, "RoleAssignmentUpdateNotPermitted", "Principal ID can not be updated.")
    if kind == "microsoft.keyvault/vaults/secrets" and id.lower() in world.deleted:
        raise Refused(409, "ObjectIsDeletedButRecoverable", f"Secret {id} is deleted and can be recovered.")


def _refuse_group(world: World, id: str, properties: Json, before: Json) -> None:
    from tests.fakes.arm.world import Refused

    for container in (*properties["containers"], *properties.get("initContainers", [])):
        if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", container["name"]):
            raise Refused(400, "InvalidContainerName", f"The container name '{container['name']}' is invalid.")
        image = container["properties"]["image"]
        if type_of(id).endswith("containergroups") and not world.pods.has_image(image):
            message = f"The image '{image}' in container group '{id.rpartition('/')[2]}' is not accessible. Please check the image and registry credential."
            raise Refused(400, "InaccessibleImage", message)
    asked = [c["properties"]["resources"]["requests"] for c in properties["containers"]]
    if sum(r["cpu"] for r in asked) > world.cores:
        message = f"Resource type 'Microsoft.ContainerInstance/containerGroups' container group quota 'StandardCores' exceeded in region 'westeurope'. Limit: '{world.cores:g}'."
        raise Refused(409, "ContainerGroupQuotaReached", message)
    if sum(r["cpu"] for r in asked) < 1 or sum(r["memoryInGB"] for r in asked) < 1:
        raise Refused(400, "ResourceRequestsInvalid", "A container group has 1 CPU and 1 GB at least.")
    for subnet in properties.get("subnetIds", []):
        delegations = (world.get(subnet["id"]) or {}).get("properties", {}).get("delegations", [])
        if not any(
            d["properties"]["serviceName"] == "Microsoft.ContainerInstance/containerGroups" for d in delegations
        ):
            raise Refused(400, "SubnetMissingRequiredDelegation", f"The subnet '{subnet['id']}' is not delegated.")
    if (
        before is not None
        and type_of(id).endswith("containergroups")
        and _fixed(before["properties"]) != _fixed(properties)
    ):
        message = "If you are going to update the os type, restart policy, network profile, CPU, memory or GPU resources for a container group, you must delete it first and then create a new one."
        raise Refused(400, "InvalidParameter", f"The updates on container group '{id}' are invalid. {message}")


def _fixed(properties: Json) -> Json:
    sizes = [c["properties"]["resources"] for c in properties["containers"]]
    names = [c["name"] for c in properties["containers"]]
    rest = [properties.get(k) for k in ("osType", "restartPolicy", "subnetIds", "priority")]
    return [sizes, names, rest, properties.get("sku", "Standard")]


def _parts(id: str, body: Json) -> None:
    """The ids of what stands inside a resource."""
    for collection, items in body.get("properties", {}).items():
        if isinstance(items, list) and items and all(isinstance(i, dict) and "name" in i for i in items):
            for item in items:
                item["id"] = f"{id}/{collection}/{item['name']}"
                if collection == "subnets":
                    item.setdefault("properties", {}).setdefault("privateEndpointNetworkPolicies", "Disabled")


def _spelt(id: str) -> str:
    _, found, tail = id.rpartition("/providers/")
    if not found:
        return "Microsoft.Resources/resourceGroups"
    namespace, *rest = tail.split("/")
    return "/".join([namespace, *rest[0::2]])
