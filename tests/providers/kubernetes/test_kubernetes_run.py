"""`ulna run` over a cluster: a command runs in the pod, and what somebody deletes is seen at once and made again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from providers.kubernetes.client import Client
from providers.kubernetes.target import Target

pytestmark = pytest.mark.e2e
ULNA = Path(sys.executable).parent / "ulna"
PLACE = """extension radius
resource kube 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'kube'
  properties: { compute: { kind: 'kubernetes', namespace: '%s' } }
}
"""
APP = """extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = { name: 'shop', properties: { environment: environment } }
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'localhost/busybox:1', command: ['sleep', '3600'], env: { WORD: { value: 'hello' } } }
    runtimes: { kubernetes: { pod: { terminationGracePeriodSeconds: 0 } } }
  }
}
resource word 'Ulna.Core/commands@2026-12-01' = {
  name: 'word'
  properties: { target: web.id, exec: { command: ['sh', '-c', 'echo $WORD'] } }
}
"""


class Folder:
    def __init__(self, path: Path, kubeconfig: str) -> None:
        self.path, self.kubeconfig = path, kubeconfig
        self.namespace = f"run-{uuid.uuid4().hex[:6]}"
        self.client = Client(path / "looks", Target("", None, kubeconfig))
        (path / "env.bicep").write_text(PLACE % self.namespace)
        (path / "app.bicep").write_text(APP)

    def ulna(self, *words: str, ok: bool = True) -> str:
        environment = {**os.environ, "KUBECONFIG": self.kubeconfig, "NO_COLOR": "1"}
        run = subprocess.run(
            [ULNA, *words], cwd=self.path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert run.returncode == 0 or not ok, (words, run.stdout, run.stderr)
        return run.stdout

    def deployment(self) -> dict[str, Any] | None:
        found = self.client.call("GET", f"/apis/apps/v1/namespaces/{self.namespace}-shop/deployments")["items"]
        return found[0] if found else None


@pytest.fixture
def folder(tmp_path: Path, kubeconfig: str) -> Iterator[Folder]:
    made = Folder(tmp_path, kubeconfig)
    made.ulna("deploy", "env.bicep")
    yield made
    made.ulna("stop", ok=False)
    made.ulna("destroy", "app", "-e", "kube", "--yes", ok=False)
    made.ulna("destroy", "env", "--yes", ok=False)
    left = made.client.call("GET", "/api/v1/namespaces")["items"]
    assert not [
        n for n in left if n["metadata"]["name"].startswith(made.namespace) and "deletionTimestamp" not in n["metadata"]
    ]
    made.client.close()


def test_a_command_runs_in_the_pod_and_what_is_deleted_comes_back(folder):
    folder.ulna("run", "app.bicep", "-e", "kube", "--detach")
    folder.ulna("wait", "web", "--timeout", "200")
    ended = json.loads(folder.ulna("command", "web", "word", "--format", "json"))
    assert ended["result"]["output"] == "hello\n", ended
    before = folder.deployment()
    assert before is not None
    folder.client.call("DELETE", f"/apis/apps/v1/namespaces/{folder.namespace}-shop/deployments/web")
    end = time.monotonic() + 120
    while (now := folder.deployment()) is None or now["metadata"]["uid"] == before["metadata"]["uid"]:
        assert time.monotonic() < end, folder.ulna("status", ok=False)
        time.sleep(0.1)
    folder.ulna("wait", "web", "--timeout", "200")
