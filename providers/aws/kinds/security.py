"""Security groups: their rules are brought to what is wished, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list
from providers.aws.kinds.network import Ec2Thing
from providers.aws.refusals import Absent, Taken

Rule = dict[str, Any]
_SIDES = (
    ("SecurityGroupIngress", "IpPermissions", "ingress"),
    ("SecurityGroupEgress", "IpPermissionsEgress", "egress"),
)


class SecurityGroup(Ec2Thing):
    """What is wished of a side is all there is on it; a side that is not wished for is left alone."""

    def __init__(self) -> None:
        super().__init__(
            "AWS.EC2/SecurityGroup", "security_group", "security-group", "SecurityGroup", ("GroupDescription", "VpcId")
        )

    @property
    def _id(self) -> str:
        return "GroupId"

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With a name of its own; the rules come with `update`."""
        marks = [{"ResourceType": self.tag, "Tags": tag_list(client.marks(token))}]
        name = wish.get("GroupName") or client.name(token)
        about = {"GroupName": name, "Description": wish["GroupDescription"], "VpcId": wish["VpcId"]}
        made = client.call("ec2", "create_security_group", **about, TagSpecifications=marks)
        return self._look(client, made["GroupId"])

    def _look(self, client: Client, id: str) -> Seen:
        seen: Seen = client.call("ec2", "describe_security_groups", GroupIds=[id])["SecurityGroups"][0]
        return seen

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Add what is missing, then take away what is too much."""
        changed = False
        for name, key, side in _SIDES:
            if name not in wish:
                continue
            there, wanted = list(rules(seen.get(key) or ())), [_plain(r) for r in wish[name]]
            for rule in (r for r in wanted if _bare(r) not in map(_bare, there)):
                changed = True
                with suppress(Taken):
                    client.call(
                        "ec2",
                        f"authorize_security_group_{side}",
                        GroupId=seen["GroupId"],
                        IpPermissions=[_native(rule)],
                    )
            for rule in (r for r in there if _bare(r) not in map(_bare, wanted)):
                changed = True
                with suppress(Absent):
                    client.call(
                        "ec2", f"revoke_security_group_{side}", GroupId=seen["GroupId"], IpPermissions=[_native(rule)]
                    )
        return self._look(client, seen["GroupId"]) if changed else seen

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """The rules, those that are wished first and as they are wished."""
        found: dict[str, Any] = {}
        for name, key, _ in _SIDES:
            if name in wish:
                there = [_bare(r) for r in rules(seen.get(key) or ())]
                wanted = list(wish[name])
                kept = [w for w in wanted if _bare(w) in there]
                found[name] = [*kept, *(r for r in there if r not in [_bare(w) for w in wanted])]
        return found

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its id."""
        return {"GroupId": seen["GroupId"], "Id": seen["GroupId"]}


def rules(permissions: Iterable[Mapping[str, Any]]) -> Iterator[Rule]:
    """EC2's permissions, each with several sources, as single rules in a template's words."""
    for permission in permissions:
        start = {k: permission[k] for k in ("IpProtocol", "FromPort", "ToPort") if permission.get(k) is not None}
        for source, key, ours in (
            ("IpRanges", "CidrIp", "CidrIp"),
            ("Ipv6Ranges", "CidrIpv6", "CidrIpv6"),
            ("UserIdGroupPairs", "GroupId", "SourceSecurityGroupId"),
        ):
            for item in permission.get(source) or ():
                about = {"Description": item["Description"]} if item.get("Description") else {}
                yield {**start, ours: item[key], **about}


def _plain(rule: Mapping[str, Any]) -> Rule:
    return dict(rule)


def _bare(rule: Mapping[str, Any]) -> Rule:
    """A rule without what does not decide."""
    bare = {k: v for k, v in rule.items() if k != "Description"}
    if str(bare.get("IpProtocol")) == "-1":
        bare = {k: v for k, v in bare.items() if k not in ("FromPort", "ToPort")}
    return bare


def _native(rule: Mapping[str, Any]) -> Rule:
    about = {"Description": rule["Description"]} if rule.get("Description") else {}
    native: Rule = {k: rule[k] for k in ("IpProtocol", "FromPort", "ToPort") if k in rule}
    if "CidrIp" in rule:
        native["IpRanges"] = [{"CidrIp": rule["CidrIp"], **about}]
    if "CidrIpv6" in rule:
        native["Ipv6Ranges"] = [{"CidrIpv6": rule["CidrIpv6"], **about}]
    group = rule.get("SourceSecurityGroupId") or rule.get("DestinationSecurityGroupId")
    if group:
        native["UserIdGroupPairs"] = [{"GroupId": group, **about}]
    return native
