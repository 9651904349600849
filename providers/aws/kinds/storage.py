"""EFS: file systems and access points (mount targets are among the parts)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Health
from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing, Verdict, given, picked
from providers.aws.refusals import Taken


def _verdict(seen: Seen) -> Verdict:
    state = seen.get("LifeCycleState", "available")
    return Verdict() if state == "available" else Verdict(Health.STARTING, f"it is {state}", look_again=2)


class FileSystem(Thing):
    """A file system; what is in it goes with it."""

    type = "AWS.EFS/FileSystem"
    forces = ("Encrypted", "KmsKeyId", "PerformanceMode", "AvailabilityZoneName")

    def find(self, client: Client, token: str) -> Seen | None:
        """By the token that it was made with."""
        found = client.call("efs", "describe_file_systems", CreationToken=client.digest(token)[:64])["FileSystems"]
        return next((f for f in found if client.ours(tag_map(f.get("Tags")), token)), None)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """EFS knows its creation token again."""
        about = given(wish, *self.forces, "ThroughputMode", "ProvisionedThroughputInMibps")
        tags = tag_list({**client.marks(token), "Name": client.name(token)})
        try:
            made: Seen = client.call(
                "efs", "create_file_system", CreationToken=client.digest(token)[:64], Tags=tags, **about
            )
        except Taken:
            found = self.find(client, token)
            if found is None:
                raise
            return found
        return made

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Once its mount targets are gone."""
        client.call("efs", "delete_file_system", FileSystemId=seen["FileSystemId"])

    def gone(self, client: Client, seen: Seen, token: str) -> bool:
        """It takes a moment."""
        return self.find(client, token) is None

    def id(self, seen: Seen) -> str:
        """`fs-…`."""
        return str(seen["FileSystemId"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Its modes."""
        return picked(seen, wish, "Encrypted", "PerformanceMode", "ThroughputMode")

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id and ARN."""
        return {"FileSystemId": seen["FileSystemId"], "Arn": seen.get("FileSystemArn", "")}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """It takes a moment."""
        return _verdict(seen)


class AccessPoint(Thing):
    """A folder of a file system, as which user it is used."""

    type = "AWS.EFS/AccessPoint"
    forces = ("FileSystemId", "PosixUser", "RootDirectory")

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of the account, by its tags."""
        points = client.all("efs", "describe_access_points", "AccessPoints")
        return next((p for p in points if client.ours(tag_map(p.get("Tags")), token)), None)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """EFS knows its client token again."""
        made: Seen = client.call(
            "efs", "create_access_point", ClientToken=client.digest(token)[:64], Tags=tag_list(client.marks(token)),
            **given(wish, *self.forces),
        )  # fmt: skip
        return made

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """What is in the folder stays."""
        client.call("efs", "delete_access_point", AccessPointId=seen["AccessPointId"])

    def id(self, seen: Seen) -> str:
        """`fsap-…`."""
        return str(seen["AccessPointId"])

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id and ARN."""
        return {"AccessPointId": seen["AccessPointId"], "Arn": seen.get("AccessPointArn", "")}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """It takes a moment."""
        return _verdict(seen)
