"""ECS services."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.value import Properties
from providers.aws.client import ADDRESS, ENVIRONMENT, HOME, TOKEN, Client, Seen, tag_list, tag_map
from providers.aws.kinds.cluster import candidates
from providers.aws.kinds.rollout import DEADLINE, judge, primary, stopped
from providers.aws.kinds.thing import Thing, Verdict, picked
from providers.aws.refusals import Absent, Taken
from providers.aws.shelf import Shelf
from providers.aws.words import lowered, raised

_FIXED = ("Cluster", "LaunchType", "ServiceName", "SchedulingStrategy", "DeploymentController", "Role")
_ONCE = ("cluster", "serviceName", "launchType", "schedulingStrategy", "deploymentController", "role", "clientToken")
_OURS = ("DeadlineSeconds",)
"""What is in a wish for us and not for ECS."""


class Service(Thing):
    """A service, named after its token unless it is given a name."""

    type = "AWS.ECS/Service"
    forces = _FIXED
    beside = True

    def find(self, client: Client, token: str) -> Seen | None:
        """In the clusters where it can be, by its name; one that was taken over, by what was noted of it."""
        if noted := self._shelf(client).card(self._card(client, token)):
            seen = self._look(client, str(noted["cluster"]), str(noted["service"]))
            return seen if seen is not None and client.ours(tag_map(seen.get("tags")), token) else None
        for cluster in candidates(client):
            try:
                seen = self._look(client, cluster, client.name(token))
            except Absent:
                continue
            if seen is not None and client.ours(tag_map(seen.get("tags")), token):
                return seen
        return None

    def _look(self, client: Client, cluster: str, name: str) -> Seen | None:
        found = client.call("ecs", "describe_services", cluster=cluster, services=[name], include=["TAGS"])["services"]
        seen: Seen | None = next((s for s in found if s.get("status") != "INACTIVE"), None)
        return seen

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags, and a client token that makes the same call the same service."""
        body = {k: v for k, v in lowered({k: v for k, v in wish.items() if k not in _OURS}).items() if v is not None}
        marks = tag_list(client.marks(token), "key", "value")
        body.pop("serviceName", None)
        about = {"serviceName": client.name(token), "clientToken": client.digest(token)[:32], "tags": marks}
        try:
            client.call("ecs", "create_service", **{"propagateTags": "SERVICE", **body, **about})
        except Taken:
            seen = self._look(client, str(body["cluster"]), about["serviceName"])  # type: ignore[arg-type]
            if seen is None or not client.ours(tag_map(seen.get("tags")), token):
                raise
            return seen
        return self._look(client, str(body["cluster"]), client.name(token)) or {}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """What differs from what is there; ECS begins a rollout where it takes one."""
        wanted = {k: v for k, v in wish.items() if k not in _OURS}
        there = self.live(seen, wish)
        changed = {k: v for k, v in wanted.items() if v is not None and (k not in there or there[k] != v)}
        body = {k: v for k, v in lowered(changed).items() if k not in _ONCE and k != "tags"}
        body = {k: v for k, v in body.items() if k in client.shape("ecs", "update_service").members}
        failed = primary(seen).get("rolloutState") == "FAILED"
        if not body and not failed:
            return seen
        again = {"forceNewDeployment": True} if failed and "taskDefinition" not in body else {}
        client.call("ecs", "update_service", cluster=seen["clusterArn"], service=seen["serviceName"], **body, **again)
        return self._look(client, str(seen["clusterArn"]), str(seen["serviceName"])) or seen

    def adopt(self, client: Client, id: str, token: str) -> Seen:
        """By its ARN, by `CLUSTER/NAME`, or by its name in the environment's cluster."""
        *_, cluster, name = ("", *id.rpartition(":service/")[2].split("/"))
        seen = next(
            filter(None, (self._look(client, c, name) for c in ([cluster] if cluster else candidates(client)))), None
        )
        if seen is None:
            help = "Give its ARN, or CLUSTER/NAME: 'aws ecs list-services --cluster CLUSTER' shows what there is."
            raise Terminal(f"there is no ECS service '{id}'", help)
        tags = tag_map(seen.get("tags"))
        if tags.get(HOME) and tags.get(HOME) != client.home:
            where = f"as '{tags.get(ADDRESS)}' of the environment '{tags.get(ENVIRONMENT, '')}'"
            help = (
                "Let go of it there: destroy with '--on-unmanage detach'. If that state is gone: "
                f"aws ecs untag-resource --resource-arn {seen['serviceArn']} --tag-keys {HOME} {TOKEN}."
            )
            raise Terminal(f"another state owns it, {where} ({HOME}: {tags[HOME]})", help)
        if tags.get(TOKEN) and not client.ours(tags, token):
            raise Terminal(f"it belongs to '{tags.get(ADDRESS)}' already", "Destroy that one first.")
        about = {"cluster": str(seen["clusterArn"]), "service": str(seen["serviceName"])}
        self._shelf(client).put(self._card(client, token), **about)
        marks = tag_list(client.marks(token), "key", "value")
        client.call("ecs", "tag_resource", resourceArn=seen["serviceArn"], tags=marks)
        return self._look(client, about["cluster"], about["service"]) or seen

    def release(self, client: Client, seen: Seen, token: str) -> None:
        """Its tags go; it runs on."""
        client.call("ecs", "untag_resource", resourceArn=seen["serviceArn"], tagKeys=[*client.marks(token)])
        self._shelf(client).drop(self._card(client, token))

    def given(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Where it runs, and what starts its tasks."""
        found = picked(raised(seen), wish, *_FIXED)
        if "Cluster" in wish:
            arn = str(seen["clusterArn"])
            found["Cluster"] = wish["Cluster"] if wish["Cluster"] in (arn, arn.rpartition("/")[2]) else arn
        return {**found, **picked(wish, wish, *_OURS)}

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """With its tasks."""
        client.call("ecs", "delete_service", cluster=seen["clusterArn"], service=seen["serviceName"], force=True)

    def gone(self, client: Client, seen: Seen, token: str) -> bool:
        """It drains: gone once it is inactive, so that what its tasks used can go."""
        if self._look(client, str(seen["clusterArn"]), str(seen["serviceName"])) is not None:
            return False
        self._shelf(client).drop(self._card(client, token))
        return True

    def _shelf(self, client: Client) -> Shelf:
        return Shelf(client.folder)

    def _card(self, client: Client, token: str) -> str:
        return f"service-{client.digest(token)[:32]}"

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["serviceArn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """What can be changed of it, as far as it is wished for."""
        up = raised({k: v for k, v in seen.items() if k not in ("deployments", "events", "tags", "createdAt")})
        found = picked(
            up, wish, "TaskDefinition", "DesiredCount", "LoadBalancers", "ServiceRegistries", "EnableExecuteCommand",
            "HealthCheckGracePeriodSeconds", "PlatformVersion", "CapacityProviderStrategy",
        )  # fmt: skip
        for name in ("DeploymentConfiguration", "NetworkConfiguration"):
            if isinstance(wish.get(name), Mapping) and isinstance(up.get(name), Mapping):
                found[name] = _like(up[name], wish[name])
        if wish.get("PlatformVersion") == "LATEST":
            found.pop("PlatformVersion", None)
        return found

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN and name."""
        return {"ServiceArn": seen["serviceArn"], "Name": seen["serviceName"]}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """How its rollout goes; tasks that stopped are asked for only where it does not go well."""
        deployment = primary(seen)
        unwell = deployment.get("rolloutState", "COMPLETED") != "COMPLETED"
        unwell = unwell or seen.get("runningCount", 0) < seen.get("desiredCount", 0)
        tasks = stopped(client, str(seen["clusterArn"]), seen) if unwell else []
        seconds = wish.get("DeadlineSeconds")
        return judge(seen, tasks, datetime.now(UTC), float(seconds) if isinstance(seconds, int | float) else DEADLINE)


def _like(there: Any, wish: Any) -> Any:
    """What is there, cut to what is wished for, with lists in the order of the wish where they hold the same."""
    if isinstance(there, Mapping) and isinstance(wish, Mapping):
        return {k: _like(there[k], v) for k, v in wish.items() if k in there}
    if isinstance(there, list) and isinstance(wish, list | tuple) and len(there) == len(wish):
        if all(item in there for item in wish):
            return list(wish)
        return [_like(a, b) for a, b in zip(there, wish, strict=True)]
    return there
