"""What is stopped really stops, on a container engine and on a cluster alike; what it uses stays, and it comes back with a start."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.contract.operator import runs as runs_of
from engine.live import rows
from engine.pipeline.destroying import destroy
from engine.pipeline.request import Where
from engine.state.event import Progress
from tests.live.staged import Live

pytestmark = pytest.mark.e2e
TOOLS = Path(__file__).parents[3] / "shared" / "tools"
UP = {
    "docker": ("docker-up", "--images"),
    "kubernetes": ("kubernetes/kube-up", "--node", "--image", "python", "--image", "redis"),
}
NAMES = ("cook", "waiter", "guest")
"""No other test has containers of these names on the same engine."""
COMPUTE = {"docker": "{ kind: 'docker' }", "kubernetes": "{ kind: 'kubernetes', namespace: 'stopping' }"}
HEAD = """
extension radius
resource here 'Applications.Core/environments@2023-10-01-preview' = { name: 'here', properties: { compute: COMPUTE } }
resource app 'Applications.Core/applications@2023-10-01-preview' = { name: 'shop', properties: { environment: here.id } }
"""


def container(name: str, tags: str = "", more: str = "") -> str:
    return f"""
resource {name} 'Applications.Core/containers@2023-10-01-preview' = {{
  name: '{name}'
  {tags}
  properties: {{
    application: app.id
    {more}
    container: {{
      image: 'localhost/python:3'
      command: ['sh', '-c', 'trap exit TERM; sleep 3600 & wait']
      ports: {{ http: {{ containerPort: 80 }} }}
    }}
  }}
}}
"""


TEXT = (
    HEAD
    + container("cook")
    + container("waiter", more="connections: { cook: { source: cook.id } }")
    + container("guest", tags="tags: { 'ulna.start': 'explicit' }")
)


def containers() -> set[str]:
    """The names of what the Docker engine runs, as far as it is ours."""
    import docker

    found = docker.from_env(timeout=120).containers.list(filters={"label": "ulna.home"})
    return {n for n in NAMES if any(n in (c.name or "") for c in found)}


def pods() -> set[str]:
    """The names of what has pods in the cluster, as far as it is ours."""
    from kubernetes import client, config

    config.load_kube_config(os.environ["KUBECONFIG"])  # by itself the library has it as it was at its import
    there = [p.metadata for p in client.CoreV1Api().list_pod_for_all_namespaces().items]
    ours = [m.name for m in there if m.namespace.startswith("stopping") and m.deletion_timestamp is None]
    return {n for n in NAMES if any(p.startswith(n) for p in ours)}


@pytest.fixture(params=["docker", "kubernetes"])
def running(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Live, Callable[[], set[str]]]]:
    kind, (tool, *options) = request.param, UP[request.param]
    if not (TOOLS / tool).exists():
        pytest.skip("shared/tools is not there")
    up = subprocess.run([TOOLS / tool, *options], capture_output=True, text=True, timeout=1800, check=False)
    if up.returncode == 69:
        pytest.skip(up.stderr.splitlines()[-1])
    assert up.returncode == 0, up.stderr
    for line in up.stdout.splitlines():
        name, _, value = shlex.split(line)[1].partition("=")
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULNA_STATE", raising=False)
    live = Live(tmp_path / "app.bicep", TEXT.replace("COMPUTE", COMPUTE[kind]))
    yield live, containers if kind == "docker" else pods
    live.close()
    destroy(Where("app"))


def test_what_is_stopped_stops_and_comes_back(running):
    live, runs = running

    def states() -> dict[str, str]:
        model = live.host.engine.model
        return {n: rows.row(live.desk.find(n), model)["state"] for n in NAMES}

    def asked(name: str, verb: str, **more: bool) -> None:
        ended = live.desk.wait(live.desk.act(name, verb, **more).id, 300)
        assert ended.progress is Progress.SUCCEEDED, ended

    live.until(lambda: states() == {"cook": "ready", "waiter": "ready", "guest": "stopped"}, 300)
    live.until(lambda: runs() == {"cook", "waiter"}, 300)
    entries = live.host.entries()
    used = {e.address: e.incarnation for e in entries if e.held and not runs_of(live.host.operator(e), e.resource)}
    asked("cook", "stop", with_dependants=True)
    assert states() == dict.fromkeys(NAMES, "stopped")
    live.until(lambda: not runs(), 300)
    for name in NAMES:
        asked(name, "start")
    live.until(lambda: set(states().values()) == {"ready"}, 300)
    live.until(lambda: runs() == set(NAMES), 300)
    assert used and {a: live.host.engine.state.entries[a].incarnation for a in used} == used
