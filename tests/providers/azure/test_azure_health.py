"""How a container group is, by what Azure shows of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.contract.operator import Health
from providers.azure.alike import alike
from providers.azure.health import GROUP, Verdict, judge

NOW = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)


def at(seconds: float) -> str:
    return (NOW + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def view(state: str = "Running", **more: Any) -> dict[str, Any]:
    current = {"state": state, "startTime": at(-60), **more.pop("current", {})}
    return {"restartCount": 0, "currentState": current, "events": [], **more}


def look(
    *views: dict[str, Any],
    policy: str = "Always",
    state: str = "Succeeded",
    probe: Any = None,
    whole: str = "Running",
    **more: Any,
) -> Verdict:
    containers = [{"name": f"c{i}", "properties": {"instanceView": v}} for i, v in enumerate(views)]
    wished = [{"name": c["name"], "properties": {"readinessProbe": probe} if probe else {}} for c in containers]
    properties = {"provisioningState": state, "containers": containers, "instanceView": {"state": whole, **more}}
    return judge(GROUP, {"properties": properties}, {"restartPolicy": policy, "containers": wished}, NOW)


def failed_probe(seconds: float) -> dict[str, Any]:
    return {
        "name": "Unhealthy",
        "type": "Warning",
        "message": "Readiness probe failed: 503",
        "lastTimestamp": at(seconds),
    }


PROBE = {"periodSeconds": 5, "timeoutSeconds": 1}

STATES = {
    "runs": (look(view()), Health.READY, ""),
    "is being made": (look(view(), state="Creating"), Health.STARTING, "Creating"),
    "failed": (look(view(), state="Failed", events=[{"type": "Warning", "message": "no address", "lastTimestamp": at(0)}]), Health.FAILED, "no address"),
    "could not run": (look(whole="Failed"), Health.FAILED, "could not run"),
    "pulls": (look(view("Waiting", events=[{"name": "Failed", "type": "Warning", "message": "Failed to pull", "lastTimestamp": at(-1)}])), Health.STARTING, "Failed to pull"),
    "crashes": (look(view("Waiting", restartCount=5, previousState={"exitCode": 3})), Health.FAILED, "exit code 3"),
    "crashes fast": (look(view(restartCount=5, current={"startTime": at(-2)})), Health.NOT_READY, "started 5 times"),
    "ended": (look(view("Terminated", current={"exitCode": 1})), Health.NOT_READY, "exit code 1"),
    "one of two": (look(view(), view("Waiting")), Health.STARTING, "'c1' is waiting"),
    "too early to tell": (look(view(current={"startTime": at(-1)}), probe=PROBE), Health.STARTING, "being probed"),
    "probe passes": (look(view(), probe=PROBE), Health.READY, ""),
    "probe fails": (look(view(events=[failed_probe(-2)]), probe=PROBE), Health.NOT_READY, "Readiness probe failed: 503"),
    "probe failed once": (look(view(events=[failed_probe(-30)]), probe=PROBE), Health.READY, ""),
    "liveness is no readiness": (look(view(events=[{**failed_probe(-1), "message": "Liveness probe failed"}]), probe=PROBE), Health.READY, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_a_group(name):
    verdict, health, words = STATES[name]
    assert verdict.health is health and words in verdict.message
    if health in (Health.STARTING, Health.NOT_READY):
        assert verdict.look_again


@pytest.mark.parametrize(("policy", "code", "wanted"), [("Never", 3, 3), ("OnFailure", 0, 0), ("Never", 0, 0)])
def test_what_is_meant_to_end_has_its_exit_code(policy, code, wanted):
    assert look(view("Terminated", current={"exitCode": code}), policy=policy).exit_code == wanted


def test_what_failed_is_started_again_on_failure():
    assert look(view("Terminated", current={"exitCode": 2}), policy="OnFailure").exit_code is None


@pytest.mark.parametrize(
    ("state", "health"),
    [("Succeeded", Health.READY), (None, Health.READY), ("Updating", Health.STARTING), ("Canceled", Health.FAILED)],
)
def test_any_other_resource(state, health):
    assert judge("microsoft.network/x", {"properties": {"provisioningState": state}}, {}, NOW).health is health
    assert judge("microsoft.x/y", {"properties": None}, {}, NOW).health is Health.READY


# ---------------------------------------------------------------- the live one in the words of the wish


@pytest.mark.parametrize(
    ("wish", "live", "shown"),
    [
        ("West Europe", "westeurope", "West Europe"),
        ({"id": "/subscriptions/A/x"}, {"id": "/subscriptions/a/X"}, {"id": "/subscriptions/A/x"}),
        ("a" * 50, "A" * 50, "A" * 50),
        ([{"name": "b"}, {"name": "a"}], [{"name": "a", "x": 1}, {"name": "B"}], [{"name": "b"}, {"name": "a", "x": 1}]),
        ([{"name": "a"}], [{"name": "a"}, {"name": "c"}], [{"name": "a"}, {"name": "c"}]),
        ({"/Sub/Me": {}}, {"/sub/me": {"clientId": "c"}}, {"/Sub/Me": {"clientId": "c"}}),
        ({"a": False, "b": [], "c": 1}, {}, {"a": False, "b": []}),
        ([1, 2], [1, 2, 3], [1, 2, 3]),
    ],
)  # fmt: skip
def test_spelling_order_and_what_is_filled_in_are_no_differences(wish, live, shown):
    assert alike(wish, live) == shown
