"""What an environment of kind aci owns: a network that its groups are in, a way out, and a zone of names. Pure.

dev                      Applications.Core/environments
├── group                Microsoft.Resources/resourceGroups                       only read, for its region
├── egress-address       Microsoft.Network/publicIPAddresses                      what the outside sees of it
├── egress               Microsoft.Network/natGateways                            so that groups reach registries
├── firewall             Microsoft.Network/networkSecurityGroups
├── network              Microsoft.Network/virtualNetworks                        subnets for groups, balancers, gateways
├── zone                 Microsoft.Network/privateDnsZones                        web.shop.dev.internal
└── link                 Microsoft.Network/privateDnsZones/virtualNetworkLinks
"""

from __future__ import annotations

import ipaddress
from typing import Any

from engine.contract.operator import Children, View
from engine.contract.resource import Resource, Wait, join
from engine.contract.value import Output, Properties, Value, compose
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.azure.naming import VERSIONS, Place, child, label, place

ADDRESSES = "10.0.0.0/16"
DELEGATION = "Microsoft.ContainerInstance/containerGroups"
GROUPS = "Microsoft.Resources/resourceGroups"


def ground(resource: Resource, view: View) -> Children:
    """The resources of an environment."""
    where = place(view)
    if where is None:
        message = f"The environment '{resource.name}' does not say where on Azure it is"
        help = "Add providers: { azure: { scope: '/subscriptions/ID/resourceGroups/NAME' } }."
        return Children((), {}, (Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help),))
    made: list[Resource] = []
    if not where.location:
        made.append(_group(resource, where))
        where = where.replace(location=Output(made[0].address, ("location",)))
    block = where.compute.get("network") or {}
    if problem := _problem(resource, block):
        return Children((), {}, (problem,))
    if given := block.get("subnet"):
        network: Value = str(given).partition("/subnets/")[0]
        outputs = {k: block[k] for k in ("subnet", "gatewaySubnet", "balancerSubnet") if block.get(k)}
        outputs.setdefault("balancerSubnet", block.get("gatewaySubnet") or "")
    else:
        parts = _network(resource, where, block)
        made += parts
        network = Output(parts[-1].address, ("id",))
        subnets = (("subnet", "groups"), ("gatewaySubnet", "gateways"), ("balancerSubnet", "balancers"))
        outputs = {key: compose("{0}/subnets/{1}", network, name) for key, name in subnets}
    made += _names(resource, where, network)
    return Children(tuple(made), {**outputs, "location": where.location, "zone": where.zone})


def _problem(resource: Resource, block: Properties) -> Diagnostic | None:
    try:
        network = ipaddress.ip_network(str(block.get("addressPrefix") or ADDRESSES))
    except ValueError as error:
        message = f"The address range of the environment '{resource.name}' is none: {error}"
    else:
        if network.version == 4 and network.prefixlen <= 22:
            return None
        message = f"The address range '{network}' of the environment '{resource.name}' is too small"
    help = "Use a range of IPv4 with a prefix of /22 at most, such as 10.0.0.0/16."
    return Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)


def _group(resource: Resource, where: Place) -> Resource:
    """The resource group, which is there already."""
    address = join(resource.address, "group")
    return Resource(address, GROUPS, VERSIONS[GROUPS], where.group, where.scope, {}, existing=True)


def _network(resource: Resource, where: Place, block: Properties) -> list[Resource]:
    made: list[Resource] = []
    groups: dict[str, Any] = {"delegations": [{"name": "groups", "properties": {"serviceName": DELEGATION}}]}
    if block.get("egress", "natGateway") == "natGateway":
        made.append(_address(resource, where))
        nat = {"idleTimeoutInMinutes": 4, "publicIpAddresses": [{"id": Output(made[0].address, ("id",))}]}
        name = (label(where.name, "egress"),)
        made.append(
            child(resource, "egress", where, "Microsoft.Network/natGateways", name, nat, sku={"name": "Standard"})
        )
        groups["natGateway"] = {"id": Output(made[-1].address, ("id",))}
    rules = [
        _rule("from-inside", 100, "VirtualNetwork", "Allow"),
        _rule(
            "from-balancers", 110, "AzureLoadBalancer", "Allow"
        ),  # whose probes are of the internet, by their address
        _rule("from-outside", 4000, "Internet", "Deny"),
    ]
    name = (label(where.name, "firewall"),)
    firewall = child(
        resource, "firewall", where, "Microsoft.Network/networkSecurityGroups", name, {"securityRules": rules}
    )
    made.append(firewall)
    groups["networkSecurityGroup"] = {"id": Output(firewall.address, ("id",))}
    prefix = str(block.get("addressPrefix") or ADDRESSES)
    wish = {"addressSpace": {"addressPrefixes": [prefix]}, "subnets": _subnets(prefix, groups)}
    name = (label(where.name, "network"),)
    made.append(child(resource, "network", where, "Microsoft.Network/virtualNetworks", name, wish))
    return made


def _address(resource: Resource, where: Place) -> Resource:
    return child(
        resource,
        "egress-address",
        where,
        "Microsoft.Network/publicIPAddresses",
        (label(where.name, "egress"),),
        {"publicIPAllocationMethod": "Static"},
        sku={"name": "Standard"},
    )


def _rule(name: str, priority: int, source: str, access: str) -> dict[str, Value]:
    return {
        "name": name,
        "properties": {
            "priority": priority,
            "direction": "Inbound",
            "access": access,
            "protocol": "*",
            "sourceAddressPrefix": source,
            "sourcePortRange": "*",
            "destinationAddressPrefix": "VirtualNetwork",
            "destinationPortRange": "*",
        },
    }


def _subnets(prefix: str, groups: Properties) -> list[Value]:
    """Half of the range is for groups, the rest for what stands before them."""
    first = next(ipaddress.IPv4Network(prefix).subnets(prefixlen_diff=1))
    return [
        {"name": "groups", "properties": {"addressPrefix": str(first), **groups}},
        {"name": "balancers", "properties": {"addressPrefix": _share(prefix, 0)}},
        {"name": "gateways", "properties": {"addressPrefix": gateways_prefix(prefix)}},
    ]


def gateways_prefix(prefix: str) -> str:
    """The range of the subnet for gateways."""
    return _share(prefix, 1)


def _share(prefix: str, index: int) -> str:
    """A quarter of the second half, a /24 at most."""
    second = list(ipaddress.IPv4Network(prefix).subnets(prefixlen_diff=1))[1]
    shares = second.subnets(new_prefix=max(second.prefixlen + 2, 24))
    return str(next(s for i, s in enumerate(shares) if i == index))


def _names(resource: Resource, where: Place, network: Value) -> list[Resource]:
    """The zone, and its link to the network: it is global."""
    zone = child(resource, "zone", where, "Microsoft.Network/privateDnsZones", (where.zone,), None, location="global")
    link = child(
        resource,
        "link",
        where,
        "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
        (where.zone, "network"),
        {"virtualNetwork": {"id": network}, "registrationEnabled": False},
        location="global",
        waits=(Wait(zone.address),),
    )
    return [zone, link]
