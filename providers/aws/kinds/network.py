"""VPCs, subnets, internet gateways, route tables: EC2 has one way with all of them, so they are a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.value import Properties
from providers.aws.client import HOME, TOKEN, Client, Seen, plain, tag_list
from providers.aws.kinds.thing import Thing, Verdict, picked


class Ec2Thing(Thing):
    """`tag` is what EC2 calls it in tags: `create_VPC`, `describe_VPCs` and the names of keys follow from `noun` and `key`."""

    def __init__(self, type: str, noun: str, tag: str, key: str, forces: tuple[str, ...]) -> None:
        self.type = type
        self.noun = noun
        self.tag = tag
        self.key = key
        self.forces = forces

    def find(self, client: Client, token: str) -> Seen | None:
        """By its tags."""
        if not client.home:
            return None
        filters = [
            {"Name": f"tag:{TOKEN}", "Values": [plain(token)]},
            {"Name": f"tag:{HOME}", "Values": [client.home]},
        ]
        found = client.call("ec2", f"describe_{self.noun}s", Filters=filters)[f"{self.key}s"]
        return self._whole(client, found[0]) if found else None

    def _whole(self, client: Client, seen: Seen) -> Seen:
        """A VPC with the attributes that EC2 tells one at a time."""
        if self.noun != "vpc":
            return seen
        attributes = {}
        for name, word in (("EnableDnsSupport", "enableDnsSupport"), ("EnableDnsHostnames", "enableDnsHostnames")):
            answer = client.call("ec2", "describe_vpc_attribute", VpcId=seen["VpcId"], Attribute=word)
            attributes[name] = answer[name]["Value"]
        return {**seen, **attributes}

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags, so that it is never without."""
        tags = {**client.marks(token), "Name": client.name(token)}
        marks = [{"ResourceType": self.tag, "Tags": tag_list(tags)}]
        names = {n for n in self.forces if n in wish}
        wanted = {n: _zone(client, v) if n == "AvailabilityZone" else v for n, v in wish.items() if n in names}
        made: Seen = client.call("ec2", f"create_{self.noun}", **wanted, TagSpecifications=marks)[self.key]
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """What EC2 calls attributes is set by calls of its own."""
        match self.noun:
            case "vpc":
                for name in ("EnableDnsSupport", "EnableDnsHostnames"):
                    if name in wish:
                        client.call("ec2", "modify_vpc_attribute", VpcId=seen["VpcId"], **{name: {"Value": wish[name]}})
                return self._whole(client, seen)
            case "subnet" if "MapPublicIpOnLaunch" in wish:
                value = {"Value": wish["MapPublicIpOnLaunch"]}
                client.call("ec2", "modify_subnet_attribute", SubnetId=seen["SubnetId"], MapPublicIpOnLaunch=value)
                return {**seen, "MapPublicIpOnLaunch": wish["MapPublicIpOnLaunch"]}
        return seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """By its id."""
        client.call("ec2", f"delete_{self.noun}", **{self._id: seen[self._id]})

    @property
    def _id(self) -> str:
        return f"{self.key}Id"

    def id(self, seen: Seen) -> str:
        """Its id, `vpc-…` say."""
        return str(seen[self._id])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """What it was made with, but for the zone, which a wish names in another way."""
        names = (*self.forces, "MapPublicIpOnLaunch", "EnableDnsSupport", "EnableDnsHostnames")
        return picked(seen, wish, *(n for n in names if n != "AvailabilityZone"))

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id, under the name that templates know."""
        more = {"AvailabilityZone": seen["AvailabilityZone"]} if "AvailabilityZone" in seen else {}
        return {self._id: seen[self._id], **more}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """A VPC or subnet that is `pending` is not ready."""
        from engine.contract.operator import Health

        if seen.get("State") == "pending":
            return Verdict(Health.STARTING, "it is being made", look_again=1)
        return Verdict()


def _zone(client: Client, value: Any) -> Any:
    """The name of an availability zone, or the one at a position of those that the region has."""
    if not isinstance(value, Mapping):
        return value
    position = int(value["Fn::Select"][0])
    filters = [{"Name": "zone-type", "Values": ["availability-zone"]}]
    zones = sorted(
        z["ZoneName"]
        for z in client.call("ec2", "describe_availability_zones", Filters=filters)["AvailabilityZones"]
        if z.get("State", "available") == "available"
    )
    return zones[position % len(zones)]


NETWORK = (
    Ec2Thing("AWS.EC2/VPC", "vpc", "vpc", "Vpc", ("CidrBlock", "InstanceTenancy")),
    Ec2Thing("AWS.EC2/Subnet", "subnet", "subnet", "Subnet", ("VpcId", "CidrBlock", "AvailabilityZone")),
    Ec2Thing("AWS.EC2/InternetGateway", "internet_gateway", "internet-gateway", "InternetGateway", ()),
    Ec2Thing("AWS.EC2/RouteTable", "route_table", "route-table", "RouteTable", ("VpcId",)),
)
