"""Log groups of CloudWatch Logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.value import Properties
from providers.aws.client import Client, Seen
from providers.aws.kinds.thing import Thing
from providers.aws.refusals import Taken


class LogGroup(Thing):
    """A log group, named after its token unless it is given a name; its logs go with it."""

    type = "AWS.Logs/LogGroup"
    forces = ("LogGroupName", "LogGroupClass")

    def _name(self, client: Client, token: str) -> str:
        return f"/ulna/{client.name(token)}"

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name."""
        name = self._name(client, token)
        groups = client.call("logs", "describe_log_groups", logGroupNamePrefix=name).get("logGroups") or ()
        seen = next((g for g in groups if g["logGroupName"] == name), None)
        if seen is None:
            return None
        arn = str(seen["arn"]).removesuffix(":*")
        tags = client.call("logs", "list_tags_for_resource", resourceArn=arn).get("tags")
        return seen if client.ours(tags, token) else None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags; how long it keeps them comes with `update`."""
        name = self._name(client, token)
        more = {"logGroupClass": wish["LogGroupClass"]} if wish.get("LogGroupClass") else {}
        try:
            client.call("logs", "create_log_group", logGroupName=name, tags=client.marks(token), **more)
        except Taken:
            if self.find(client, token) is None:
                raise
        return self.find(client, token) or {"logGroupName": name, "arn": ""}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """How long logs are kept."""
        days = wish.get("RetentionInDays")
        if days is not None and seen.get("retentionInDays") != days:
            client.call("logs", "put_retention_policy", logGroupName=seen["logGroupName"], retentionInDays=days)
            return {**seen, "retentionInDays": days}
        return seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """With all logs in it."""
        client.call("logs", "delete_log_group", logGroupName=seen["logGroupName"])

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["arn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """How long logs are kept; 0 for ever."""
        return {"RetentionInDays": seen.get("retentionInDays", 0)} if "RetentionInDays" in wish else {}

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its name and ARN."""
        return {"LogGroupName": seen["logGroupName"], "Arn": seen["arn"]}
