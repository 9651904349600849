"""Cloud Map: a private DNS zone, and the names in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.errors import Terminal, Transient
from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing, picked
from providers.aws.refusals import Taken


class Namespace(Thing):
    """A private DNS namespace of a VPC."""

    type = "AWS.ServiceDiscovery/PrivateDnsNamespace"
    forces = ("Name", "Vpc")

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of the account, by its tags."""
        for seen in client.all("servicediscovery", "list_namespaces", "Namespaces"):
            if seen.get("Type") == "DNS_PRIVATE" and _ours(client, seen, token):
                return dict(seen)
        return None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """It takes a minute: made in the background, and looked at again until it is there."""
        about = {k: wish[k] for k in ("Name", "Vpc", "Description") if wish.get(k)}
        answer = client.call(
            "servicediscovery", "create_private_dns_namespace", **about,
            CreatorRequestId=client.digest(token)[:64], Tags=tag_list(client.marks(token)),
        )  # fmt: skip
        operation = client.call("servicediscovery", "get_operation", OperationId=answer["OperationId"])["Operation"]
        if operation.get("Status") == "FAIL":
            help = "Give the environment another compute.namespace, if the VPC has this one already."
            raise Terminal(str(operation.get("ErrorMessage") or "the namespace could not be made"), help)
        found = self.find(client, token)
        if found is None:
            raise Transient("the namespace is being made", after=5)
        return found

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """In the background."""
        client.call("servicediscovery", "delete_namespace", Id=seen["Id"])

    def gone(self, client: Client, seen: Seen, token: str) -> bool:
        """Its VPC cannot go before it has."""
        return self.find(client, token) is None

    def id(self, seen: Seen) -> str:
        """`ns-…`."""
        return str(seen["Id"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Its name."""
        return picked(seen, wish, "Name")

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id, ARN and name."""
        return {"Id": seen["Id"], "Arn": seen["Arn"], "Name": seen["Name"]}


class Name(Thing):
    """A name in a namespace, which ECS fills with the addresses of tasks."""

    type = "AWS.ServiceDiscovery/Service"
    forces = ("Name", "NamespaceId", "HealthCheckCustomConfig", "Type")

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of the account, by its tags."""
        for seen in client.all("servicediscovery", "list_services", "Services"):
            if _ours(client, seen, token):
                return dict(seen)
        return None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags."""
        about = {k: wish[k] for k in ("Name", "NamespaceId", "DnsConfig", "HealthCheckCustomConfig") if wish.get(k)}
        try:
            made: Seen = client.call(
                "servicediscovery", "create_service", **about,
                CreatorRequestId=client.digest(token)[:64], Tags=tag_list(client.marks(token)),
            )["Service"]  # fmt: skip
        except Taken as taken:
            help = "Rename the container, or give one of the environments another compute.namespace."
            raise Terminal(f"the name '{wish['Name']}' is taken in the namespace", help) from taken
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """How long its addresses may be kept."""
        records = (wish.get("DnsConfig") or {}).get("DnsRecords")
        there = (seen.get("DnsConfig") or {}).get("DnsRecords")
        if records and records != there:
            change = {"DnsConfig": {"DnsRecords": records}}
            client.call("servicediscovery", "update_service", Id=seen["Id"], Service=change)
            return {**seen, "DnsConfig": {**(seen.get("DnsConfig") or {}), "DnsRecords": records}}
        return seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Once no task is registered with it."""
        client.call("servicediscovery", "delete_service", Id=seen["Id"])

    def id(self, seen: Seen) -> str:
        """`srv-…`."""
        return str(seen["Id"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Its name and records."""
        found = picked(seen, wish, "Name")
        records = (seen.get("DnsConfig") or {}).get("DnsRecords")
        return {**found, "DnsConfig": {"DnsRecords": records}} if "DnsConfig" in wish and records else found

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id and ARN."""
        return {"Id": seen["Id"], "Arn": seen["Arn"], "Name": seen["Name"]}


def _ours(client: Client, seen: Seen, token: str) -> bool:
    tags = client.call("servicediscovery", "list_tags_for_resource", ResourceARN=seen["Arn"]).get("Tags")
    return client.ours(tag_map(tags), token)
