"""How a rollout goes, in words: from what ECS says of a service, its deployments and the tasks that stopped. Pure but for `stopped`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from engine.contract.operator import Health
from providers.aws.client import Client, Seen
from providers.aws.kinds.thing import Verdict

DEADLINE = 900.0
"""Seconds that a rollout may take where nothing else is said."""


def primary(service: Seen) -> Mapping[str, Any]:
    """The deployment that is to be."""
    return next((d for d in service.get("deployments") or () if d.get("status") == "PRIMARY"), {})


def judge(service: Seen, stopped: Iterable[Seen], now: datetime, deadline: float) -> Verdict:
    """Ready once the rollout is complete; failed when ECS has given up, or when it took too long."""
    deployment = primary(service)
    state = deployment.get("rolloutState", "COMPLETED")
    wanted, running = int(service.get("desiredCount", 0)), int(service.get("runningCount", 0))
    why = reason(stopped)
    if state == "FAILED":
        said = str(deployment.get("rolloutStateReason") or "the deployment failed").rstrip(".")
        return Verdict(Health.FAILED, f"{said}: {why}" if why else said)
    if state == "COMPLETED" and running >= wanted:
        return Verdict(look_again=30)
    words = f"{running} of {wanted} tasks run" + (f"; {why}" if why else "")
    if not why and service.get("events"):
        words += f" ({service['events'][0].get('message', '')})"
    began = deployment.get("createdAt")
    if (
        state != "COMPLETED"
        and isinstance(began, datetime)
        and (now - began.astimezone(UTC)).total_seconds() > deadline
    ):
        return Verdict(Health.FAILED, f"the rollout was not complete after {deadline:g} s: {words}")
    return Verdict(Health.STARTING if state != "COMPLETED" else Health.NOT_READY, words, look_again=2)


def reason(tasks: Iterable[Seen]) -> str:
    """Why the last task stopped, in one line; "" where none did by itself."""
    ended = [t for t in tasks if t.get("stopCode") not in ("ServiceSchedulerInitiated", "UserInitiated")]
    ended = [t for t in ended if not _wanted(str(t.get("stoppedReason") or ""))]
    if not ended:
        return ""
    last = max(ended, key=lambda t: str(t.get("stoppedAt") or t.get("createdAt") or ""))
    words = [str(last.get("stoppedReason") or "a task stopped").strip().rstrip(".")]
    for container in last.get("containers") or ():
        code, said = container.get("exitCode"), container.get("reason")
        if said and said not in words[0]:
            words.append(f"'{container['name']}': {said}")
        elif code:
            words.append(f"'{container['name']}' ended with exit code {code}{_signal(code)}")
    return "; ".join(words)


def _wanted(text: str) -> bool:
    return text.startswith(("Scaling activity", "Service scaling down", "Deployment completed", "Service deleted"))


def _signal(code: int) -> str:
    return {137: " (killed, out of memory perhaps)", 139: " (crashed)", 143: " (asked to end)"}.get(code, "")


def stopped(client: Client, cluster: str, service: Seen) -> list[Seen]:
    """The tasks of its present deployment that stopped lately, as long as ECS remembers them."""
    definition = primary(service).get("taskDefinition")
    name = service["serviceName"]
    arns = client.all(
        "ecs", "list_tasks", "taskArns", cluster=cluster, serviceName=name, desiredStatus="STOPPED", maxResults=100
    )
    if not arns:
        return []
    tasks = client.call("ecs", "describe_tasks", cluster=cluster, tasks=arns[:100])["tasks"]
    return [t for t in tasks if definition is None or t.get("taskDefinitionArn") == definition]
