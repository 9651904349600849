"""The compute kind `aci`: a workload becomes a container group, or several of them behind a load balancer. Pure.

web                      Applications.Core/containers
├── identity, role-…     Microsoft.ManagedIdentity, Microsoft.Authorization       where its connections ask for roles
├── web                  Microsoft.ContainerInstance/containerGroups              one replica
└── name                 Microsoft.Network/privateDnsZones/A                      web.shop.dev.internal

web (3 replicas)
├── balancer             Microsoft.Network/loadBalancers
├── profile              Microsoft.ContainerInstance/containerGroupProfiles
├── groups               Microsoft.ContainerInstance/nGroups
└── name                 Microsoft.Network/privateDnsZones/A
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.app import Endpoint, Gateway, Port, RestartPolicy, SecretStore, Volume, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, Shipped, shipped_schema
from engine.contract.resource import Resource, join
from engine.contract.value import Leaf, Output, Value, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity, has_errors
from engine.diagnostics.place import place as written
from providers.azure.capabilities import CAPABILITIES
from providers.azure.gateways import gateway_of
from providers.azure.ground import ground
from providers.azure.groups import group_of
from providers.azure.merging import merged, split
from providers.azure.naming import Place, child, label, place, zone_of
from providers.azure.replicas import ADDRESS, replicas_of
from providers.azure.stores import store_of
from providers.azure.volumes import volume_of

GROUPS = "Microsoft.ContainerInstance/containerGroups"
RECORDS = "Microsoft.Network/privateDnsZones/A"
TTL = 10
"""Seconds that a name's address is remembered: a group that is made anew has another."""


class AciPlatform(Shipped):
    """See the module."""

    kind = "aci"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    def block_schema(self, type: str) -> Mapping[str, Any] | None:
        """What `runtimes.aci` of a gateway or a volume may hold."""
        return shipped_schema(f"aci.{type}.json") if type in ("gateways", "volumes") else None

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """The short name, which is found in the same application."""
        return Endpoint(label(str(workload.resource.name)), port.container_port, port.scheme)

    def endpoint_in(self, workload: Workload, port: Port, view: View) -> Endpoint:
        """Its full name in the zone of the environment, and the port that the container itself listens on."""
        environment = view.environment
        if environment is None:
            return self.endpoint(workload, port)
        zone = zone_of(environment.name, environment.properties.get("compute") or {})
        return Endpoint(f"{_relative(workload)}.{zone}", port.container_port, port.scheme)

    def environment(self, resource: Resource, view: View) -> Children | Undecided:
        """The network of an environment, its way out, and its zone of names."""
        return ground(resource, view)

    def gateway(self, gateway: Gateway, view: View) -> Children | Undecided:
        """An Application Gateway."""
        return gateway_of(gateway, view)

    def secret_store(self, store: SecretStore, view: View) -> Children | Undecided:
        """Secrets of a vault, where the environment has one."""
        return store_of(store, view)

    def volume(self, volume: Volume, view: View) -> Children | Undecided:
        """A share of a storage account."""
        return volume_of(volume, view)

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """The group of a workload, or the set of groups."""
        open_parts = [v for v in workload.runtime.values() if isinstance(v, Leaf)]
        if waits_for := needs(open_parts):
            return Undecided(waits_for)
        where = place(view)
        if open_parts or where is None or not where.subnet:
            return Children((), {}, (_nowhere(workload, where, bool(open_parts)),))
        return _made(workload, view, where)


def _made(workload: Workload, view: View, where: Place) -> Children:
    inner, outer, block = split(workload.runtime)
    several = workload.replicas > 1 or workload.runtime.get("nGroup") is not None
    if workload.autoscale is not None and workload.replicas < workload.autoscale.minimum:
        workload = workload.replace(replicas=workload.autoscale.minimum)
        several = several or workload.replicas > 1
    group = group_of(workload, view, where, profiled=several)
    problems = (*group.problems, *_warnings(workload, where, several))
    if has_errors(problems):
        return Children((), {}, problems)
    name = label(where.name, workload.application, str(workload.resource.name))
    made: list[Resource] = [*group.acting.resources]
    if workload.replicas == 0 and not several:
        return Children(tuple(made), {}, problems)
    address: Value = None
    if several:
        outer = {**outer, "tags": {**_tags(workload), **(outer.get("tags") or {})}}
        made += replicas_of(workload, where, group, name, inner, outer, block)
        if workload.ports:
            address = Output(join(workload.resource.address, "balancer"), ADDRESS)
    else:
        wish = merged(group.properties, inner)
        sides = {**merged(group.outer, outer), "tags": {**_tags(workload), **(outer.get("tags") or {})}}
        made.append(
            child(
                workload.resource,
                _segment(workload),
                where,
                GROUPS,
                (name,),
                wish,
                application=workload.application,
                waits=group.waits,
                **sides,
            )
        )
        if workload.ports and (wish.get("ipAddress") or {}).get("type") == "Private":
            address = Output(made[-1].address, ("properties", "ipAddress", "ip"))
    if address is not None:
        made.append(_name(workload, where, address))
    outputs = {"host": f"{_relative(workload)}.{where.zone}"} if workload.ports else {}
    ends = workload.restart is not RestartPolicy.ALWAYS and not several
    ending = frozenset(r.address for r in made if ends and r.type == GROUPS)
    return Children(tuple(made), outputs, problems, ending=ending)


def _tags(workload: Workload) -> dict[str, str]:
    """Labels and annotations as tags, whose names have no slash; Azure has 50 of them at most, and four are ours."""
    given = {**workload.annotations, **workload.labels}
    return {k.replace("/", "."): v[:256] for k, v in sorted(given.items()) if not k.startswith("ulna.")}


def _segment(workload: Workload) -> str:
    return str(workload.resource.name)


def _relative(workload: Workload) -> str:
    """The name of a workload in the zone: two containers of one name may be in two applications."""
    own = label(str(workload.resource.name))
    return f"{own}.{label(workload.application)}" if workload.application else own


def _name(workload: Workload, where: Place, address: Value) -> Resource:
    record = {"ttl": TTL, "aRecords": [{"ipv4Address": address}]}
    return child(workload.resource, "name", where, RECORDS, (where.zone, _relative(workload)), record, located=False)


def _nowhere(workload: Workload, where: Place | None, secret: bool) -> Diagnostic:
    name, origin = workload.resource.name, workload.resource.origin
    if secret:
        message = f"What runtimes.aci of '{name}' consists of hangs on a secret"
        return Diagnostic("ULN321", Severity.ERROR, message, origin, help="Use secrets as values of variables only.")
    if where is None:
        message = f"The environment of '{name}' does not say where on Azure it is"
        help = "Add providers: { azure: { scope: '/subscriptions/ID/resourceGroups/NAME' } } to it."
    else:
        message = f"The environment '{where.name}' has no network yet for '{name}' to be in"
        help = "Deploy the file that declares the environment first."
    return Diagnostic("ULN318", Severity.ERROR, message, origin, help=help)


def _warnings(workload: Workload, where: Place, several: bool) -> Iterator[Diagnostic]:
    """What is different here."""
    resource = workload.resource
    if not several:
        for port in workload.ports:
            if port.port != port.container_port:
                message = (
                    f"'{resource.name}': the port {port.port} of '{port.name}' is not the same on compute kind 'aci': "
                    f"others reach a single group on {port.container_port}"
                )
                help = "Take the address from a connection, which has the right one, or use the same number for both."
                at = written(resource.origin, ("container", "ports", port.name))
                yield Diagnostic("ULN317", Severity.WARNING, message, at, help=help)
    if several and workload.restart is not RestartPolicy.ALWAYS:
        message = (
            f"'{resource.name}': restartPolicy {workload.restart} is not the same for several replicas on compute kind 'aci': "
            "Azure keeps their number, and makes anew what ended"
        )
        help = "Use one replica for what is meant to end."
        at = written(resource.origin, ("restartPolicy",))
        yield Diagnostic("ULN317", Severity.WARNING, message, at, help=help)
    if workload.runtime.get("gatewayID") is not None:
        message = f"'{resource.name}': runtimes.aci.gatewayID has no meaning here: a gateway finds its containers by its routes"
        at = written(resource.origin, ("runtimes", "aci", "gatewayID"))
        yield Diagnostic("ULN319", Severity.INFO, message, at)
