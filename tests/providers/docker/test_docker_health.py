"""Verdicts on containers as an engine reports them, without an engine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.contract.operator import Health
from providers.docker import shape
from providers.docker.health import Doctor
from providers.docker.publishing import Publishing
from providers.docker.reading import missing, split

NOW = datetime.now(UTC)
WISH = {"options": {"HostConfig": {"RestartPolicy": {"Name": "unless-stopped"}}}}


class Silent:
    """A client of an engine that has nothing to add."""

    def logs(self, id: str, follow: bool = False, tail: int | str = "all") -> list[bytes]:
        return [b"boom\n"]

    def run(self, id: str, command: list[str], seconds: float) -> int:
        return 1


def ago(seconds: float) -> str:
    return (NOW - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%f") + "123Z"


def inspected(policy: str = "unless-stopped", restarts: int = 0, **state: Any) -> dict[str, Any]:
    state = {"Status": "running", "Running": True, "StartedAt": ago(60), "FinishedAt": "0001-01-01T00:00:00Z", **state}
    host = {"RestartPolicy": {"Name": policy}}
    return {
        "Id": "c",
        "State": state,
        "RestartCount": restarts,
        "HostConfig": host,
        "Config": {"Env": ["P=sesame"], "Labels": {shape.SECRETS: "P"}},
    }


@pytest.mark.parametrize(
    ("found", "health", "message"),
    [
        (inspected(), Health.READY, ""),
        (inspected(Status="created"), Health.STARTING, "not started yet"),
        (inspected(Status="paused"), Health.NOT_READY, "paused"),
        (inspected(Status="removing"), Health.FAILED, "being removed"),
        (inspected(Status="dead"), Health.FAILED, "dead"),
        (inspected(Status="exited", ExitCode=137), Health.FAILED, "stopped outside of Ulna (exit code 137)"),
        (inspected(Status="restarting", Restarting=True, ExitCode=1), Health.STARTING, "exit code 1, and is started again (0 times so far): boom"),
        (inspected(Status="restarting", restarts=5, Restarting=True, ExitCode=1, StartedAt=ago(3), FinishedAt=ago(2)), Health.FAILED, "again and again"),
        (inspected(restarts=5, StartedAt=ago(1), FinishedAt=ago(3)), Health.FAILED, "again and again"),
        (inspected(restarts=5, StartedAt=ago(600), FinishedAt=ago(603)), Health.READY, ""),
        (inspected(Status="restarting", restarts=5, Restarting=True, StartedAt=ago(90), FinishedAt=ago(2)), Health.STARTING, "started again"),
        (inspected(Status="restarting", Restarting=True, OOMKilled=True), Health.STARTING, "more memory than it may"),
        (inspected(Health={"Status": "healthy"}), Health.READY, ""),
        (inspected(Health={"Status": "unhealthy", "Log": [{"ExitCode": 1, "Output": "no sesame\n"}]}), Health.NOT_READY, "fails: no ***"),
        (inspected(Health={"Status": "starting", "Log": []}), Health.STARTING, "first check is not due"),
    ],
)  # fmt: skip
def test_a_container_is_what_its_state_says(found, health, message):
    verdict = Doctor(Silent()).look(found, WISH, NOW)  # type: ignore[arg-type]
    assert verdict.health is health
    assert message in verdict.message
    assert (verdict.look_again is None) == (
        health is Health.READY or "removed" in message or "dead" in message or "outside" in message
    )


@pytest.mark.parametrize(
    ("policy", "code", "ends"),
    [("no", 0, True), ("no", 2, True), ("on-failure", 0, True), ("on-failure", 2, False), ("unless-stopped", 0, False)],
)
def test_an_end_is_meant_where_the_policy_says_so(policy, code, ends):
    wish = {"options": {"HostConfig": {"RestartPolicy": {"Name": policy}}}}
    found = inspected(policy, Status="exited", ExitCode=code)
    verdict = Doctor(Silent()).look(found, wish, NOW)  # type: ignore[arg-type]
    assert (verdict.exit_code == code) is ends
    assert shape.state(found, wish) == ("running" if ends else "stopped")


def test_only_what_an_engine_can_change_is_reported_as_live():
    found = inspected() | {"NetworkSettings": {"Networks": {"local-shop.1234": {}}}}
    found["HostConfig"] |= {"Memory": 5, "Privileged": True}
    wish = {"network": "local-shop", "options": {"HostConfig": {"Memory": 4, "Privileged": False}}}
    live = shape.live(found, wish, {"local-shop": "local-shop.1234"})
    assert live == {"options": {"HostConfig": {"Memory": 5}}, "state": "running", "network": "local-shop"}


def test_the_next_port_is_close_by_and_a_privileged_one_becomes_one_people_remember(tmp_path):
    publishing = Publishing(tmp_path)
    wanted = {"80/tcp": 80, "9000/tcp": 9000}
    ports = publishing.first("app/web#1", wanted)
    assert ports == wanted
    assert publishing.next(ports, wanted, 80) and ports == {"80/tcp": 8080, "9000/tcp": 9000}
    assert publishing.next(ports, wanted, 8080) and ports["80/tcp"] == 8081
    assert publishing.next(ports, wanted, 9000) and ports["9000/tcp"] == 9001
    assert not publishing.next(ports, wanted, 7)
    publishing.keep("app/web#1", {"http": 8081}, {"http": "80/tcp"})
    assert publishing.first("app/web#2", wanted) == {"80/tcp": 8081, "9000/tcp": 9000}
    (tmp_path / "ports.json").write_text("no json")
    assert publishing.first("app/web#2", wanted) == wanted


@pytest.mark.parametrize(
    ("seen", "last", "rest"),
    [
        ([], [], []),
        ([], ["a"], ["a"]),
        (["a"], ["a"], []),
        (["a", "b"], ["a", "b", "c"], ["c"]),
        (["x", "a", "b"], ["b", "c", "d"], ["c", "d"]),
        (["x", "x"], ["x", "x"], []),
        (["a"], ["y", "z"], ["y", "z"]),
    ],
)
def test_what_was_not_sent_is_read_at_the_end(seen, last, rest):
    assert missing(seen, last) == rest


def test_lines_are_put_together_from_pieces():
    assert list(split([b"on", b"e\r\ntw", b"o\n", b"three"])) == ["one", "two", "three"]
