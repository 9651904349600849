"""Secrets of Secrets Manager: made and changed here, never read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Health
from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing, Verdict
from providers.aws.refusals import Absent, Taken


class Secret(Thing):
    """A secret, named after its token unless it is given a name. An object as its `SecretString` is kept as JSON."""

    type = "AWS.SecretsManager/Secret"
    forces = ("Name",)

    def find(self, client: Client, token: str) -> Seen | None:
        """By its name; one that is scheduled to be deleted is gone."""
        try:
            seen = client.call("secretsmanager", "describe_secret", SecretId=client.name(token))
        except Absent:
            return None
        return seen if client.ours(tag_map(seen.get("Tags")), token) and not seen.get("DeletedDate") else None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """With its value, under a version that the value gives."""
        about = {k: wish[k] for k in ("Description", "KmsKeyId") if wish.get(k)}
        text = _text(wish)
        try:
            client.call(
                "secretsmanager", "create_secret", Name=client.name(token), SecretString=text,
                ClientRequestToken=self._version(client, token, text), Tags=tag_list(client.marks(token)), **about,
            )  # fmt: skip
        except Taken:
            if self.find(client, token) is None:
                raise
        return self.find(client, token) or {}

    def _version(self, client: Client, token: str, text: str) -> str:
        return client.digest(token, text)[:64]

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Another version, if the value is another."""
        text = _text(wish)
        version = self._version(client, token, text)
        if version == self._current(seen):
            return seen
        call = {"SecretId": seen["ARN"], "SecretString": text, "ClientRequestToken": version}
        client.call("secretsmanager", "put_secret_value", **call)
        return self.find(client, token) or seen

    def _current(self, seen: Seen) -> str:
        stages = seen.get("VersionIdsToStages") or {}
        return next((v for v, names in stages.items() if "AWSCURRENT" in names), "")

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """At once, without the days in which it could be brought back: it can be made again from the template."""
        client.call("secretsmanager", "delete_secret", SecretId=seen["ARN"], ForceDeleteWithoutRecovery=True)

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["ARN"])

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN, and the version that is current."""
        return {"Id": seen["ARN"], "Arn": seen["ARN"], "VersionId": self._current(seen)}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """Ready with a value."""
        return Verdict() if self._current(seen) else Verdict(Health.NOT_READY, "it has no value")


def _text(wish: Properties) -> str:
    value = wish.get("SecretString", "")
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
