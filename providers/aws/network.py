"""What an environment of kind `ecs` owns: a cluster, a network, a private DNS zone. Pure.

prod                      Applications.Core/environments
├── cluster               AWS.ECS/Cluster                            unless compute.cluster names one
├── vpc … route           AWS.EC2/*                                  unless compute.network names one; public subnets, no NAT gateway
├── members               AWS.EC2/SecurityGroup                      carried by every task and load balancer: who may talk to whom
└── names                 AWS.ServiceDiscovery/PrivateDnsNamespace   NAME.NAMESPACE
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract.operator import Children, Environment, View
from engine.contract.resource import Resource, Wait, body, join
from engine.contract.value import Output, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.aws.site import Place, child
from providers.aws.target import scope_of

CIDR = "10.42.0.0/16"
_ANYWHERE = "0.0.0.0/0"


def ground(resource: Resource, view: View) -> Children:
    """See the module."""
    place = Place(view.environment or Environment(str(resource.name), "ecs", str(resource.id), dict(body(resource))))
    problems = tuple(_problems(resource, place))
    if problems:
        return Children((), {}, problems)
    made: list[Resource] = []
    outputs: dict[str, Value] = {"namespace": place.namespace, "region": place.region, "account": place.account}
    if place.compute.get("cluster"):
        outputs["cluster"] = place.compute["cluster"]
    else:
        insights = "enabled" if place.compute.get("containerInsights") is True else "disabled"
        settings = [{"Name": "containerInsights", "Value": insights}]
        wish = {"CapacityProviders": ["FARGATE", "FARGATE_SPOT"], "ClusterSettings": settings}
        made.append(child(resource, "AWS.ECS/Cluster", "cluster", wish))
        outputs["cluster"] = _of(resource, "cluster", "Arn")
    if place.network:
        vpc: Value = place.network["vpc"]
        outputs |= {"vpc": vpc, "subnets": list(place.network["subnets"])}
    else:
        made += _vpc(resource, str(place.compute.get("cidr", CIDR)))
        vpc = _of(resource, "vpc", "VpcId")
        outputs |= {"vpc": vpc, "subnets": [_of(resource, f"subnet-{n}", "SubnetId") for n in range(2)]}
    description = f"Tasks and load balancers of the environment {resource.name}"
    made.append(child(resource, "AWS.EC2/SecurityGroup", "members", {"GroupDescription": description, "VpcId": vpc}))
    outputs["securityGroup"] = _of(resource, "members", "GroupId")
    wish = {"Name": place.namespace, "Vpc": vpc}
    made.append(child(resource, "AWS.ServiceDiscovery/PrivateDnsNamespace", "names", wish))
    outputs["namespaceId"] = _of(resource, "names", "Id")
    return Children(tuple(made), outputs)


def _vpc(resource: Resource, cidr: str) -> list[Resource]:
    """A VPC with a public subnet in each of two zones, all of whose traffic to elsewhere goes through an internet gateway."""
    vpc, gateway, table = (
        _of(resource, "vpc", "VpcId"),
        _of(resource, "gateway", "InternetGatewayId"),
        _of(resource, "routes", "RouteTableId"),
    )
    start = ".".join(cidr.split(".")[:2])
    attached = {"VpcId": vpc, "InternetGatewayId": gateway}
    made = [
        child(
            resource, "AWS.EC2/VPC", "vpc", {"CidrBlock": cidr, "EnableDnsSupport": True, "EnableDnsHostnames": True}
        ),
        child(resource, "AWS.EC2/InternetGateway", "gateway", {}),
        child(resource, "AWS.EC2/VPCGatewayAttachment", "attachment", attached),
        child(resource, "AWS.EC2/RouteTable", "routes", {"VpcId": vpc}),
    ]
    for number in range(2):
        wish = {
            "VpcId": vpc,
            "CidrBlock": f"{start}.{number * 16}.0/20",
            "AvailabilityZone": {"Fn::Select": [number, {"Fn::GetAZs": ""}]},
            "MapPublicIpOnLaunch": True,
        }
        made.append(child(resource, "AWS.EC2/Subnet", f"subnet-{number}", wish))
        follows = {"RouteTableId": table, "SubnetId": _of(resource, f"subnet-{number}", "SubnetId")}
        made.append(child(resource, "AWS.EC2/SubnetRouteTableAssociation", f"association-{number}", follows))
    route = {"RouteTableId": table, "DestinationCidrBlock": _ANYWHERE, "GatewayId": gateway}
    waits = (Wait(join(resource.address, "attachment")),)
    return [*made, child(resource, "AWS.EC2/Route", "route", route, waits=waits)]


def _of(resource: Resource, name: str, key: str) -> Output:
    return Output(join(resource.address, name), ("properties", key))


def _problems(resource: Resource, place: Place) -> Iterator[Diagnostic]:
    if scope_of(body(resource)) is None:
        message = f"The environment '{resource.name}' of kind 'ecs' does not say in which account and region it is"
        help = "Add providers: { aws: { scope: '/planes/aws/aws/accounts/ACCOUNT/regions/REGION' } }."
        yield Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)
    if not place.fargate and not place.compute.get("cluster"):
        message = f"The environment '{resource.name}' has the launch type EC2, and no machines: Ulna makes clusters without any"
        help = "Name a cluster that has some with compute.cluster, or leave launchType out for Fargate."
        yield Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=help)
