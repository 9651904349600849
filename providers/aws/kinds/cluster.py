"""ECS clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Health
from engine.contract.value import Properties
from providers.aws.client import ENVIRONMENT, Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing, Verdict
from providers.aws.words import lowered


class Cluster(Thing):
    """A cluster, named after its token unless it is given a name."""

    type = "AWS.ECS/Cluster"
    forces = ("ClusterName",)

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name, or among those that are ours."""
        for seen in described(client, [client.name(token)]):
            if client.ours(tag_map(seen.get("tags")), token):
                return seen
        return next((c for c in clusters(client) if client.ours(tag_map(c.get("tags")), token)), None)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its capacity providers, Fargate's unless the wish says otherwise."""
        name = wish.get("ClusterName") or client.name(token)
        keys = ("CapacityProviders", "ClusterSettings", "Configuration", "DefaultCapacityProviderStrategy")
        more = lowered({k.replace("ClusterSettings", "Settings"): wish[k] for k in keys if wish.get(k)})
        tags = tag_list(client.marks(token), "key", "value")
        made: Seen = client.call("ecs", "create_cluster", clusterName=name, tags=tags, **more)["cluster"]
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Its settings."""
        if wish.get("ClusterSettings") and self.live(seen, wish)["ClusterSettings"] != list(wish["ClusterSettings"]):
            settings = lowered(list(wish["ClusterSettings"]))
            made: Seen = client.call("ecs", "update_cluster", cluster=seen["clusterArn"], settings=settings)["cluster"]
            return made
        return seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """It is busy as long as tasks are ending."""
        client.call("ecs", "delete_cluster", cluster=seen["clusterArn"])

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["clusterArn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Its settings, those that are wished for."""
        if "ClusterSettings" not in wish:
            return {}
        there = {s["name"]: s["value"] for s in seen.get("settings") or ()}
        wanted = [s["Name"] for s in wish["ClusterSettings"]]
        return {"ClusterSettings": [{"Name": n, "Value": there[n]} for n in wanted if n in there]}

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN and name."""
        return {"Arn": seen["clusterArn"], "ClusterName": seen["clusterName"]}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """Active, or in the middle of something."""
        if seen.get("status", "ACTIVE") == "ACTIVE":
            return Verdict()
        return Verdict(Health.STARTING, f"the cluster is {str(seen['status']).lower()}", look_again=2)


def described(client: Client, names: list[str]) -> list[Seen]:
    """Clusters by name or ARN, those that are there."""
    if not names:
        return []
    found = client.call("ecs", "describe_clusters", clusters=names, include=["TAGS", "SETTINGS"])["clusters"]
    return [c for c in found if c.get("status") != "INACTIVE"]


def clusters(client: Client) -> list[Seen]:
    """The clusters of the environment; another state may have made them, as an environment and what goes to it are apart."""
    arns = client.all("ecs", "list_clusters", "clusterArns")
    found = [c for at in range(0, len(arns), 100) for c in described(client, arns[at : at + 100])]
    return [c for c in found if tag_map(c.get("tags")).get(ENVIRONMENT) == client.target.environment]


def candidates(client: Client) -> list[str]:
    """The clusters where something of ours can be: the one that the environment has, and those that bear its name."""
    own = [client.target.cluster] if client.target.cluster else []
    return list(dict.fromkeys([*own, *(str(c["clusterArn"]) for c in clusters(client))]))
