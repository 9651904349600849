"""The kubernetes operators pass what every operator must, on a real cluster."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.value import Secret, Value
from providers.kubernetes.clusters import ClusterOperator
from providers.kubernetes.namespaces import GIVEN, NAMESPACE, NamespaceOperator

pytestmark = pytest.mark.e2e


class OnACluster(OperatorConformance):
    __test__ = False
    patience = 90.0

    @pytest.fixture(autouse=True)
    def _with(self, lab) -> None:
        self.lab = lab

    @pytest.fixture(autouse=True)
    def _leaves_nothing(self, lab, _with) -> Iterable[None]:
        yield
        assert not lab.all(), "a conforming operator deletes what it made"

    def operator(self, folder: Path) -> Operator:
        return self.lab.objects


class TestConfigMaps(OnACluster):
    __test__ = True

    def resource(self, folder: Path) -> Resource:
        return self.lab.make("core/ConfigMap@v1", data={"a": "1", "b": "2"}, metadata={"labels": {"x": "y"}})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.lab.make("core/ConfigMap@v1", data={"a": "1", "b": "3"}, metadata={"labels": {"x": "y"}})
        yield self.lab.make("core/ConfigMap@v1", data={"a": "1"})
        yield self.lab.make(
            "core/ConfigMap@v1", data={"a": "1", "b": "2"}, metadata={"labels": {"x": "y"}, "name": "n2"}
        )


class TestSecrets(OnACluster):
    __test__ = True

    def resource(self, folder: Path) -> Resource:
        data = {"password": Secret("key", "digest"), "user": "me"}
        return self.lab.make("core/Secret@v1", stringData=data, type="Opaque")

    def changes(self, folder: Path) -> Iterable[Resource]:
        data = {"password": Secret("other", "digest-2"), "user": "me"}
        yield self.lab.make("core/Secret@v1", stringData=data, type="Opaque")
        yield self.lab.make("core/Secret@v1", stringData={"user": "me"}, type="Opaque")
        yield self.lab.make("core/Secret@v1", stringData=data, type="kubernetes.io/basic-auth")

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone", "other": "nor-this-one"}


def pod(**container: Any) -> dict[str, Any]:
    each = {"name": "web", "image": "localhost/busybox:1", "command": ["httpd", "-f", "-p", "8000"], **container}
    spec = {"containers": [each], "terminationGracePeriodSeconds": 1}
    return {"metadata": {"labels": {"app": "thing"}}, "spec": spec}


class TestDeployments(OnACluster):
    __test__ = True

    def resource(self, folder: Path) -> Resource:
        return self._made({"KEY": "a"})

    def _made(self, env: dict[str, Value], app: str = "thing", **more: Any) -> Resource:
        template = pod(
            env=[{"name": k, "value": v} for k, v in env.items()],
            resources={"requests": {"cpu": 0.01, "memory": "16Mi"}},
            ports=[{"containerPort": 8000, "protocol": "TCP"}],
        )
        template["metadata"]["labels"] = {"app": app}
        spec = {"selector": {"matchLabels": {"app": app}}, "template": template, **more}
        return self.lab.make("apps/Deployment@v1", spec=spec, secretHash={"K": Secret("key", "digest")})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self._made({"KEY": "b"})
        yield self._made({"KEY": "a"}, replicas=2)
        yield self._made({"KEY": "a"}, app="other")

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}


class TestJobs(OnACluster):
    __test__ = True

    def resource(self, folder: Path) -> Resource:
        return self._made("true")

    def _made(self, *command: str) -> Resource:
        template = pod(command=list(command))
        template["spec"]["restartPolicy"] = "Never"
        return self.lab.make("batch/Job@v1", spec={"template": template, "backoffLimit": 0})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self._made("sh", "-c", "exit 0")


class TestServices(OnACluster):
    __test__ = True

    def resource(self, folder: Path) -> Resource:
        return self._made(80)

    def _made(self, port: int) -> Resource:
        ports = [{"name": "http", "port": port, "protocol": "TCP", "targetPort": 8000}]
        return self.lab.make("core/Service@v1", spec={"selector": {"app": "thing"}, "ports": ports})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self._made(81)


class TestClusterRoles(OnACluster):
    """Objects that are in no namespace."""

    __test__ = True

    def resource(self, folder: Path) -> Resource:
        return self._made("get")

    def _made(self, *verbs: str) -> Resource:
        rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": list(verbs)}]
        name = f"ulna-{self.lab.namespace}"
        return self.lab.make("rbac.authorization.k8s.io/ClusterRole@v1", name, rules=rules)

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self._made("get", "list")


class TestNamespaces(OnACluster):
    """A namespace that has to be there."""

    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return NamespaceOperator(self.lab.again())

    def resource(self, folder: Path) -> Resource:
        return self._made("ns")

    def _made(self, name: str) -> Resource:
        wish = {"name": f"{self.lab.namespace}-{name}", "application": "shop"}
        return Resource("app/ns", "Ulna.Kubernetes/namespaces", "2026-12-01", "ns", "/ns", {"properties": wish})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self._made("other")


def test_what_has_a_new_name_is_found_under_its_old_one(lab):
    for operator, before, after in (
        (lab.objects, lab.make("core/ConfigMap@v1"), lab.make("core/ConfigMap@v1", metadata={"name": "renamed"})),
        (
            NamespaceOperator(lab.again()),
            TestNamespaces._made(Holder(lab), "old"),
            TestNamespaces._made(Holder(lab), "new"),
        ),
    ):
        made = operator.create(before, "app/thing#1", lab.call)
        seen = operator.observe(after, "app/thing#1", lab.call)
        assert seen is not None and seen.id == made.id
        operator.delete(after, "app/thing#1", lab.call)
        assert operator.observe(before, "app/thing#1", lab.call) is None
    assert not lab.all()


class Holder(TestNamespaces):
    __test__ = False

    def __init__(self, lab) -> None:
        self.lab = lab


def test_a_namespace_that_was_given_is_left_alone(lab):
    operator, call = NamespaceOperator(lab.again()), lab.call
    given = Resource(
        "app/ns", "Ulna.Kubernetes/namespaces", "2026-12-01", "ns", "/ns", {"properties": {"name": lab.namespace}}
    )
    before = lab.client.get(NAMESPACE, "", lab.namespace)
    assert operator.create(given, "app/ns#1", call).id == GIVEN
    assert operator.observe(given, "app/ns#1", call) is not None
    operator.delete(given, "app/ns#1", call)
    assert lab.client.get(NAMESPACE, "", lab.namespace) == before


def test_the_last_of_two_that_share_a_namespace_takes_it_along(lab):
    operator, call = NamespaceOperator(lab.again()), lab.call
    wish = {"properties": {"name": f"{lab.namespace}-both"}}
    shared = Resource("app/ns", "Ulna.Kubernetes/namespaces", "2026-12-01", "ns", "/ns", wish)
    for token in ("one/ns#1", "two/ns#1"):
        operator.create(shared, token, call)
    operator.delete(shared, "one/ns#1", call)
    assert operator.observe(shared, "one/ns#1", call) is None
    assert operator.observe(shared, "two/ns#1", call) is not None
    operator.delete(shared, "two/ns#1", call)
    assert lab.client.get(NAMESPACE, "", f"{lab.namespace}-both") is None


def test_a_namespace_that_all_have_let_go_of_stays_and_is_given_from_then_on(lab):
    operator, call = NamespaceOperator(lab.again()), lab.call
    wish = {"properties": {"name": f"{lab.namespace}-left"}}
    shared = Resource("app/ns", "Ulna.Kubernetes/namespaces", "2026-12-01", "ns", "/ns", wish)
    made = operator.create(shared, "one/ns#1", call)
    operator.release(shared, "one/ns#1", call)
    assert operator.create(shared, "two/ns#1", call).id == GIVEN
    operator.delete(shared, "two/ns#1", call)
    live = lab.client.get(NAMESPACE, "", f"{lab.namespace}-left")
    assert live["metadata"]["uid"] == made.id and not live["metadata"].get("deletionTimestamp")
    lab.client.delete(NAMESPACE, "", f"{lab.namespace}-left", made.id, False)


class TestClusters(OnACluster):
    """A look at what the cluster has: nothing is made, so any token sees it."""

    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return ClusterOperator(self.lab.again())

    def resource(self, folder: Path) -> Resource:
        wish = {"properties": {"look": 1}}
        return Resource("env/kube/cluster", "Ulna.Kubernetes/clusters", "2026-12-01", "cluster", "/cluster", wish)

    def test_nothing_is_seen_under_another_token(self, tmp_path: Path) -> None:
        """There is nothing that a token could name."""

    def test_what_is_deleted_is_gone_and_deleting_again_is_fine(self, tmp_path: Path) -> None:
        """Nor anything that could go."""


def test_a_cluster_without_controllers_gets_caddies_behind_node_ports(lab):
    seen = ClusterOperator(lab.again()).create(TestClusters().resource(lab.folder), "env/kube/cluster#1", lab.call)
    assert seen.outputs["gateways"] == {"kind": "caddy", "service": "NodePort", "address": "10.84.0.1"}
    assert seen.outputs["version"].startswith("v1.")


def test_a_cluster_with_an_ingress_class_gets_ingresses(lab):
    path = "/apis/networking.k8s.io/v1/ingressclasses"
    body = {"metadata": {"name": "test-nginx"}, "spec": {"controller": "k8s.io/ingress-nginx"}}
    lab.client.call("POST", path, (), body)
    try:
        seen = ClusterOperator(lab.again()).create(TestClusters().resource(lab.folder), "env/kube/cluster#1", lab.call)
        found = {"kind": "ingress", "class": "test-nginx", "controller": "k8s.io/ingress-nginx"}
        assert found.items() <= seen.outputs["gateways"].items()
    finally:
        lab.client.call("DELETE", f"{path}/test-nginx")
