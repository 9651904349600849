"""`Ulna.Ecs/tasks`: a task that is meant to end, run once for each incarnation.

ECS forgets a stopped task after about an hour, so what became of it is kept in the state's folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Health
from engine.contract.private import write
from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.cluster import candidates
from providers.aws.kinds.rollout import reason
from providers.aws.kinds.thing import Thing, Verdict
from providers.aws.refusals import Absent
from providers.aws.words import lowered


class Task(Thing):
    """One task; any change is another run."""

    type = "Ulna.Ecs/tasks"
    forces = ("TaskDefinition", "Cluster", "LaunchType", "NetworkConfiguration", "Overrides", "PlatformVersion")

    def find(self, client: Client, token: str) -> Seen | None:
        """By who started it, which is its token in short; or what is remembered of it."""
        for cluster in candidates(client):
            for status in ("RUNNING", "STOPPED"):
                try:
                    started = client.digest(token)[:32]
                    arns = client.all(
                        "ecs", "list_tasks", "taskArns", cluster=cluster, startedBy=started, desiredStatus=status
                    )
                except Absent:
                    continue
                if arns:
                    found = client.call("ecs", "describe_tasks", cluster=cluster, tasks=arns[:100], include=["TAGS"])
                    mine = [t for t in found["tasks"] if client.ours(tag_map(t.get("tags")), token)]
                    if mine:
                        return self._kept(client, token, mine[0])
        return self._remembered(client, token)

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Run it."""
        body = {
            k: v for k, v in lowered(wish).items() if k not in ("deadlineSeconds", "containerName") and v is not None
        }
        digest = client.digest(token)
        tags = tag_list(client.marks(token), "key", "value")
        answer = client.call(
            "ecs", "run_task", count=1, startedBy=digest[:32], clientToken=digest[:36], tags=tags, **body
        )
        if not answer.get("tasks"):
            from engine.contract.errors import Transient

            failures = "; ".join(str(f.get("reason")) for f in answer.get("failures") or ())
            raise Transient(f"ECS could not place the task: {failures or 'no reason given'}", after=10)
        made: Seen = answer["tasks"][0]
        return made

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Stop it, if it runs."""
        self._file(client, token).unlink(missing_ok=True)
        if seen.get("lastStatus") != "STOPPED":
            client.call("ecs", "stop_task", cluster=seen["clusterArn"], task=seen["taskArn"], reason="removed by Ulna")
        write(self._file(client, token).with_suffix(".gone"), "")

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["taskArn"])

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN."""
        return {"TaskArn": seen["taskArn"]}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """It runs, or ended with an exit code; one that never began has failed."""
        if seen.get("lastStatus") != "STOPPED":
            state = str(seen.get("lastStatus", "")).lower()
            if state == "running":
                return Verdict(look_again=2)
            return Verdict(Health.STARTING, f"the task is {state}", look_again=2)
        name = wish.get("ContainerName")
        containers = seen.get("containers") or []
        own = next((c for c in containers if c.get("name") == name), containers[0] if containers else {})
        if own.get("exitCode") is None:
            return Verdict(Health.FAILED, reason([{**seen, "stopCode": ""}]) or "the task never began")
        return Verdict(exit_code=int(own["exitCode"]), message=reason([seen]) if own["exitCode"] else "")

    # ------------------------------------------------------------ memory

    def _file(self, client: Client, token: str) -> Any:
        return client.folder / "ended" / client.digest(token)[:32]

    def _kept(self, client: Client, token: str, task: Seen) -> Seen | None:
        """The task; one that was removed is nothing, and one that stopped is remembered."""
        file = self._file(client, token)
        if file.with_suffix(".gone").exists():
            return None
        if task.get("lastStatus") == "STOPPED" and not file.exists():
            kept = {k: task.get(k) for k in ("taskArn", "clusterArn", "lastStatus", "stopCode", "stoppedReason")}
            parts = [{k: c.get(k) for k in ("name", "exitCode", "reason")} for c in task.get("containers") or ()]
            write(file, json.dumps({**kept, "containers": parts}))
        return task

    def _remembered(self, client: Client, token: str) -> Seen | None:
        try:
            kept: Seen = json.loads(self._file(client, token).read_text())
        except (OSError, ValueError):
            return None
        return kept
