"""ECS task definitions: a family for each, and a revision for each change.

A service that runs on a revision goes on with it when it is deregistered, so the old one can go at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing
from providers.aws.words import lowered

DIGEST = "ulna.digest"


class TaskDefinition(Thing):
    """The newest active revision of its family that is ours."""

    type = "AWS.ECS/TaskDefinition"

    def find(self, client: Client, token: str) -> Seen | None:
        """The newest revision with the token."""
        return next(iter(self._revisions(client, token)), None)

    def _revisions(self, client: Client, token: str) -> list[Seen]:
        family = client.name(token)
        answer = client.all(
            "ecs", "list_task_definitions", "taskDefinitionArns", familyPrefix=family, status="ACTIVE", sort="DESC"
        )
        found: list[Seen] = []
        for arn in answer:
            seen = client.call("ecs", "describe_task_definition", taskDefinition=arn, include=["TAGS"])
            if client.ours(tag_map(seen.get("tags")), token):
                found.append({**seen["taskDefinition"], "tags": seen.get("tags") or []})
        return sorted(found, key=lambda t: -int(t["revision"]))

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """The first revision."""
        return self._register(client, token, wish)

    def _register(self, client: Client, token: str, wish: Properties) -> Seen:
        body = {k: v for k, v in lowered(wish).items() if k not in ("family", "tags") and v is not None}
        marks = {**client.marks(token), DIGEST: self._digest(client, wish)}
        tags = tag_list(marks, "key", "value")
        answer = client.call("ecs", "register_task_definition", family=client.name(token), tags=tags, **body)
        return {**answer["taskDefinition"], "tags": tags}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Another revision, unless the newest is the same; then older ones go."""
        if tag_map(seen.get("tags")).get(DIGEST) != self._digest(client, wish):
            seen = self._register(client, token, wish)
        for old in self._revisions(client, token):
            if old["revision"] < seen["revision"]:
                client.call("ecs", "deregister_task_definition", taskDefinition=old["taskDefinitionArn"])
        return seen

    def _digest(self, client: Client, wish: Properties) -> str:
        return client.digest(json.dumps(wish, sort_keys=True))[:32]

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Every revision: deregistered, then deleted, which AWS does once nothing runs on it."""
        arns = [str(r["taskDefinitionArn"]) for r in self._revisions(client, token)]
        for arn in arns:
            client.call("ecs", "deregister_task_definition", taskDefinition=arn)
        for at in range(0, len(arns), 10):
            client.call("ecs", "delete_task_definitions", taskDefinitions=arns[at : at + 10])

    def id(self, seen: Seen) -> str:
        """Its ARN, with the revision."""
        return str(seen["taskDefinitionArn"])

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """The ARN of the revision."""
        return {"TaskDefinitionArn": seen["taskDefinitionArn"]}
