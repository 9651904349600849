"""`ulna import` as people use it: what was made by hand is taken over, planned, mended by a deploy, and goes with the deployment."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.e2e
TOOLS = Path(__file__).parents[3] / "shared" / "tools"
ULNA = Path(sys.executable).parent / "ulna"
KINDS = """
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'here'
  properties: { compute: { kind: 'KIND' } }
}
"""
APP = """
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource data 'Applications.Core/volumes@2023-10-01-preview' = {
  name: 'data'
  properties: { application: app.id, kind: 'persistent' }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'localhost/busybox:1'
      command: ['httpd', '-f', '-p', '8000', '-h', '/data']
      env: { LEVEL: { value: 'info' } }
      ports: { http: { containerPort: 8000 } }
      volumes: { d: { kind: 'persistent', mountPath: '/data', source: data.id, permission: 'write' } }
    }
    runtimes: {
      process: { command: 'python3', args: ['-m', 'http.server', '-b', '127.0.0.1', '$(PORT)'] }
      docker: { StopTimeout: 1 }
    }
  }
}
"""
WEB = "app/web/web-0"


def started(tool: str, *options: str) -> dict[str, str]:
    """What a tool that starts a real system says of it."""
    if not (TOOLS / tool).exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([TOOLS / tool, *options], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    return dict(shlex.split(line)[1].split("=", 1) for line in run.stdout.splitlines())


class Shell:
    """The installed command in a folder."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ULNA_", "AWS_", "AZURE_"))}
        self.folder = folder
        self.environment = {**kept, "NO_COLOR": "1", **environment}

    def __call__(self, *arguments: str, code: int = 0) -> str:
        run = subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        said = run.stdout + run.stderr
        assert run.returncode == code, f"{arguments}: exit {run.returncode}\n{said}"
        assert "Traceback" not in said and "ULN799" not in said, said
        return said

    def refuses(self, code: str, *arguments: str) -> str:
        """What `import` says where it must not."""
        said = self("import", *arguments, code=2 if code == "ULN530" else 1)
        assert f"error {code}: " in said and "help: " in said, said
        return said

    def killed(self, *arguments: str, once: Callable[[], bool]) -> None:
        """Begin a command and kill it as soon as something is so, at the latest when it has ended."""
        run = subprocess.Popen(
            [ULNA, *arguments], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        while run.poll() is None and not once():
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
        run.communicate()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], None]:
    return lambda name, text: (tmp_path / name).write_text(text) and None


# ---------------------------------------------------------------- docker


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[tuple[Shell, Any]]:
    import docker

    shell = Shell(tmp_path, started("docker-up", "--images"))
    api = docker.DockerClient(base_url=shell.environment["DOCKER_HOST"])
    yield shell, api
    for found in api.containers.list(all=True, filters={"name": "ulna-e2e"}):
        found.remove(force=True, v=True)
    for found in (*api.networks.list(names=["ulna-e2e"]), *api.volumes.list(filters={"name": "ulna-e2e"})):
        found.remove()
    api.close()


def test_containers_networks_and_volumes_of_docker(
    engine: tuple[Shell, Any], write: Callable[[str, str], None]
) -> None:
    ulna, api = engine
    write("env.bicep", KINDS.replace("KIND", "docker"))
    write("app.bicep", APP)
    api.networks.create("ulna-e2e")
    api.volumes.create("ulna-e2e")
    run = api.containers.run(
        "localhost/busybox:1", ["sh", "-c", "echo kept >/data/index.html; exec httpd -f -p 8000 -h /data"],
        name="ulna-e2e", detach=True, network="ulna-e2e", environment={"LEVEL": "debug", "TOKEN": "planted-4711"},
        volumes={"ulna-e2e": {"bind": "/data", "mode": "rw"}}, ports={"8000/tcp": ("127.0.0.1", None)}, stop_signal="KILL",
    )  # fmt: skip
    ulna("deploy", "env.bicep")
    file = ("--file", "app.bicep")
    ulna("import", "app/app/network", "ulna-e2e", *file)
    notes = ulna.folder / ".ulna" / "here" / "docker" / "adopted.json"
    before = notes.read_bytes()
    ulna.killed("import", "app/data/volume", "ulna-e2e", *file, once=lambda: notes.read_bytes() != before)
    said = ulna("import", "app/data/volume", "ulna-e2e", *file, code=0)
    assert "now owns Ulna.Docker/volumes 'ulna-e2e'" in said
    assert run.id in ulna("import", WEB, "ulna-e2e", *file)
    assert "now owns" in ulna("import", WEB, run.id, *file), "again gives the same"
    ulna.refuses("ULN533", WEB, "another", *file)
    ulna.refuses("ULN530", "app/nobody", "ulna-e2e", *file)
    said = ulna("plan", "app.bicep")
    assert "1 to replace" in said and '"debug" => "info"' in said and "planted-4711" not in said
    assert "= Ulna.Docker/networks/network" in said and "= Ulna.Docker/volumes/shop-data" in said
    said = ulna("deploy", "app.bicep")
    with urlopen(next(w for w in said.split() if w.startswith("http://")), timeout=30) as answer:
        assert answer.read() == b"kept\n", "the volume is the one that was there"
    assert "no change" in ulna("plan", "app.bicep", "--exit-code")
    (made,) = api.containers.list(all=True, filters={"label": "ulna.application=shop"})
    assert list(made.attrs["NetworkSettings"]["Networks"]) == ["ulna-e2e"]
    ulna("destroy", "app.bicep", "--yes")
    assert not api.containers.list(all=True, filters={"name": "ulna-e2e"})
    assert not api.networks.list(names=["ulna-e2e"]) and not api.volumes.list(filters={"name": "ulna-e2e"})
    kept = b"".join(f.read_bytes() for f in (ulna.folder / ".ulna").rglob("*") if f.is_file())
    assert b"planted-4711" not in kept


# ---------------------------------------------------------------- process


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_and_its_port(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    ulna = Shell(tmp_path, {})
    write("app.bicep", APP.replace("8000", "28344"))
    server = [sys.executable, "-m", "http.server", "-b", "127.0.0.1", "28344"]
    with subprocess.Popen(server, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        try:
            file = ("--file", "app.bicep")
            assert "import ADDRESS NUMBER" in ulna.refuses("ULN532", WEB, str(run.pid), *file)
            ulna("import", "app/web/port-http", "28344", *file)
            ulna.refuses("ULN532", WEB, "4194305", *file)
            ulna("import", WEB, str(run.pid), *file)
            assert "started by hand" in ulna("plan", "app.bicep")
            said = ulna("deploy", "app.bicep")
            assert "http://localhost:28344" in said, "it keeps the port that people know"
            assert run.wait(10) == -signal.SIGTERM
            assert "no change" in ulna("plan", "app.bicep", "--exit-code")
        finally:
            run.kill()
            ulna("destroy", "app.bicep", "--yes")
