"""Several groups of a workload: a profile that says what each is, a set that says how many, a load balancer before them. Pure."""

from __future__ import annotations

from engine.contract.app import HttpGet, Port, Probe, Protocol, Workload
from engine.contract.resource import Resource, Wait
from engine.contract.value import Output, Properties, Value
from providers.azure.groups import Group
from providers.azure.merging import merged
from providers.azure.naming import Place, child, label

PROFILES = "Microsoft.ContainerInstance/containerGroupProfiles"
SETS = "Microsoft.ContainerInstance/nGroups"
BALANCERS = "Microsoft.Network/loadBalancers"
UNPROFILED = ("subnetIds", "dnsConfig", "secretReferences")
"""What a profile does not have."""
ADDRESS = ("properties", "frontendIPConfigurations", 0, "properties", "privateIPAddress")


def replicas_of(
    workload: Workload, where: Place, group: Group, name: str, inner: Properties, outer: Properties, set: Properties
) -> list[Resource]:
    """The load balancer if there are ports, the profile and the set; the blocks of `runtimes.aci` are merged into them."""
    made: list[Resource] = []
    if workload.ports:
        made.append(_balancer(workload, where, name))
    properties = {k: v for k, v in merged(group.properties, inner).items() if k not in UNPROFILED}
    profile = child(
        workload.resource,
        "profile",
        where,
        PROFILES,
        (name,),
        properties,
        application=workload.application,
        waits=group.waits,
        zones=outer.get("zones"),
    )
    made.append(profile)
    made.append(_set(workload, where, group, name, profile, made[0] if workload.ports else None, outer, set))
    return made


def _set(
    workload: Workload,
    where: Place,
    group: Group,
    name: str,
    profile: Resource,
    balancer: Resource | None,
    outer: Properties,
    block: Properties,
) -> Resource:
    stub: dict[str, Value] = {
        "resource": {"id": Output(profile.address, ("id",))},
        "revision": Output(profile.address, ("properties", "revision")),
        "containerGroupProperties": {"subnetIds": [{"id": where.subnet}]},
    }
    waits: tuple[Wait, ...] = ()
    if balancer is not None:
        pool = f"{balancer.id}/backendAddressPools/groups"
        stub["networkProfile"] = {"loadBalancer": {"backendAddressPools": [{"resource": pool}]}}
        waits = (Wait(balancer.address),)
    wish: dict[str, Value] = {
        "elasticProfile": {
            "desiredCount": workload.replicas,
            "maintainDesiredCount": True,
            "containerGroupNamingPolicy": {"guidNamingPolicy": {"prefix": f"{name[:40]}-"}},
        },
        "containerGroupProfiles": [stub],
        "updateProfile": {"updateMode": "Rolling", "rollingUpdateProfile": {"maxBatchPercent": 50}},
    }
    return child(
        workload.resource,
        "groups",
        where,
        SETS,
        (name,),
        merged(wish, block),
        application=workload.application,
        waits=waits,
        **merged(group.outer, outer),
    )


def _balancer(workload: Workload, where: Place, name: str) -> Resource:
    """Inside the network: every port is there under its own number, and under that of the container."""
    id = where.id(BALANCERS, name)
    rules: list[Value] = []
    probes: list[Value] = []
    for port in workload.ports:
        probe = _probe(workload, port)
        if probe is not None:
            probes.append(probe)
        for front in dict.fromkeys((port.container_port, port.port)):
            rules.append(_rule(id, port, front, probe))
    properties: dict[str, Value] = {
        "frontendIPConfigurations": [
            {"name": "in", "properties": {"subnet": {"id": where.balancers}, "privateIPAllocationMethod": "Dynamic"}}
        ],
        "backendAddressPools": [{"name": "groups"}],
        "loadBalancingRules": rules,
    }
    if probes:
        properties["probes"] = probes
    return child(
        workload.resource,
        "balancer",
        where,
        BALANCERS,
        (name,),
        properties,
        application=workload.application,
        sku={"name": "Standard"},
    )


def _rule(id: str, port: Port, front: int, probe: Value) -> dict[str, Value]:
    rule: dict[str, Value] = {
        "frontendIPConfiguration": {"id": f"{id}/frontendIPConfigurations/in"},
        "backendAddressPool": {"id": f"{id}/backendAddressPools/groups"},
        "protocol": "Udp" if port.protocol is Protocol.UDP else "Tcp",
        "frontendPort": front,
        "backendPort": port.container_port,
        "idleTimeoutInMinutes": 4,
    }
    if probe is not None:
        rule["probe"] = {"id": f"{id}/probes/{probe['name']}"}
    return {"name": label(port.name, str(front)), "properties": rule}


def _probe(workload: Workload, port: Port) -> dict[str, Value] | None:
    """As the readiness probe asks, where that is of the same port; else by a connection. There is none for UDP."""
    if port.protocol is Protocol.UDP:
        return None
    readiness: Probe | None = workload.container.readiness
    properties: dict[str, Value] = {"port": port.container_port, "intervalInSeconds": 5, "probeThreshold": 2}
    check = readiness.check if readiness is not None else None
    if isinstance(check, HttpGet) and check.container_port == port.container_port:
        return {
            "name": label(port.name),
            "properties": {**properties, "protocol": "Http", "requestPath": check.path or "/"},
        }
    return {"name": label(port.name), "properties": {**properties, "protocol": "Tcp"}}
