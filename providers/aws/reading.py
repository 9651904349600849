"""The lines that tasks wrote, from CloudWatch Logs."""

from __future__ import annotations

import time
from collections.abc import Iterator

from engine.contract.resource import Resource
from providers.aws.client import Client, Seen
from providers.aws.kinds.rollout import primary
from providers.aws.kinds.thing import Thing
from providers.aws.refusals import Absent

PAUSE = 1.0


def lines(
    client: Client, thing: Thing, resource: Resource, token: str, follow: bool, since: float = 0.0
) -> Iterator[str]:
    """Lines of all its tasks, oldest first; with several containers each begins with its name. `follow` waits for more."""
    found = thing.find(client, token)
    groups = _groups(client, found) if found is not None else {}
    names = {name for written in groups.values() for name in written}
    last, seen = int(since * 1000), set[str]()
    while True:
        fresh = sorted(
            (event["timestamp"], event["eventId"], event["logStreamName"], event["message"])
            for group, prefixes in groups.items()
            for event in _events(client, group, last)
            if event["eventId"] not in seen and event["logStreamName"].split("/")[0] in prefixes.values()
        )
        for moment, id, stream, message in fresh:
            seen.add(id)
            last = max(last, moment)
            own = stream.split("/")[1] if stream.count("/") > 1 else ""
            yield f"{own}: {message.rstrip()}" if len(names) > 1 and own else message.rstrip("\n")
        if not follow:
            return
        time.sleep(PAUSE)
        if thing.find(client, token) is None:
            return


def _events(client: Client, group: str, since: int) -> list[Seen]:
    try:
        return client.all("logs", "filter_log_events", "events", logGroupName=group, startTime=since)
    except Absent:
        return []


def _groups(client: Client, seen: Seen) -> dict[str, dict[str, str]]:
    """The log groups of a service or task: for each the containers that write to it, with the prefix of their streams."""
    arn = seen.get("taskDefinitionArn") or primary(seen).get("taskDefinition") or seen.get("taskDefinition")
    if not arn:
        return {}
    try:
        definition = client.call("ecs", "describe_task_definition", taskDefinition=arn)["taskDefinition"]
    except Absent:
        return {}
    groups: dict[str, dict[str, str]] = {}
    for container in definition["containerDefinitions"]:
        options = (container.get("logConfiguration") or {}).get("options") or {}
        if options.get("awslogs-group"):
            prefix = str(options.get("awslogs-stream-prefix") or "")
            groups.setdefault(options["awslogs-group"], {})[container["name"]] = prefix
    return groups
