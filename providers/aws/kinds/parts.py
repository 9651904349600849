"""What EC2 and EFS keep as a part of something else and give no tags: its host carries a tag for it, made with its token."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from engine.contract.operator import Health
from engine.contract.value import Properties
from providers.aws.client import Client, Seen
from providers.aws.kinds.thing import Thing, Verdict
from providers.aws.refusals import Absent, Taken


def part_key(client: Client, token: str) -> str:
    """The key of the tag."""
    return f"ulna.part.{client.digest(token)[:16]}"


class PartOfEc2(Thing):
    """`host` is the noun of what carries the tag, `key` what its id and its list are called after."""

    host = ""
    key = ""

    def find(self, client: Client, token: str) -> Seen | None:
        """Its host by the tag, then whether the part is there; a tag without its part is none."""
        if not client.home:
            return None
        tag = part_key(client, token)
        filters = [{"Name": "tag-key", "Values": [tag]}]
        for found in client.call("ec2", f"describe_{self.host}s", Filters=filters)[f"{self.key}s"]:
            value = next((t["Value"] for t in found.get("Tags") or () if t["Key"] == tag), "")
            if value and (part := self.part(found, value)) is not None:
                return {**part, "HostId": found[f"{self.key}Id"], "Part": value}
        return None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Make it, then tag its host: what was made and not tagged is there when it is made again, and taken."""
        value = self.value(wish)
        host = wish[f"{self.key}Id"]
        try:
            self.make(client, wish)
        except Taken:
            found = client.call("ec2", f"describe_{self.host}s", **{f"{self.key}Ids": [host]})[f"{self.key}s"][0]
            if self.part(found, value) is None:
                raise
        client.call("ec2", "create_tags", Resources=[host], Tags=[{"Key": part_key(client, token), "Value": value}])
        found = client.call("ec2", f"describe_{self.host}s", **{f"{self.key}Ids": [host]})[f"{self.key}s"][0]
        return {**(self.part(found, value) or {}), "HostId": host, "Part": value}

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Take it away, then the tag."""
        with suppress(Absent):
            self.remove(client, seen)
        client.call("ec2", "delete_tags", Resources=[seen["HostId"]], Tags=[{"Key": part_key(client, token)}])

    def id(self, seen: Seen) -> str:
        """Its host and what it leads to."""
        return f"{seen['HostId']}|{seen['Part']}"

    def value(self, wish: Properties) -> str:
        """What tells the part from others of its host."""
        raise NotImplementedError

    def part(self, host: Seen, value: str) -> Seen | None:
        """The part in what EC2 says of the host."""
        raise NotImplementedError

    def make(self, client: Client, wish: Properties) -> None:
        """The call that makes it."""
        raise NotImplementedError

    def remove(self, client: Client, seen: Seen) -> None:
        """The call that takes it away."""
        raise NotImplementedError


class GatewayAttachment(PartOfEc2):
    """An internet gateway in a VPC."""

    type = "AWS.EC2/VPCGatewayAttachment"
    forces = ("VpcId", "InternetGatewayId")
    host, key = "internet_gateway", "InternetGateway"

    def value(self, wish: Properties) -> str:
        """Its VPC."""
        return str(wish["VpcId"])

    def part(self, host: Seen, value: str) -> Seen | None:
        """The attachment to the VPC."""
        return next((a for a in host.get("Attachments") or () if a.get("VpcId") == value), None)

    def make(self, client: Client, wish: Properties) -> None:
        """Attach it."""
        client.call("ec2", "attach_internet_gateway", VpcId=wish["VpcId"], InternetGatewayId=wish["InternetGatewayId"])

    def remove(self, client: Client, seen: Seen) -> None:
        """Detach it."""
        client.call("ec2", "detach_internet_gateway", VpcId=seen["Part"], InternetGatewayId=seen["HostId"])


class Route(PartOfEc2):
    """A route of a table."""

    type = "AWS.EC2/Route"
    forces = ("RouteTableId", "DestinationCidrBlock", "GatewayId")
    host, key = "route_table", "RouteTable"

    def value(self, wish: Properties) -> str:
        """Where it leads."""
        return str(wish["DestinationCidrBlock"])

    def part(self, host: Seen, value: str) -> Seen | None:
        """The route with that destination."""
        return next((r for r in host.get("Routes") or () if r.get("DestinationCidrBlock") == value), None)

    def make(self, client: Client, wish: Properties) -> None:
        """Add it."""
        client.call("ec2", "create_route", **{n: wish[n] for n in self.forces})

    def remove(self, client: Client, seen: Seen) -> None:
        """Delete it."""
        client.call("ec2", "delete_route", RouteTableId=seen["HostId"], DestinationCidrBlock=seen["Part"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Where it goes."""
        return {"GatewayId": seen.get("GatewayId", "")} if "GatewayId" in wish else {}


class RouteTableAssociation(PartOfEc2):
    """A subnet that follows a route table."""

    type = "AWS.EC2/SubnetRouteTableAssociation"
    forces = ("RouteTableId", "SubnetId")
    host, key = "route_table", "RouteTable"

    def value(self, wish: Properties) -> str:
        """Its subnet."""
        return str(wish["SubnetId"])

    def part(self, host: Seen, value: str) -> Seen | None:
        """The association of the subnet."""
        return next((a for a in host.get("Associations") or () if a.get("SubnetId") == value), None)

    def make(self, client: Client, wish: Properties) -> None:
        """Associate them."""
        client.call("ec2", "associate_route_table", RouteTableId=wish["RouteTableId"], SubnetId=wish["SubnetId"])

    def remove(self, client: Client, seen: Seen) -> None:
        """Take the subnet out."""
        client.call("ec2", "disassociate_route_table", AssociationId=seen["RouteTableAssociationId"])


class MountTarget(Thing):
    """A file system's door in a subnet."""

    type = "AWS.EFS/MountTarget"
    forces = ("FileSystemId", "SubnetId", "IpAddress")

    def find(self, client: Client, token: str) -> Seen | None:
        """Its file system by the tag, then the mount target of the subnet."""
        if not client.home:
            return None
        key = part_key(client, token)
        for system in client.all("efs", "describe_file_systems", "FileSystems"):
            subnet = next((t["Value"] for t in system.get("Tags") or () if t["Key"] == key), None)
            if subnet and (found := self._of(client, system["FileSystemId"], subnet)):
                return found
        return None

    def _of(self, client: Client, system: str, subnet: str) -> Seen | None:
        targets = client.all("efs", "describe_mount_targets", "MountTargets", FileSystemId=system)
        return next((t for t in targets if t["SubnetId"] == subnet and t.get("LifeCycleState") != "deleted"), None)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Make it, then tag its file system."""
        system, subnet = str(wish["FileSystemId"]), str(wish["SubnetId"])
        wanted = {n: wish[n] for n in ("FileSystemId", "SubnetId", "IpAddress", "SecurityGroups") if wish.get(n)}
        try:
            client.call("efs", "create_mount_target", **wanted)
        except Taken:
            if self._of(client, system, subnet) is None:
                raise
        client.call("efs", "tag_resource", ResourceId=system, Tags=[{"Key": part_key(client, token), "Value": subnet}])
        return self._of(client, system, subnet) or {"MountTargetId": "", **wanted}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Its security groups can be changed."""
        if wish.get("SecurityGroups") and seen.get("LifeCycleState") == "available":
            id = seen["MountTargetId"]
            groups = list(wish["SecurityGroups"])
            client.call("efs", "modify_mount_target_security_groups", MountTargetId=id, SecurityGroups=groups)
        return seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Delete it, then the tag."""
        client.call("efs", "delete_mount_target", MountTargetId=seen["MountTargetId"])
        client.call("efs", "untag_resource", ResourceId=seen["FileSystemId"], TagKeys=[part_key(client, token)])

    def id(self, seen: Seen) -> str:
        """`fsmt-…`."""
        return str(seen["MountTargetId"])

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id and address."""
        return {"Id": seen["MountTargetId"], "IpAddress": seen.get("IpAddress", "")}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """It takes a minute or two to be there."""
        state = seen.get("LifeCycleState", "available")
        return Verdict() if state == "available" else Verdict(Health.STARTING, f"it is {state}", look_again=5)
