"""`ulna run` as people use it: it stays, follows its file, stops in order, and takes over what a killed one left."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ULNA = Path(sys.executable).parent / "ulna"
FILE = """
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'api'
  properties: {
    application: app.id
    container: { image: 'none:1', env: { WORD: { value: 'hello' } } }
    runtimes: { process: { command: 'python3', args: ['-u', '-c', PROGRAM] } }
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'none:1' }
    connections: { api: { source: api.id, disableDefaultEnvVars: true } }
    runtimes: { process: { command: 'python3', args: ['-u', '-c', PROGRAM] } }
  }
}
""".replace("PROGRAM", '\'import os, time\\nprint("says", os.environ.get("WORD"), os.getpid())\\ntime.sleep(600)\'')

pytestmark = pytest.mark.e2e


class Running:
    """A run in the background, and what it said so far."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.file = folder / "out.jsonl"
        with self.file.open("w") as out:
            self.process = subprocess.Popen(
                [ULNA, "run", "app.bicep", "--format", "json", *words], cwd=folder, stdout=out, stderr=subprocess.STDOUT
            )

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text().splitlines() if line.startswith("{")]

    def until(self, holds: Callable[[list[dict[str, Any]]], object], seconds: float = 120) -> list[dict[str, Any]]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds(self.lines):
                return self.lines
            assert self.process.poll() is None, self.file.read_text()
            time.sleep(0.05)
        raise AssertionError(self.file.read_text())

    def ready(self, name: str) -> list[dict[str, Any]]:
        return self.until(lambda lines: any(x.get("address") == f"app/{name}" and x["state"] == "ready" for x in lines))

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Running]]:
    (tmp_path / "app.bicep").write_text(FILE)
    runs: list[Running] = []

    def start(*words: str) -> Running:
        runs.append(Running(tmp_path, *words))
        return runs[-1]

    yield start
    for run in runs:
        if run.process.poll() is None:
            run.end(signal.SIGKILL)
    subprocess.run([ULNA, "destroy", "app.bicep", "--yes"], cwd=tmp_path, capture_output=True, check=False)


def pids(lines: list[dict[str, Any]], source: str) -> list[int]:
    return [int(x["line"].split()[-1]) for x in lines if x.get("source") == source and x["line"].startswith("says")]


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_stays_shows_logs_and_ctrl_c_stops_users_first(start):
    run = start()
    run.ready("web")
    lines = run.until(lambda lines: pids(lines, "web-0") and pids(lines, "api-0"))
    (web,), (api,) = pids(lines, "web-0"), pids(lines, "api-0")
    assert lives(web) and lives(api)
    assert run.end() == 130
    assert not lives(web) and not lives(api)
    stopped = [x["address"] for x in run.lines if x.get("state") == "stopped"]
    assert stopped.index("app/web/web-0") < stopped.index("app/api/api-0")


@pytest.mark.parametrize("end", ["hangup", "pipe"])
def test_a_terminal_or_a_pipe_that_is_closed_stops_it_in_order(tmp_path, end):
    program = FILE.replace("time.sleep(600)", "[(print(n, flush=True), time.sleep(1)) for n in range(600)]")
    (tmp_path / "app.bicep").write_text(program)
    words = [ULNA, "run", "app.bicep", "--format", "json"]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    said: list[dict[str, Any]] = []
    try:
        while not (pids(said, "web-0") and pids(said, "api-0")):
            said.append(json.loads(process.stdout.readline()))
        if end == "hangup":
            process.send_signal(signal.SIGHUP)
            process.stdout.read()
        process.stdout.close()
        assert process.wait(120) != 0
        assert not any(lives(p) for p in (*pids(said, "web-0"), *pids(said, "api-0")))
    finally:
        process.kill()
        subprocess.run([ULNA, "destroy", "app.bicep", "--yes"], cwd=tmp_path, capture_output=True, check=False)


@pytest.mark.parametrize(("port", "code"), [("-1", 2), ("65536", 2), ("x", 2), (None, 1)])
def test_a_port_that_cannot_be_is_told_before_anything_runs(tmp_path, port, code):
    (tmp_path / "app.bicep").write_text(FILE)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = [ULNA, "run", "app.bicep", f"--port={port or taken.getsockname()[1]}"]
        ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert (ended.returncode, ended.stdout) == (code, "") and "ULN799" not in ended.stderr, ended.stderr
    assert not (tmp_path / ".ulna" / "default").exists()


def test_the_next_run_starts_again_what_the_first_stopped(start):
    first = start()
    first.ready("web")
    first.end()
    second = start()
    second.until(lambda lines: pids(lines, "web-0"))
    second.ready("web")


def test_keep_leaves_everything_running(start):
    run = start("--keep")
    run.ready("web")
    lines = run.until(lambda lines: pids(lines, "web-0"))
    run.end()
    assert lives(pids(lines, "web-0")[0])


def test_a_changed_file_changes_what_it_says_and_nothing_else(start, tmp_path):
    run = start()
    run.ready("web")
    before = run.until(lambda lines: pids(lines, "web-0") and pids(lines, "api-0"))
    (tmp_path / "app.bicep").write_text(FILE.replace("'hello'", "'changed'"))
    after = run.until(lambda lines: len(pids(lines, "api-0")) == 2)
    assert [x["text"] for x in after if x["kind"] == "change"] == ["~ app/api/api-0", "~ app/api"]
    assert any("says changed" in x["line"] for x in after if x["kind"] == "log")
    assert pids(after, "web-0") == pids(before, "web-0")


def test_a_broken_file_keeps_the_model_and_says_what_is_wrong(start, tmp_path):
    run = start()
    run.ready("web")
    (tmp_path / "app.bicep").write_text(FILE.replace("app.id", "apps.id"))
    run.until(lambda _: "BCP057" in run.file.read_text())
    lines = run.until(lambda lines: any(x["text"] == "the model stays as it was" for x in lines if "text" in x))
    assert not [x for x in lines if x["kind"] == "change"]
    (tmp_path / "app.bicep").write_text(FILE.replace("'hello'", "'mended'"))
    run.until(lambda lines: any("says mended" in x["line"] for x in lines if x["kind"] == "log"))


def test_what_a_killed_run_left_is_taken_over_and_nothing_is_doubled(start):
    first = start()
    first.ready("web")
    (pid,) = pids(first.until(lambda lines: pids(lines, "web-0")), "web-0")
    first.end(signal.SIGKILL)
    assert lives(pid)
    second = start()
    second.ready("web")
    assert set(pids(second.until(lambda lines: pids(lines, "web-0")), "web-0")) == {pid}
    second.end()
    assert not lives(pid)


def test_a_run_in_the_background_is_nobody_elses(tmp_path):
    """Neither a module of the user's folder gets into it, nor another run that cannot begin into its log."""
    (tmp_path / "app.bicep").write_text(FILE)
    for name in ("queue", "json", "engine"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not mine')")

    def ulna(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([ULNA, *words], cwd=tmp_path, capture_output=True, text=True, check=False)

    try:
        first = ulna("run", "app.bicep", "--detach", "--no-dashboard")
        assert first.returncode == 0, first.stderr + first.stdout
        second = ulna("run", "app.bicep", "--detach", "--no-dashboard")
        assert second.returncode == 1 and second.stderr.startswith("error ULN410: "), second.stderr
        assert ulna("wait", "--timeout", "120").returncode == 0
        (log,) = tmp_path.rglob("run.[l0-9]*")
        said = log.read_text()
        assert log.name == "run.log" and "app/web: ready" in said and "ULN410" not in said and "\0" not in said
    finally:
        ulna("stop")
        ulna("destroy", "app.bicep", "--yes")
