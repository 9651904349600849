"""Elastic Load Balancing: load balancers, target groups, listeners, rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.contract.operator import Health
from engine.contract.value import Properties
from providers.aws.client import HOME, Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing, Verdict, given, picked
from providers.aws.refusals import Absent

_SERVICE = "elbv2"


def _tags(client: Client, arns: list[str]) -> dict[str, dict[str, str]]:
    """The tags of some of its things, by ARN."""
    found: dict[str, dict[str, str]] = {}
    for at in range(0, len(arns), 20):
        described = client.call(_SERVICE, "describe_tags", ResourceArns=arns[at : at + 20])["TagDescriptions"]
        found |= {d["ResourceArn"]: tag_map(d.get("Tags")) for d in described}
    return found


def _mine(client: Client, things: Iterable[Seen], key: str, token: str) -> Seen | None:
    """Of these, the one under a token."""
    listed = list(things)
    tags = _tags(client, [str(t[key]) for t in listed])
    return next((t for t in listed if client.ours(tags.get(str(t[key])), token)), None)


def _balancers(client: Client) -> Iterator[Seen]:
    """The load balancers that this state made."""
    listed = client.all(_SERVICE, "describe_load_balancers", "LoadBalancers")
    tags = _tags(client, [str(b["LoadBalancerArn"]) for b in listed])
    yield from (b for b in listed if tags.get(str(b["LoadBalancerArn"]), {}).get(HOME) == client.home)


def _listeners(client: Client) -> Iterator[Seen]:
    for balancer in _balancers(client):
        yield from client.all(_SERVICE, "describe_listeners", "Listeners", LoadBalancerArn=balancer["LoadBalancerArn"])


class LoadBalancer(Thing):
    """A load balancer, named after its token."""

    type = "AWS.ElasticLoadBalancingV2/LoadBalancer"
    forces = ("Scheme", "Type", "Name")
    beside = True

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name."""
        try:
            found = client.call(_SERVICE, "describe_load_balancers", Names=[client.name(token, 32)])["LoadBalancers"]
        except Absent:
            return None
        return _mine(client, found, "LoadBalancerArn", token)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags."""
        about = given(wish, "Scheme", "Type", "Subnets", "SecurityGroups", "IpAddressType")
        tags = tag_list(client.marks(token))
        made: Seen = client.call(_SERVICE, "create_load_balancer", Name=client.name(token, 32), Tags=tags, **about)[
            "LoadBalancers"
        ][0]
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Its security groups, subnets and attributes."""
        arn = seen["LoadBalancerArn"]
        there = self.live(seen, wish)
        if "SecurityGroups" in there and there["SecurityGroups"] != list(wish["SecurityGroups"]):
            client.call(
                _SERVICE, "set_security_groups", LoadBalancerArn=arn, SecurityGroups=list(wish["SecurityGroups"])
            )
        if "Subnets" in there and there["Subnets"] != list(wish["Subnets"]):
            client.call(_SERVICE, "set_subnets", LoadBalancerArn=arn, Subnets=list(wish["Subnets"]))
        if wish.get("LoadBalancerAttributes"):
            attributes = list(wish["LoadBalancerAttributes"])
            client.call(_SERVICE, "modify_load_balancer_attributes", LoadBalancerArn=arn, Attributes=attributes)
        return self.find(client, token) or seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """With its listeners."""
        client.call(_SERVICE, "delete_load_balancer", LoadBalancerArn=seen["LoadBalancerArn"])

    def gone(self, client: Client, seen: Seen, token: str) -> bool:
        """It takes a moment."""
        return self.find(client, token) is None

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["LoadBalancerArn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Where it is and who may reach it; orders are those of the wish."""
        subnets = [z["SubnetId"] for z in seen.get("AvailabilityZones") or () if z.get("SubnetId")]
        groups = list(seen.get("SecurityGroups") or ())
        found = picked(seen, wish, "Scheme", "Type")
        for name, there in (("Subnets", subnets), ("SecurityGroups", groups)):
            if wish.get(name) and there:
                found[name] = list(wish[name]) if set(map(str, wish[name])) == set(there) else sorted(there)
        return found

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its address."""
        return {
            "LoadBalancerArn": seen["LoadBalancerArn"],
            "DNSName": seen.get("DNSName", ""),
            "CanonicalHostedZoneID": seen.get("CanonicalHostedZoneId", ""),
            "LoadBalancerName": seen["LoadBalancerName"],
        }

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """It takes a minute or two."""
        state = seen.get("State") or {}
        match state.get("Code", "active"):
            case "active" | "active_impaired":
                return Verdict()
            case "failed":
                return Verdict(Health.FAILED, str(state.get("Reason") or "it could not be made"))
            case other:
                return Verdict(Health.STARTING, f"the load balancer is {other}", look_again=5)


class TargetGroup(Thing):
    """A target group, which ECS fills with the addresses of tasks."""

    type = "AWS.ElasticLoadBalancingV2/TargetGroup"
    forces = ("Protocol", "Port", "VpcId", "TargetType", "ProtocolVersion", "Name")
    beside = True
    _CHECK = (
        "HealthCheckProtocol", "HealthCheckPort", "HealthCheckPath", "HealthCheckIntervalSeconds", "HealthCheckTimeoutSeconds",
        "HealthyThresholdCount", "UnhealthyThresholdCount", "Matcher", "HealthCheckEnabled",
    )  # fmt: skip

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name."""
        try:
            found = client.call(_SERVICE, "describe_target_groups", Names=[client.name(token, 32)])["TargetGroups"]
        except Absent:
            return None
        return _mine(client, found, "TargetGroupArn", token)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags."""
        about = given(wish, "Protocol", "Port", "VpcId", "TargetType", "ProtocolVersion", *self._CHECK)
        tags = tag_list(client.marks(token))
        made: Seen = client.call(_SERVICE, "create_target_group", Name=client.name(token, 32), Tags=tags, **about)[
            "TargetGroups"
        ][0]
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Its health check, and its attributes."""
        arn = seen["TargetGroupArn"]
        check = given(wish, *self._CHECK)
        if any(seen.get(k) != v for k, v in check.items()):
            client.call(_SERVICE, "modify_target_group", TargetGroupArn=arn, **check)
        if wish.get("TargetGroupAttributes"):
            attributes = list(wish["TargetGroupAttributes"])
            client.call(_SERVICE, "modify_target_group_attributes", TargetGroupArn=arn, Attributes=attributes)
        return self.find(client, token) or seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Once no rule uses it."""
        client.call(_SERVICE, "delete_target_group", TargetGroupArn=seen["TargetGroupArn"])

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["TargetGroupArn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """What it checks."""
        return picked(seen, wish, "Protocol", "Port", "VpcId", "TargetType", *self._CHECK)

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN."""
        return {"TargetGroupArn": seen["TargetGroupArn"]}


class Listener(Thing):
    """A port of a load balancer."""

    type = "AWS.ElasticLoadBalancingV2/Listener"
    forces = ("LoadBalancerArn",)

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of our load balancers, by its tags."""
        return _mine(client, _listeners(client), "ListenerArn", token)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags."""
        about = given(wish, "LoadBalancerArn", "Port", "Protocol", "SslPolicy", "Certificates", "DefaultActions")
        made: Seen = client.call(_SERVICE, "create_listener", Tags=tag_list(client.marks(token)), **about)["Listeners"][
            0
        ]
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """All of it."""
        about = given(wish, "Port", "Protocol", "SslPolicy", "Certificates", "DefaultActions")
        if any(_plain(seen.get(k)) != _plain(v) for k, v in about.items()):
            client.call(_SERVICE, "modify_listener", ListenerArn=seen["ListenerArn"], **about)
            return self.find(client, token) or seen
        return seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """With its rules."""
        client.call(_SERVICE, "delete_listener", ListenerArn=seen["ListenerArn"])

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["ListenerArn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Port, protocol and policy."""
        return picked(seen, wish, "Port", "Protocol", "SslPolicy")

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN."""
        return {"ListenerArn": seen["ListenerArn"]}


class ListenerRule(Thing):
    """What goes where."""

    type = "AWS.ElasticLoadBalancingV2/ListenerRule"
    forces = ("ListenerArn",)

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of our listeners, by its tags."""
        for listener in _listeners(client):
            rules = client.all(_SERVICE, "describe_rules", "Rules", ListenerArn=listener["ListenerArn"])
            found = _mine(client, (r for r in rules if not r.get("IsDefault")), "RuleArn", token)
            if found is not None:
                return found
        return None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its tags."""
        about = given(wish, "ListenerArn", "Priority", "Conditions", "Actions", "Transforms")
        made: Seen = client.call(_SERVICE, "create_rule", Tags=tag_list(client.marks(token)), **about)["Rules"][0]
        return made

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Its place in the order, conditions and actions."""
        arn = seen["RuleArn"]
        if str(seen.get("Priority")) != str(wish.get("Priority")):
            order = [{"RuleArn": arn, "Priority": wish["Priority"]}]
            client.call(_SERVICE, "set_rule_priorities", RulePriorities=order)
        if dict(self.live(seen, wish)) != {
            k: v for k, v in wish.items() if k in ("Conditions", "Actions", "Transforms")
        }:
            about = given(wish, "Conditions", "Actions", "Transforms")
            none = {} if wish.get("Transforms") or not seen.get("Transforms") else {"ResetTransforms": True}
            client.call(_SERVICE, "modify_rule", RuleArn=arn, **about, **none)
        return self.find(client, token) or seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """At once."""
        client.call(_SERVICE, "delete_rule", RuleArn=seen["RuleArn"])

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["RuleArn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Conditions, actions and transforms, as far as they are wished for."""
        return {k: _cut(seen.get(k), wish[k]) for k in ("Conditions", "Actions", "Transforms") if k in wish}

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN."""
        return {"RuleArn": seen["RuleArn"]}


def _cut(there: Any, wish: Any) -> Any:
    """What is there, cut to the keys of the wish."""
    if isinstance(there, Mapping) and isinstance(wish, Mapping):
        return {k: _cut(there.get(k), v) for k, v in wish.items()}
    if isinstance(there, list) and isinstance(wish, list | tuple) and len(there) == len(wish):
        return [_cut(a, b) for a, b in zip(there, wish, strict=True)]
    return there


def _plain(value: Any) -> Any:
    """A value without what the service fills in."""
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items() if k not in ("ForwardConfig", "Order", "IsDefault")}
    return value
