"""What somebody does to a container is seen at once, and put right: the engine of Docker tells."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from engine.live.watching import Watching
from tests.live.jobs import Folder, api, engine

pytestmark = pytest.mark.e2e


class Broken:
    name = "broken"
    begun = 0

    def watch(self, wake, stopping):
        self.begun += 1
        wake("app/web#1")
        raise OSError("gone")


def test_a_watch_that_breaks_is_begun_again(monkeypatch):
    monkeypatch.setattr("engine.live.watching.AGAIN", 0.01)
    seen: list[str] = []
    broken, watching = Broken(), Watching(seen.append)
    watching.over((broken, broken))  # type: ignore[arg-type]
    end = time.monotonic() + 120
    while broken.begun < 3 and time.monotonic() < end:
        time.sleep(0.01)
    watching.end()
    assert broken.begun >= 3 and set(seen) == {"app/web"}


def test_what_no_platform_tells_of_is_looked_at_by_period(monkeypatch):
    monkeypatch.setattr("engine.live.watching.PERIOD", 0.01)
    monkeypatch.setattr("engine.live.watching.PACE", 1000.0)
    looked, seen = threading.Semaphore(0), set[str]()

    def look(address: str) -> None:
        seen.add(address)
        looked.release()

    watching = Watching(look, lambda: ("app/web", "app/api"))
    watching.over(())
    watching.over(())
    for _ in range(4):
        assert looked.acquire(timeout=120)
    watching.end()
    assert seen == {"app/web", "app/api"}


def test_those_that_hear_the_same_are_listened_to_once():
    heard = threading.Semaphore(0)

    class Twin(Broken):
        source = "engine"

        def watch(self, wake, stopping):
            heard.release()
            while not stopping():
                time.sleep(0.01)

    one, other, watching = Twin(), Twin(), Watching(print)
    one.name, other.name = "containers", "gateways"
    watching.over((one, other))  # type: ignore[arg-type]
    assert heard.acquire(timeout=120)
    assert not heard.acquire(timeout=0.3)
    watching.end()


def test_a_container_that_is_removed_is_missed_at_once(tmp_path: Path):
    host = engine()
    client = api(host)
    folder = Folder(tmp_path, "loadtest", host)
    folder.ulna("deploy", "loadtest/docker.bicep")
    try:
        folder.ulna("run", "loadtest/app.bicep", "-e", "docker", "-p", "python=localhost/python:3", "--detach")
        folder.ulna("wait", "api")
        home = next(folder.path.glob(".ulna/*/docker/home")).read_text()
        (old,) = client.containers(filters={"label": f"ulna.home={home}"})
        time.sleep(2)
        began = time.monotonic()
        client.remove_container(old["Id"], force=True)
        while not [c for c in client.containers(filters={"label": f"ulna.home={home}"}) if c["Id"] != old["Id"]]:
            assert time.monotonic() < began + 20, folder.ulna("status", code=None)
            time.sleep(0.05)
        print("seen after", time.monotonic() - began)
    finally:
        folder.ulna("stop", code=None)
        folder.ulna("destroy", "app", "-e", "docker", "--yes", code=None)
    assert not folder.left()
