"""The verbs that speak to a run in the background: the installed command, from begin to end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.staged import APP, container
from tests.live.test_desk import COMMANDS, SHOP

ULNA = Path(sys.executable).parent / "ulna"
pytestmark = pytest.mark.e2e


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "app.bicep").write_text(SHOP + COMMANDS)
        (path / "more.bicep").write_text(APP + container("extra"))

    def ulna(self, *words: str, code: int = 0) -> str:
        done = subprocess.run([ULNA, *words], cwd=self.path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout + (done.stderr if code else "")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    folder = Folder(tmp_path)
    yield folder
    subprocess.run([ULNA, "stop"], cwd=tmp_path, capture_output=True, timeout=120, check=False)
    subprocess.run([ULNA, "destroy", "app.bicep", "--yes"], cwd=tmp_path, capture_output=True, timeout=120, check=False)


def test_a_run_in_the_background_is_told_everything_and_ended(folder):
    assert "runs in the background" in folder.ulna("run", "app.bicep", "--detach")
    folder.ulna("wait", "web")
    assert "app/web/web-0" in folder.ulna("status")
    assert "stop of 'app/web' is done" in folder.ulna("stop", "web")
    assert folder.ulna("why", "web-0", code=1) == "it was stopped by a command; to start it: ulna start web-0\n"
    folder.ulna("wait", "web-0", "--for", "stopped")
    assert "start of 'app/web' is done" in folder.ulna("start", "web")
    assert folder.ulna("why", "web") == "'web' is as it is meant to be.\n"
    folder.ulna("scale", "api", "2")
    assert "api-1" in folder.ulna("status")
    assert "fails" in folder.ulna("command", "api") and "times, tail" in folder.ulna("command", "api")
    assert "hellohello?" in folder.ulna("command", "api", "word", "-p", "tail=?")
    assert "ended with exit code 3" in folder.ulna("command", "api", "fails", code=1)
    assert "api" in folder.ulna("logs", "api")
    assert folder.ulna("logs", "api", "--tail", "0") == ""
    assert len(folder.ulna("logs", "api", "--tail", "1").splitlines()) == 2, "one of each that writes"
    assert "says hello" in folder.ulna("logs", "api", "--since", "1h"), "the run has seen when"
    assert len(folder.ulna("logs", "api", "--since", "1h", "--tail", "1").splitlines()) == 2
    assert "+ app/extra" in folder.ulna("add", "more.bicep")
    folder.ulna("wait", "extra")
    assert "- app/extra" in folder.ulna("remove", "extra")
    assert "~ app/api" in folder.ulna("change", "api", "container.env.WORD.value=other")
    shown = json.loads(folder.ulna("operations", "--format", "json"))["operations"]
    assert [o["command"] for o in shown] == ["stop", "start", "scale", "word", "fails"]
    folder.ulna("stop")
    assert "nobody runs this environment now" in folder.ulna("stop", "web", code=1).lower()
    assert (
        folder.ulna("why", "web-0", code=1) == "it was stopped when its run ended; the next run or deploy starts it\n"
    )


def test_a_wrong_file_is_told_at_once_and_nothing_stays(folder):
    (folder.path / "app.bicep").write_text(APP.replace("environment: environment", "environment: nothing"))
    assert "BCP057" in folder.ulna("run", "app.bicep", "--detach", code=1)
    assert not list(folder.path.rglob("live.json"))


def test_two_runs_of_one_environment_are_refused(folder):
    folder.ulna("run", "app.bicep", "--detach")
    assert "ULN410" in folder.ulna("run", "app.bicep", "--wait", "0.2", code=1)


def test_who_wants_what_a_run_holds_is_told_at_once_and_has_it_once_the_run_was_stopped(folder):
    folder.ulna("run", "app.bicep", "--detach")
    for verb in ("destroy", "app.bicep", "--yes"), ("run", "app.bicep"):
        refused = folder.ulna(*verb, code=1)
        assert "is in use by a run (process" in refused and "'ulna stop'" in refused
        assert "Waiting" not in refused
    folder.ulna("stop")
    folder.ulna("destroy", "app.bicep", "--yes")


def test_what_waits_says_for_how_long_and_gives_up(folder):
    folder.ulna("run", "app.bicep", "--detach")
    assert "not completed within 0.5 s" in folder.ulna(
        "wait", "web-0", "--for", "completed", "--timeout", "0.5", code=1
    )
