"""The sample `hello` on a real Docker engine: deployed, changed, scaled, broken, destroyed; and nothing is left."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
TOOL = ROOT.parent / "shared" / "tools" / "docker-up"
ULNA = Path(sys.executable).parent / "ulna"
IMAGE = ("-p", "image=localhost/python:3")
PLAIN = """    runtimes: {
      process: {
        command: 'python3'
        args: ['backend.py']"""
THREE = f"    extensions: [ {{ kind: 'manualScaling', replicas: 3 }} ]\n{PLAIN}"


@pytest.fixture(scope="module")
def engine() -> str:
    if not TOOL.exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([TOOL, "--fresh", "--images"], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    return shlex.split(run.stdout)[1].partition("=")[2]


class Shell:
    """A folder with the sample and a state of its own."""

    def __init__(self, folder: Path, host: str) -> None:
        import docker

        self.folder = folder
        self.host = host
        self.api = docker.APIClient(base_url=host, version="auto")
        self.app = folder / "hello" / "app.bicep"
        shutil.copytree(ROOT / "samples" / "hello", folder / "hello")

    def environment(self, **more: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
        return {**kept, "DOCKER_HOST": self.host, "NO_COLOR": "1", **more}

    def run(self, *arguments: str, ok: Sequence[int] = (0,), **more: str) -> str:
        run = subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert run.returncode in ok, f"{arguments}: exit {run.returncode}\n{run.stdout}\n{run.stderr}"
        assert "Traceback" not in run.stderr
        return run.stdout + run.stderr

    def deploy(self, *arguments: str, ok: Sequence[int] = (0,)) -> str:
        limit = () if "--timeout" in arguments else ("--timeout", "240")
        return self.run("deploy", "hello/app.bicep", "-e", "docker", *IMAGE, *arguments, *limit, ok=ok)

    def edit(self, old: str, new: str) -> None:
        text = self.app.read_text()
        assert old in text
        self.app.write_text(text.replace(old, new))

    @property
    def home(self) -> str:
        return next((f.read_text() for f in self.folder.glob(".ulna/docker/docker/home")), "nothing was made yet")

    def containers(self) -> dict[str, dict[str, Any]]:
        """What the engine runs of ours, by name without the identity."""
        found = self.api.containers(all=True, filters={"label": f"ulna.home={self.home}"})
        return {c["Names"][0].strip("/").partition(".")[0]: c for c in found}

    def ids(self) -> dict[str, str]:
        return {name: c["Id"] for name, c in self.containers().items()}

    def left(self) -> list[Any]:
        filters = {"label": f"ulna.home={self.home}"}
        volumes = self.api.volumes(filters=filters)["Volumes"] or []
        return [*self.containers(), *(n["Name"] for n in self.api.networks(filters=filters)), *volumes]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory, engine: str) -> Iterator[Shell]:
    made = Shell(tmp_path_factory.mktemp("docker"), engine)
    made.run("deploy", "hello/docker.bicep")
    yield made
    made.run("destroy", "hello/app.bicep", "-e", "docker", "--yes", ok=(0, 1))
    try:
        assert not made.left()
    finally:
        for container in made.containers().values():
            made.api.remove_container(container["Id"], force=True, v=True)
        made.api.close()


def fetch(url: str) -> str:
    with urlopen(url, timeout=60) as answer:
        return answer.read().decode()


def url(text: str) -> str:
    return next(line.split()[-1] for line in text.splitlines() if line.strip().startswith("url:"))


def test_both_containers_answer_through_the_published_port(shell: Shell) -> None:
    planned = shell.run("plan", "hello/app.bicep", "-e", "docker", *IMAGE, "-v")
    assert "Ulna.Docker/containers/web-0" in planned and "runtimes.process is ignored" in planned
    said = shell.deploy()
    assert fetch(url(said)) == "web heard: Hello from the backend\n"
    assert set(shell.ids()) == {"docker-hello-web-0", "docker-hello-backend-0"}
    assert "GET / " in shell.run("logs", "web", "-e", "docker")
    ports = [p for c in shell.containers().values() for p in c["Ports"]]
    assert {p.get("IP") for p in ports} == {"127.0.0.1"}


def test_a_second_deploy_changes_nothing(shell: Shell) -> None:
    before = shell.ids()
    with nothing_new(shell.folder):
        assert "no changes" in shell.deploy()
    shell.run("plan", "hello/app.bicep", "-e", "docker", *IMAGE, "--exit-code")
    assert shell.ids() == before


def test_an_edit_restarts_that_container_only(shell: Shell) -> None:
    before = shell.ids()
    said = shell.deploy("-p", "greeting=Moin")
    assert fetch(url(said)) == "web heard: Moin from the backend\n"
    after = shell.ids()
    assert {name for name in after if after[name] != before[name]} == {"docker-hello-backend-0"}
    shell.deploy()


def test_what_somebody_changed_is_shown_and_put_right(shell: Shell) -> None:
    shell.api.update_container(shell.ids()["docker-hello-web-0"], restart_policy={"Name": "no"})
    shell.api.stop(shell.ids()["docker-hello-backend-0"], timeout=0)
    planned = shell.run("plan", "hello/app.bicep", "-e", "docker", *IMAGE, "--exit-code", ok=(2,))
    assert "RestartPolicy" in planned and '"stopped" => "running"' in planned and "outside of Ulna" in planned
    before = shell.ids()
    assert fetch(url(shell.deploy())) == "web heard: Hello from the backend\n"
    assert shell.ids() == before


def test_scaling_keeps_the_first_and_shares_a_name(shell: Shell) -> None:
    before = shell.ids()
    shell.edit(PLAIN, THREE)
    said = shell.deploy()
    after = shell.ids()
    assert len(after) == 4 and before.items() <= after.items()
    for _ in range(12):
        assert fetch(url(said)) == "web heard: Hello from the backend\n"
    asked = [
        n
        for n in after
        if "backend" in n and b'"GET / ' in b"".join(shell.api.logs(after[n], stream=True, follow=False))
    ]
    assert len(asked) > 1, "the name leads to several of them"
    shell.edit(THREE, PLAIN)
    shell.deploy()
    assert shell.ids() == before


def test_two_environments_live_side_by_side_and_name_their_engines(shell: Shell) -> None:
    text = (
        (shell.folder / "hello" / "docker.bicep")
        .read_text()
        .replace("'docker'\n  properties", "'second'\n  properties")
    )
    (shell.folder / "second.bicep").write_text(
        text.replace("kind: 'docker'", f"kind: 'docker'\n      host: '{shell.host}'")
    )
    shell.run("deploy", "second.bicep")
    first = url(shell.deploy())
    app = ("hello/app.bicep", "-e", "second")
    nowhere = {"DOCKER_HOST": "unix:///nowhere.sock"}
    second = url(shell.run("deploy", *app, *IMAGE, "-p", "greeting=Moin", **nowhere))
    assert first != second
    assert (fetch(first), fetch(second)) == (
        "web heard: Hello from the backend\n",
        "web heard: Moin from the backend\n",
    )
    shell.run("destroy", *app, "--yes", **nowhere)
    shell.run("destroy", "second.bicep", "--yes")
    assert fetch(first) == "web heard: Hello from the backend\n"


def test_an_engine_that_is_not_there_fails_with_what_to_do(shell: Shell) -> None:
    nowhere = {"DOCKER_HOST": "unix:///nowhere.sock"}
    planned = shell.run("plan", "hello/app.bicep", "-e", "docker", *IMAGE, **nowhere)
    assert "could not be looked at" in planned and "Start Docker" in planned
    said = shell.run(
        "deploy",
        "hello/app.bicep",
        "-e",
        "docker",
        *IMAGE,
        "-p",
        "greeting=x",
        "--timeout",
        "5",
        ok=(1, 2, 3, 4),
        **nowhere,
    )
    assert "the Docker engine at unix:///nowhere.sock cannot be reached" in said and "Start Docker" in said
    shell.deploy()


def test_one_that_never_gets_ready_fails_at_the_deadline_with_the_reason(shell: Shell) -> None:
    text = shell.app.read_text()
    shell.app.write_text(text.replace("containerPort: 8080\n        path", "containerPort: 8089\n        path"))
    said = shell.deploy("--timeout", "20", ok=(1, 2, 3, 4))
    shell.app.write_text(text)
    assert "web-0" in said and "its readiness probe fails" in said and "refused" in said
    shell.deploy()


def test_an_image_that_is_nowhere_fails_with_what_to_do(shell: Shell) -> None:
    said = shell.run(
        "deploy", "hello/app.bicep", "-e", "docker", "-p", "image=127.0.0.1:9/no/such:1", "--timeout", "60", ok=(1,)
    )
    assert "the image '127.0.0.1:9/no/such:1' cannot be pulled" in said and "skipped" in said.lower()
    shell.deploy()
    assert len(shell.ids()) == 2


def test_killed_at_any_moment_it_makes_nothing_twice(shell: Shell) -> None:
    shell.run("destroy", "hello/app.bicep", "-e", "docker", "--yes")
    assert not shell.left()
    for seconds in (0.7, 1.1, 1.6, 2.3):
        process = subprocess.Popen(
            [ULNA, "deploy", "hello/app.bicep", "-e", "docker", *IMAGE],
            cwd=shell.folder,
            env=shell.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert fetch(url(shell.deploy())) == "web heard: Hello from the backend\n"
    assert len(shell.left()) == 3
    tokens = [c["Labels"]["ulna.token"] for c in shell.containers().values()]
    resources = json.loads(shell.run("status", "-e", "docker", "--format", "json").partition("\nwarning")[0])[
        "resources"
    ]
    assert len(set(tokens)) == 2 and {r["id"] for r in resources} >= set(shell.ids().values())


def test_destroying_leaves_nothing(shell: Shell) -> None:
    shell.run("destroy", "hello/app.bicep", "-e", "docker", "--yes")
    assert not shell.left()
    shell.run("destroy", "hello/docker.bicep", "--yes")
    shell.run("deploy", "hello/docker.bicep")
