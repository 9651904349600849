"""How a rollout goes, in words: from what ECS says of a service and of the tasks that stopped."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.contract.operator import Applied, Health, Order, Replace
from engine.contract.resource import Resource
from providers.aws.client import Client
from providers.aws.kinds.rollout import judge, reason
from providers.aws.native import NativeOperator
from providers.aws.target import Target

NOW = datetime(2026, 12, 1, tzinfo=UTC)
PULL = {"stopCode": "TaskFailedToStart", "stoppedReason": "CannotPullContainerError: no such image", "stoppedAt": "1"}
EXIT = {
    "stopCode": "EssentialContainerExited",
    "stoppedReason": "Essential container in task exited",
    "stoppedAt": "2",
    "containers": [{"name": "web", "exitCode": 137}, {"name": "proxy", "exitCode": 0}],
}


def service(state: str, running: int = 0, age: float = 10, **more: Any) -> dict[str, Any]:
    began = NOW - timedelta(seconds=age)
    deployment = {"status": "PRIMARY", "rolloutState": state, "createdAt": began, "updatedAt": NOW}
    return {"desiredCount": 2, "runningCount": running, "deployments": [{**deployment, **more}]}


@pytest.mark.parametrize(
    ("seen", "stopped", "health", "words"),
    [
        (service("COMPLETED", 2), [], Health.READY, ""),
        (service("IN_PROGRESS", 1), [], Health.STARTING, "1 of 2 tasks run"),
        (service("IN_PROGRESS"), [PULL], Health.STARTING, "0 of 2 tasks run; CannotPullContainerError: no such image"),
        (service("COMPLETED", 1), [EXIT], Health.NOT_READY, "'web' ended with exit code 137 (killed, out of memory perhaps)"),
        (service("IN_PROGRESS", age=901), [PULL], Health.FAILED, "was not complete after 900 s: 0 of 2 tasks run; CannotPull"),
        (service("FAILED", rolloutStateReason="circuit breaker was triggered."), [EXIT, PULL], Health.FAILED, "triggered: Essential"),
    ],
)  # fmt: skip
def test_a_rollout_in_words(seen: dict[str, Any], stopped: list[Any], health: Health, words: str) -> None:
    verdict = judge(seen, stopped, NOW, 900)
    assert verdict.health is health and words in verdict.message


def test_tasks_that_were_to_stop_are_no_reason() -> None:
    assert (
        reason([{"stopCode": "ServiceSchedulerInitiated", "stoppedReason": "Scaling activity initiated by deployment"}])
        == ""
    )


@pytest.mark.parametrize(
    ("type", "name", "order"),
    [
        ("ECS/Service", "LaunchType", Order.CREATE_FIRST),
        ("ElasticLoadBalancingV2/TargetGroup", "Port", Order.CREATE_FIRST),
        ("ElasticLoadBalancingV2/LoadBalancer", "Scheme", Order.CREATE_FIRST),
        ("EC2/Route", "DestinationCidrBlock", Order.DELETE_FIRST),
    ],
)
def test_what_is_named_after_its_token_lives_beside_its_successor(
    type: str, name: str, order: Order, tmp_path: Path
) -> None:
    (tmp_path / "home").write_text("12345678")
    client = Client(tmp_path, Target("dev", "1", "eu-west-1"))
    wish = Resource("app/it", f"AWS.{type}", "default", "it", "/it", {"properties": {name: "b"}})
    found = NativeOperator(client).diff(wish, Applied({"properties": {name: "a"}}), None)
    assert isinstance(found, Replace) and found.order is order
    assert client.name("app/it#1", 32) != client.name("app/it#2", 32), "two lives have two names"
