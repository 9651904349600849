"""The sample `todo` on a real Docker engine: the way in, the secret, the volume that outlives its cache, replicas; and nothing is left."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.looking import nothing_new
from tests.ports import free
from tests.providers.docker.proxy_image import provide

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
TOOL = ROOT.parent / "shared" / "tools" / "docker-up"
ULNA = Path(sys.executable).parent / "ulna"
SECRET = "planted-0815-secret"
IMAGES = ("-p", "python=localhost/python:3", "-p", "redis=localhost/redis:7")


class Todo:
    """A folder with the sample and a state of its own, and one environment of kind docker."""

    def __init__(self, folder: Path) -> None:
        if not TOOL.exists():
            pytest.skip("shared/tools is not there")
        run = subprocess.run([TOOL, "--images"], capture_output=True, text=True, timeout=1800, check=False)
        if run.returncode == 69:
            pytest.skip(run.stderr.splitlines()[-1])
        assert run.returncode == 0, run.stderr
        import docker

        self.host = shlex.split(run.stdout)[1].partition("=")[2]
        self.api = docker.APIClient(base_url=self.host, version="auto", timeout=300)
        self.image = provide(self.api)
        self.folder = folder
        shutil.copytree(ROOT / "samples" / "todo", folder / "todo")
        environment = folder / "todo" / "docker.bicep"  # with a port that nobody takes while the gateway is stopped
        text = environment.read_text()
        assert text.count("image: gatewayImage\n") == 1
        environment.write_text(text.replace("image: gatewayImage\n", f"image: gatewayImage\n        port: {free()}\n"))

    def run(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
        env = {**kept, "NO_COLOR": "1", "DOCKER_HOST": self.host}
        run = subprocess.run(
            [ULNA, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=600, check=False, env=env
        )
        assert run.returncode in ok, run.stdout + run.stderr
        assert SECRET not in run.stdout + run.stderr
        return run.stdout + run.stderr

    def app(self, verb: str, *more: str, ok: tuple[int, ...] = (0,)) -> str:
        return self.run(verb, "todo/app.bicep", "-e", "docker", "-p", f"password={SECRET}", *IMAGES, *more, ok=ok)

    def deploy(self, *more: str) -> str:
        lines = [line for line in self.app("deploy", *more, "--format", "json").splitlines() if line.startswith("{")]
        url: str = json.loads(lines[-1])["outputs"]["url"]
        return url

    def left(self) -> list[Any]:
        """What the engine has of ours."""
        home = next((f.read_text() for f in self.folder.glob(".ulna/docker/docker/home")), "nothing was made yet")
        filters = {"label": f"ulna.home={home}"}
        found = [c["Names"][0] for c in self.api.containers(all=True, filters=filters)]
        found += [n["Name"] for n in self.api.networks(filters=filters)]
        return found + [v["Name"] for v in self.api.volumes(filters=filters)["Volumes"] or []]


@pytest.fixture(scope="module")
def todo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Todo]:
    made = Todo(tmp_path_factory.mktemp("todo"))
    made.run("deploy", "todo/docker.bicep", "-p", f"gatewayImage={made.image}")
    yield made
    made.run("destroy", "app", "-e", "docker", "--yes", ok=(0, 1, 2))
    assert not made.left()


def fetch(url: str, form: dict[str, str] | None = None) -> str:
    with urlopen(url, urlencode(form).encode() if form else None, timeout=30) as answer:
        return str(answer.read().decode())


def test_the_list_is_kept_through_the_gateway(todo: Todo) -> None:
    url = todo.deploy()
    assert "<h1>To do</h1>" in fetch(url)
    assert "milk &amp; honey" in fetch(url, {"add": "milk & honey"})
    assert json.loads(fetch(f"{url}/api/")) == ["milk & honey"]
    with nothing_new(todo.folder):
        assert "no changes" in todo.app("deploy")


def test_three_web_fronts_answer_and_one_again(todo: Todo) -> None:
    url = todo.deploy("-p", "replicas=3", "-p", "title=Ours")
    seen: set[str] = set()
    end = time.monotonic() + 180
    while len(seen) < 3 and time.monotonic() < end:
        page = fetch(url)
        assert "<h1>Ours</h1>" in page
        seen |= set(re.findall(r"<small>(.*?)</small>", page))
    assert len(seen) == 3
    assert "milk" in fetch(todo.deploy())


def test_the_volume_outlives_the_cache(todo: Todo) -> None:
    file = todo.folder / "todo" / "app.bicep"
    text = file.read_text()
    file.write_text(text.replace("      image: redis\n", "      image: redis\n      workingDir: '/data'\n"))
    said = todo.app("deploy")
    assert "replaced  app/store/store-0" in said
    assert json.loads(fetch(f"{todo.deploy()}/api/")) == ["milk & honey"]


def test_what_somebody_changed_on_the_engine_is_shown_and_put_right(todo: Todo) -> None:
    gate = next(c for c in todo.api.containers(filters={"label": "ulna.container=entry"}))
    todo.api.stop(gate["Id"], timeout=1)
    assert "stopped" in todo.app("plan", "--exit-code", ok=(2,))
    assert "<h1>" in fetch(todo.deploy())


def test_nothing_is_left(todo: Todo) -> None:
    todo.run("destroy", "app", "-e", "docker", "--yes")
    assert not todo.left()
    held = [f for f in (todo.folder / ".ulna").rglob("*") if f.is_file() and SECRET.encode() in f.read_bytes()]
    assert not held
    todo.run("destroy", "todo/docker.bicep", "--yes")
