"""The sample `todo` as processes: the way in, the secret, the volume that outlives its cache, replicas; and nothing is left."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
ULNA = Path(sys.executable).parent / "ulna"
SECRET = "planted-0816-secret"


class Todo:
    """A folder with the sample and a state of its own, and one environment of kind process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "samples" / "todo", folder / "todo")

    def run(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
        run = subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**kept, "NO_COLOR": "1"},
        )
        assert run.returncode in ok, run.stdout + run.stderr
        return run.stdout + run.stderr

    def deploy(self, *more: str) -> str:
        given = ("-p", f"password={SECRET}", *more)
        told = self.run("deploy", "todo/app.bicep", "-e", "local", *given, "--format", "json")
        lines = [line for line in told.splitlines() if line.startswith("{")]
        url: str = json.loads(lines[-1])["outputs"]["url"]
        return url


@pytest.fixture(scope="module")
def todo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Todo]:
    made = Todo(tmp_path_factory.mktemp("todo"))
    made.run("deploy", "todo/process.bicep")
    yield made
    made.run("destroy", "app", "-e", "local", "--yes", ok=(0, 1, 2))


def fetch(url: str, form: dict[str, str] | None = None) -> str:
    with urlopen(url, urlencode(form).encode() if form else None, timeout=60) as answer:
        return answer.read().decode()


def test_the_list_is_kept_through_the_gateway(todo):
    url = todo.deploy()
    assert "<h1>To do</h1>" in fetch(url)
    assert "milk &amp; honey" in fetch(url, {"add": "milk & honey"})
    assert json.loads(fetch(f"{url}/api/")) == ["milk & honey"]
    with nothing_new(todo.folder):
        assert "no changes" in todo.run("deploy", "todo/app.bicep", "-e", "local", "-p", f"password={SECRET}")


def test_three_web_fronts_answer_and_one_again(todo):
    url = todo.deploy("-p", "replicas=3", "-p", "title=Ours")
    seen: set[str] = set()
    end = time.monotonic() + 180
    while len(seen) < 3 and time.monotonic() < end:
        page = fetch(url)
        assert "<h1>Ours</h1>" in page
        seen |= set(re.findall(r"<small>(.*?)</small>", page))
    assert len(seen) == 3
    assert "milk" in fetch(todo.deploy())


def test_the_volume_outlives_the_cache(todo):
    """Another password is another cache; the list is on the volume."""
    text = (todo.folder / "todo" / "app.bicep").read_text()
    changed = text.replace("      image: redis\n", "      image: redis\n      workingDir: '/data'\n")
    assert changed != text
    (todo.folder / "todo" / "app.bicep").write_text(changed)
    url = todo.deploy()
    assert json.loads(fetch(f"{url}/api/")) == ["milk & honey"]


def test_the_secret_is_in_no_log_plan_or_command_line(todo):
    told = todo.run("plan", "todo/app.bicep", "-e", "local", "-p", f"password={SECRET}")
    told += todo.run("state", "show", "app/secrets", "-e", "local") + todo.run("status", "-e", "local")
    assert SECRET not in told
    for name in ("redis", "api", "web"):
        assert SECRET not in todo.run("logs", name, "-e", "local", ok=(0, 1))
    for file in todo.folder.rglob("*"):
        if file.is_file() and SECRET.encode() in file.read_bytes():
            assert file.stat().st_mode & 0o077 == 0 and "secrets" in file.parts, file
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert SECRET.encode() not in path.read_bytes(), path
        except OSError:
            continue


def test_nothing_is_left(todo):
    todo.run("destroy", "app", "-e", "local", "--yes")
    assert "app/" not in todo.run("state", "list", "-e", "local")
    assert not [f for f in (todo.folder / ".ulna").rglob("*") if f.is_file() and SECRET.encode() in f.read_bytes()]
    mine = str(todo.folder)
    running = [p for p in Path("/proc").glob("[0-9]*/cwd") if _link(p).startswith(mine)]
    assert not running
    todo.run("destroy", "todo/process.bicep", "--yes")


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""
