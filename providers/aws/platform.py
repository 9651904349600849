"""The compute kind `ecs`: a container becomes a service of tasks in the environment's cluster. Pure.

web                   Applications.Core/containers
├── logs              AWS.Logs/LogGroup
├── sealed            AWS.SecretsManager/Secret           where variables hold secrets
├── execution-role    AWS.IAM/Role                        with which ECS pulls, reads secrets and writes logs
├── task-role         AWS.IAM/Role                        as which the programs act
├── access            AWS.EC2/SecurityGroup               its ports, from the environment's members
├── definition        AWS.ECS/TaskDefinition
├── discovery         AWS.ServiceDiscovery/Service        web.NAMESPACE, where it has ports
├── service           AWS.ECS/Service                     or Ulna.Ecs/tasks, where it is meant to end
└── scale …           AWS.ApplicationAutoScaling/*        with autoScaling
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.contract.app import Endpoint, EphemeralVolume, Gateway, Port, SecretStore, Volume, Workload
from engine.contract.operator import Children, Undecided, View
from engine.contract.platform import Capability, Shipped
from engine.contract.resource import Resource, body, short
from engine.contract.value import Leaf, Properties, has_secret, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place as written
from providers.aws import gateway as balancing
from providers.aws import storage
from providers.aws.block import structure
from providers.aws.capabilities import CAPABILITIES
from providers.aws.checks import clamped
from providers.aws.definition import SEALED, definition_of, role_documents, sealed, size_of, unmounted
from providers.aws.network import ground
from providers.aws.service import ends, scaling_of, service_of, tasks_of
from providers.aws.site import Place, child
from providers.aws.words import raised


class EcsPlatform(Shipped):
    """See the module."""

    kind = "ecs"
    capabilities: Mapping[str, Capability] = CAPABILITIES

    def endpoint(self, workload: Workload, port: Port) -> Endpoint:
        """Its name in whichever zone it is in."""
        return Endpoint(str(workload.resource.name).lower(), port.container_port, port.scheme)

    def endpoint_in(self, workload: Workload, port: Port, view: View) -> Endpoint:
        """NAME.NAMESPACE, and the port that the container itself listens on."""
        host = f"{str(workload.resource.name).lower()}.{Place.of(view).namespace}"
        return Endpoint(host, port.container_port, port.scheme)

    def environment(self, resource: Resource, view: View) -> Children | Undecided:
        """Cluster, network and names."""
        block = body(resource).get("compute")
        open_parts = [block] if isinstance(block, Leaf) else list(block.values()) if isinstance(block, Mapping) else []
        if waits_for := needs(open_parts):
            return Undecided(waits_for)
        return ground(resource, view)

    def gateway(self, gateway: Gateway, view: View) -> Children | Undecided:
        """A load balancer."""
        return balancing.render(gateway, view)

    def secret_store(self, store: SecretStore, view: View) -> Children | Undecided:
        """A secret."""
        return storage.secret_store(store, view)

    def volume(self, volume: Volume, view: View) -> Children | Undecided:
        """A file system."""
        return storage.volume(volume, view)

    def workload(self, workload: Workload, view: View) -> Children | Undecided:
        """See the module."""
        open_parts = [v for v in structure(workload.runtime) if isinstance(v, Leaf)]
        if waits_for := needs(open_parts):
            return Undecided(waits_for)
        problems = tuple(_problems(workload, view, bool(open_parts)))
        if any(p.severity is Severity.ERROR for p in problems):
            return Children((), {}, problems)
        made = [*_parts(workload, view)]
        tasks = list(tasks_of(workload, view)) if ends(workload) else []
        if tasks:
            made += tasks
        elif not ends(workload):
            made += [service_of(workload, view), *scaling_of(workload, view)]
        return Children(tuple(made), {}, problems, ending=frozenset(t.address for t in tasks))


def _parts(workload: Workload, view: View) -> Iterator[Resource]:
    """What a service needs before it."""
    resource, place = workload.resource, Place.of(view)
    yield child(resource, "AWS.Logs/LogGroup", "logs", {"RetentionInDays": place.retention})
    if values := sealed(workload):
        yield child(
            resource,
            "AWS.SecretsManager/Secret",
            SEALED,
            {"Description": f"Variables of {resource.name}", "SecretString": values},
        )
    execution, task = role_documents(workload, view)
    yield child(resource, "AWS.IAM/Role", "execution-role", execution)
    yield child(resource, "AWS.IAM/Role", "task-role", task)
    rules = [
        {
            "IpProtocol": str(p.protocol).lower(),
            "FromPort": p.container_port,
            "ToPort": p.container_port,
            "SourceSecurityGroupId": place.output("securityGroup"),
        }
        for p in workload.ports
    ]
    about = {
        "GroupDescription": f"Tasks of {resource.name}",
        "VpcId": place.output("vpc"),
        "SecurityGroupIngress": rules,
    }
    yield child(resource, "AWS.EC2/SecurityGroup", "access", about)
    yield child(resource, "AWS.ECS/TaskDefinition", "definition", dict(raised(definition_of(workload, view))))
    if workload.ports and not ends(workload):
        records = {"DnsRecords": [{"Type": "A", "TTL": 10}], "RoutingPolicy": "MULTIVALUE"}
        wish: Properties = {
            "Name": str(resource.name).lower(),
            "NamespaceId": place.output("namespaceId"),
            "DnsConfig": records,
        }
        yield child(
            resource,
            "AWS.ServiceDiscovery/Service",
            "discovery",
            {**wish, "HealthCheckCustomConfig": {"FailureThreshold": 1}},
        )


# ---------------------------------------------------------------- what is different, and what cannot be


CONTAINERS = 10
"""So many a task definition of ECS has at most; no support request raises that."""


def _problems(workload: Workload, view: View, hangs: bool) -> Iterator[Diagnostic]:
    resource, name = workload.resource, workload.resource.name
    place = Place.of(view)

    def say(code: str, severity: Severity, message: str, help: str, *path: str | int) -> Diagnostic:
        return Diagnostic(code, severity, f"'{name}': {message}", written(resource.origin, path), help=help)

    if hangs:
        help = "Use secrets as values of variables, by name: secrets, or env of the container."
        yield say("ULN321", Severity.ERROR, "what runtimes.ecs consists of hangs on a secret", help, "runtimes", "ecs")
        return
    if len(workload.containers) > CONTAINERS:
        message = f"it has {len(workload.containers)} containers, and a task definition has {CONTAINERS} at most"
        help = "Run some of the sidecars as containers of the application."
        yield say("ULN318", Severity.ERROR, message, help, "container", "sidecars")
    yield from unmounted(workload, view)
    yield from _sizes(workload, place)
    for container in workload.containers:
        for words in clamped(container):
            yield say("ULN319", Severity.INFO, f"of the probe, {words}", "Write it so, to see the same everywhere.")
        if place.fargate and any(isinstance(v, EphemeralVolume) and v.store == "memory" for v in container.volumes):
            help = "Use managedStore: 'disk', or an environment of launch type EC2."
            message = "a volume in memory is on disk on Fargate, which has no tmpfs"
            yield say("ULN317", Severity.WARNING, message, help, "container", "volumes")
        if has_secret([*(container.command or ()), *(container.args or ())]):
            message = "a secret stands in the command line, where everybody who may see the task definition can read it"
            yield say("ULN324", Severity.WARNING, message, "Let the program read it from an environment variable.")
        if container.registry is not None and not container.registry.store:
            help = "Name a secret store of type basicAuthentication as imagePullSecret."
            message = "the registry's credentials are in no secret store"
            yield say("ULN318", Severity.ERROR, message, help, "container", "imagePullSecret")
    for port in workload.ports:
        if port.port != port.container_port:
            message = (
                f"the port {port.port} of '{port.name}' is not the same on compute kind 'ecs': "
                f"others reach it on {port.container_port}"
            )
            help = "Take the address from a connection, which has the right one, or use the same number for both."
            yield say("ULN317", Severity.WARNING, message, help, "container", "ports", port.name)
    for grant in workload.grants:
        if grant.kind == "azure":
            message = (
                f"the roles of a connection to '{short(grant.source)}' are Azure's, and tasks of ECS act as AWS roles"
            )
            help = "Use iam: { kind: 'aws', roles: [ARN of a policy] }, or pass credentials by a secret store."
            yield say("ULN318", Severity.ERROR, message, help, "connections")
    if ends(workload) and workload.autoscale is not None:
        yield say(
            "ULN319",
            Severity.INFO,
            "autoScaling is not used where tasks are meant to end",
            "Remove it, or restartPolicy.",
        )
    yield from _rivals(workload, view)


def _sizes(workload: Workload, place: Place) -> Iterator[Diagnostic]:
    wanted, size = size_of(workload)
    if not place.fargate or wanted is None:
        return
    name, origin = workload.resource.name, written(workload.resource.origin, ("container", "resources"))
    if size is None:
        message = f"'{name}' asks for {wanted.words}, and the largest that Fargate has is 16 CPU and 122880 MiB"
        help = "Ask for less, or use an environment of launch type EC2."
        yield Diagnostic("ULN318", Severity.ERROR, message, origin, help=help)
    elif size != wanted:
        message = f"'{name}' asks for {wanted.words}, and gets the next size that Fargate has: {size.words}"
        yield Diagnostic("ULN319", Severity.INFO, message, origin, help="You pay for that size.")


def _rivals(workload: Workload, view: View) -> Iterator[Diagnostic]:
    """Two containers of one name in two applications: the zone of the environment has one of each name."""
    own = workload.resource
    for other in view.resources():
        same = other.type.lower() == own.type.lower() and str(other.name).lower() == str(own.name).lower()
        if not same or other.address == own.address or other.existing or not workload.ports:
            continue
        message = (
            f"'{own.name}' is the name of two containers, and names in an environment of kind 'ecs' lead to one: "
            f"{own.name}.{Place.of(view).namespace}"
        )
        help = "Rename one of them, or deploy them to two environments."
        yield Diagnostic("ULN318", Severity.ERROR, message, own.origin, help=help)
        return
