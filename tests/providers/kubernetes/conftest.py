"""A real cluster of one node, and a namespace to put objects into it; what a test leaves there is a failure of the test."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import TestCall
from engine.contract.operator import Observed
from engine.contract.resource import Resource
from providers.kubernetes.client import Client, Kind
from providers.kubernetes.kinds import native_id
from providers.kubernetes.objects import ObjectOperator
from providers.kubernetes.target import Target

TOOLS = Path(__file__).parents[4] / "shared" / "tools"
NAMESPACES = Kind("v1", "Namespace", "/api/v1", "namespaces", False)
LISTED = [
    ("core", "v1", k)
    for k in "Pod Service Secret ConfigMap ServiceAccount PersistentVolumeClaim PersistentVolume Namespace".split()  # noqa: SIM905
] + [
    ("apps", "v1", "Deployment"),
    ("apps", "v1", "ReplicaSet"),
    ("apps", "v1", "StatefulSet"),
    ("batch", "v1", "Job"),
    ("networking.k8s.io", "v1", "Ingress"),
    ("rbac.authorization.k8s.io", "v1", "Role"),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding"),
    ("autoscaling", "v1", "HorizontalPodAutoscaler"),
]


@pytest.fixture(scope="session")
def kubeconfig() -> str:
    """The kubeconfig of a cluster with a node and the images that tests use."""
    tool = TOOLS / "kubernetes" / "kube-up"
    if not tool.exists():
        pytest.skip("shared/tools is not there")
    images = [w for name in ("python", "busybox", "redis") for w in ("--image", name)]
    run = subprocess.run([tool, "--node", *images], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    value = shlex.split(run.stdout.splitlines()[-1])[1].partition("=")[2]
    os.environ["KUBECONFIG"] = value
    return value


class Lab:
    """Operators over a folder and a namespace of their own; what is made here goes with the test."""

    def __init__(self, folder: Path, kubeconfig: str, namespace: str) -> None:
        self.folder = folder
        self.kubeconfig = kubeconfig
        self.namespace = namespace
        self.call = TestCall({"password": "correct-horse-battery-staple"})
        self.clients: list[Client] = []
        self.client = self.again()

    def again(self, **more: Any) -> Client:
        """Another Ulna over the same state."""
        target = Target("test", None, self.kubeconfig, self.namespace).replace(**more)
        self.clients.append(Client(self.folder / "kubernetes", target))
        return self.clients[-1]

    @property
    def objects(self) -> ObjectOperator:
        return ObjectOperator(self.again())

    def make(self, kind: str, /, name: str = "thing", address: str = "", **body: Any) -> Resource:
        """An object in the namespace."""
        group, _, version = kind.partition("@")
        meta = {"name": name, "namespace": self.namespace, **body.pop("metadata", {})}
        id = native_id(group, self.namespace, name)
        return Resource(address or f"app/{name}", group, version, name, id, {"metadata": meta, **body})

    def until(
        self, resource: Resource, wanted: Callable[[Observed], bool], token: str = "app/thing#1", patience: float = 90
    ) -> Observed:
        operator = self.objects
        deadline = time.monotonic() + patience
        while True:
            seen = operator.observe(resource, token, self.call)
            if seen is not None and wanted(seen):
                return seen
            assert time.monotonic() < deadline, seen
            time.sleep(0.3)

    def all(self) -> list[str]:
        """What the cluster has of ours, in all kinds that we make."""
        home = self.client.home
        if not home:
            return []
        found = []
        for group, version, name in LISTED:
            kind = self.client.kind(group, version, name)
            for each in self.client.list(kind, labels=f"ulna.home={home}"):
                found.append(f"{name}/{each['metadata']['name']}")
        return found

    def end(self) -> None:
        for client in self.clients:
            client.close()


@pytest.fixture(scope="session")
def namespace(kubeconfig: str) -> Iterator[str]:
    """A namespace for the whole session."""
    name = f"test-{uuid.uuid4().hex[:6]}"
    client = Client(Path("/nowhere"), Target("", None, kubeconfig))
    client.call("POST", "/api/v1/namespaces", (), {"metadata": {"name": name}})
    yield name
    client.call("DELETE", f"/api/v1/namespaces/{name}")
    client.close()


@pytest.fixture
def lab(tmp_path: Path, kubeconfig: str, namespace: str) -> Iterator[Lab]:
    made = Lab(tmp_path, kubeconfig, namespace)
    yield made
    made.end()
