"""IAM roles, with the policies in them and those attached to them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing
from providers.aws.refusals import Absent


class Role(Thing):
    """A role, named after its token unless it is given a name."""

    type = "AWS.IAM/Role"
    forces = ("RoleName", "Path")

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name."""
        try:
            role = client.call("iam", "get_role", RoleName=client.name(token, 64))["Role"]
        except Absent:
            return None
        return self._whole(client, role) if client.ours(tag_map(role.get("Tags")), token) else None

    def _whole(self, client: Client, role: Seen) -> Seen:
        name = role["RoleName"]
        inline = {
            policy: _document(client.call("iam", "get_role_policy", RoleName=name, PolicyName=policy)["PolicyDocument"])
            for policy in client.all("iam", "list_role_policies", "PolicyNames", RoleName=name)
        }
        attached = client.all("iam", "list_attached_role_policies", "AttachedPolicies", RoleName=name)
        return {**role, "inline": inline, "attached": [p["PolicyArn"] for p in attached]}

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """The bare role; policies come with `update`."""
        about = {k: wish[k] for k in ("Description", "Path", "PermissionsBoundary") if wish.get(k)}
        document = json.dumps(wish["AssumeRolePolicyDocument"])
        made = client.call(
            "iam", "create_role", RoleName=client.name(token, 64), AssumeRolePolicyDocument=document,
            Tags=tag_list(client.marks(token)), **about,
        )  # fmt: skip
        return {**made["Role"], "inline": {}, "attached": []}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Who may take it on, then policies: add, then remove."""
        name = seen["RoleName"]
        trust = wish.get("AssumeRolePolicyDocument")
        if trust is not None and trust != _document(seen.get("AssumeRolePolicyDocument")):
            client.call("iam", "update_assume_role_policy", RoleName=name, PolicyDocument=json.dumps(trust))
        wanted = {p["PolicyName"]: p["PolicyDocument"] for p in wish.get("Policies") or ()}
        for policy, document in wanted.items():
            if seen["inline"].get(policy) != document:
                text = json.dumps(document)
                client.call("iam", "put_role_policy", RoleName=name, PolicyName=policy, PolicyDocument=text)
        for policy in seen["inline"].keys() - wanted.keys() if "Policies" in wish else ():
            client.call("iam", "delete_role_policy", RoleName=name, PolicyName=policy)
        managed = list(wish.get("ManagedPolicyArns") or ())
        for arn in managed:
            if arn not in seen["attached"]:
                client.call("iam", "attach_role_policy", RoleName=name, PolicyArn=arn)
        for arn in (a for a in seen["attached"] if a not in managed) if "ManagedPolicyArns" in wish else ():
            client.call("iam", "detach_role_policy", RoleName=name, PolicyArn=arn)
        return self.find(client, token) or seen

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Its policies first."""
        name = seen["RoleName"]
        for policy in seen["inline"]:
            with suppress(Absent):
                client.call("iam", "delete_role_policy", RoleName=name, PolicyName=policy)
        for arn in seen["attached"]:
            with suppress(Absent):
                client.call("iam", "detach_role_policy", RoleName=name, PolicyArn=arn)
        client.call("iam", "delete_role", RoleName=name)

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["Arn"])

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Its documents and policies, in the order of the wish where they are the same."""
        found: dict[str, Any] = {}
        if "AssumeRolePolicyDocument" in wish:
            found["AssumeRolePolicyDocument"] = _document(seen.get("AssumeRolePolicyDocument"))
        if "Policies" in wish:
            names = [p["PolicyName"] for p in wish["Policies"]]
            order = [*(n for n in names if n in seen["inline"]), *(n for n in seen["inline"] if n not in names)]
            found["Policies"] = [{"PolicyName": n, "PolicyDocument": seen["inline"][n]} for n in order]
        if "ManagedPolicyArns" in wish:
            arns = list(wish["ManagedPolicyArns"])
            there = seen["attached"]
            found["ManagedPolicyArns"] = [*(a for a in arns if a in there), *(a for a in there if a not in arns)]
        return found

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN and name."""
        return {"Arn": seen["Arn"], "RoleName": seen["RoleName"]}


def _document(value: Any) -> Any:
    """A policy, which IAM gives as text in a URL's spelling or, through the SDK, as it is."""
    return json.loads(unquote(value)) if isinstance(value, str) else value
