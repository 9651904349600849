"""The compute kind `process` through the whole pipeline, with real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

SHOP = """
extension radius
param environment string
param replicas int = 2
@secure()
param key string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource migrate 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'migrate'
  properties: {
    application: app.id
    container: { image: 'shop/migrate', env: { KEY: { value: key } } }
    restartPolicy: 'Never'
    runtimes: { process: { command: 'sh', args: ['-c', 'sleep 0.4; test -n "$KEY" && touch migrated'] } }
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'shop/web', ports: { http: { containerPort: PORT } } }
    connections: {
      migrate: { source: migrate.id, waitFor: 'completed', disableDefaultEnvVars: true }
    }
    extensions: [{ kind: 'manualScaling', replicas: replicas }]
    runtimes: { process: { command: 'sh', args: ['-c', 'test -e migrated && exec python3 server.py'] } }
  }
}
output url string = web.properties.endpoints.http
"""
SECRET = "the-key-of-the-shop"
Ulna = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def ulna(tmp_path: Path, server: str, free_port: int) -> Iterator[Ulna]:
    (tmp_path / "shop.bicep").write_text(SHOP.replace("PORT", str(free_port)))
    (tmp_path / "server.py").write_text(server.replace('os.environ.get("NAME", "?")', "str(os.getpid())"))
    env = os.environ | {"ULNA_STATE": str(tmp_path / "state"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    program = "import sys; from engine.cli.main import main; sys.exit(main())"

    def run(*arguments: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, *arguments]
        result = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert code in (None, result.returncode), result.stdout + result.stderr
        return result

    yield run
    run("destroy", "shop.bicep", "--yes", code=None)
    assert not [f for f in (tmp_path / "state" / "default").rglob("*") if f.is_file()], "nothing is left"


def ask(port: int) -> int:
    with urllib.request.urlopen(f"http://localhost:{port}/", timeout=5) as answer:
        return int(answer.read())


def test_a_shop_waits_for_its_job_scales_without_a_restart_and_heals(ulna, tmp_path, free_port, alive):
    key = f"key={SECRET}"
    first = ulna("deploy", "shop.bicep", "-p", key)
    assert f"http://localhost:{free_port}" in first.stdout
    pids = {ask(free_port) for _ in range(8)}
    assert len(pids) == 2

    again = ulna("deploy", "shop.bicep", "-p", key)
    assert "no changes" in again.stdout

    ulna("deploy", "shop.bicep", "-p", key, "-p", "replicas=3")
    more = {ask(free_port) for _ in range(12)}
    assert pids < more and len(more) == 3
    ulna("deploy", "shop.bicep", "-p", key, "-p", "replicas=1")
    (one,) = {ask(free_port) for _ in range(6)}
    assert one in pids

    supervisor = (
        int(Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[1]) if sys.platform == "linux" else 0
    )
    if supervisor:
        os.kill(supervisor, signal.SIGKILL)
        healed = ulna("deploy", "shop.bicep", "-p", key, "-p", "replicas=1")
        assert "web/web-0" in healed.stdout and not alive(one)
        assert ask(free_port) != one

    for file in (tmp_path / "state").rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file


def test_a_mistake_is_found_before_anything_starts(ulna, tmp_path):
    file = tmp_path / "shop.bicep"
    file.write_text(
        file.read_text().replace(
            "runtimes: { process: { command: 'sh', args: ['-c', 'test -e",
            "runtimes: { aci: { command: 'sh', args: ['-c', 'test -e",
        )
    )
    said = ulna("deploy", "shop.bicep", "-p", f"key={SECRET}", code=1)
    assert "ULN320" in said.stderr + said.stdout and "runtimes: { process:" in said.stderr + said.stdout
    assert not (tmp_path / "migrated").exists()
    assert not list((tmp_path / "state").rglob("wish.json"))


def test_a_container_gets_another_name_and_keeps_its_port(ulna, tmp_path, free_port):
    key = f"key={SECRET}"
    ulna("deploy", "shop.bicep", "-p", key, "-p", "replicas=1")
    before = ask(free_port)
    file = tmp_path / "shop.bicep"
    file.write_text(
        file.read_text().replace("name: 'web'", "name: 'front'").replace("exec python3", "exec env X=1 python3")
    )
    ulna("deploy", "shop.bicep", "-p", key, "-p", "replicas=1")
    assert ask(free_port) != before
    assert "no changes" in ulna("deploy", "shop.bicep", "-p", key, "-p", "replicas=1").stdout
    assert ulna("logs", "front", code=None).returncode == 0
