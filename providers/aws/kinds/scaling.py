"""Application Auto Scaling: between how many tasks, and by which measure. Both are written the same way when made and when changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.value import Properties
from providers.aws.client import Client, Seen
from providers.aws.kinds.thing import Thing, given, picked

_WHOSE = ("ServiceNamespace", "ResourceId", "ScalableDimension")
_SERVICE = "application-autoscaling"


class ScalableTarget(Thing):
    """The range of a service's tasks."""

    type = "AWS.ApplicationAutoScaling/ScalableTarget"
    forces = _WHOSE

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of ECS, by its tags."""
        for seen in client.all(_SERVICE, "describe_scalable_targets", "ScalableTargets", ServiceNamespace="ecs"):
            arn = seen.get("ScalableTargetARN")
            if arn and client.ours(client.call(_SERVICE, "list_tags_for_resource", ResourceARN=arn).get("Tags"), token):
                return dict(seen)
        return None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Register it."""
        about = given(wish, *_WHOSE, "MinCapacity", "MaxCapacity", "RoleARN")
        arn = client.call(_SERVICE, "register_scalable_target", **about, Tags=client.marks(token)).get(
            "ScalableTargetARN"
        )
        return {**about, "ScalableTargetARN": arn or ""}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Register it again."""
        about = given(wish, *_WHOSE, "MinCapacity", "MaxCapacity")
        if any(seen.get(k) != v for k, v in about.items()):
            client.call(_SERVICE, "register_scalable_target", **about)
        return {**seen, **about}

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """With its policies."""
        client.call(_SERVICE, "deregister_scalable_target", **{k: seen[k] for k in _WHOSE})

    def id(self, seen: Seen) -> str:
        """What it scales."""
        return f"{seen['ResourceId']}|{seen['ScalableDimension']}"

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """The range."""
        return picked(seen, wish, "MinCapacity", "MaxCapacity")


class ScalingPolicy(Thing):
    """The measure, found by its name."""

    type = "AWS.ApplicationAutoScaling/ScalingPolicy"
    forces = (*_WHOSE, "PolicyName")

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name, which only its token gives."""
        found = client.all(
            _SERVICE, "describe_scaling_policies", "ScalingPolicies",
            ServiceNamespace="ecs", PolicyNames=[client.name(token)],
        )  # fmt: skip
        return next((p for p in found if p["PolicyName"] == client.name(token)), None)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Put it."""
        self._put(client, token, wish)
        return self.find(client, token) or {}

    def _put(self, client: Client, token: str, wish: Properties) -> None:
        about = given(wish, *_WHOSE, "PolicyType", "TargetTrackingScalingPolicyConfiguration")
        client.call(_SERVICE, "put_scaling_policy", PolicyName=client.name(token), **about)

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Put it again."""
        if dict(self.live(seen, wish)) == {k: wish[k] for k in self.live(seen, wish)} and seen:
            return seen
        self._put(client, token, wish)
        return self.find(client, token) or seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """It may have gone with its target."""
        client.call(_SERVICE, "delete_scaling_policy", PolicyName=seen["PolicyName"], **{k: seen[k] for k in _WHOSE})

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen.get("PolicyARN") or seen["PolicyName"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """The measure, as far as it is wished for."""
        name = "TargetTrackingScalingPolicyConfiguration"
        there = seen.get(name)
        if not isinstance(there, Mapping) or not isinstance(wish.get(name), Mapping):
            return {}
        return {name: {k: there[k] for k in wish[name] if k in there}}
