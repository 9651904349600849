"""What goes wrong around a cluster, and what is said and done about it: on the real API server, and with a proxy before it."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.contract.errors import Terminal, Transient, Unreachable
from engine.contract.operator import Applied, Health, Replace, Same, Update
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.kubernetes.client import Client
from providers.kubernetes.objects import ObjectOperator
from providers.kubernetes.target import Target
from tests.providers.kubernetes.faulty import Fault, FaultyProxy
from tests.providers.kubernetes.test_kubernetes_conformance import pod

pytestmark = pytest.mark.e2e
TOKEN = "app/thing#1"


@pytest.fixture
def proxy(kubeconfig: str) -> Iterator[FaultyProxy]:
    made = FaultyProxy(kubeconfig)
    yield made
    made.close()


@pytest.fixture
def settings(lab) -> Iterator[Resource]:
    resource = lab.make("core/ConfigMap@v1", data={"a": "1"})
    yield resource
    lab.objects.delete(resource, TOKEN, lab.call)
    assert not lab.all()


def through(lab, proxy: FaultyProxy, folder: Path) -> ObjectOperator:
    return ObjectOperator(lab.again(kubeconfig=proxy.kubeconfig(folder)))


# ---------------------------------------------------------------- the way to the cluster


def client(folder: Path, **target: Any) -> Client:
    return Client(folder, Target("test", **target))


def refused(made: Client) -> Any:
    with pytest.raises((Terminal, Transient)) as caught:
        made.call("GET", "/version")
    made.close()
    return caught.value


def test_a_cluster_that_goes_away_will_be_back_and_one_that_never_answered_may_be_none(tmp_path, proxy):
    file = proxy.kubeconfig(tmp_path)
    known = client(tmp_path, kubeconfig=file)
    known.call("GET", "/version")
    proxy.close()
    error = refused(known)
    assert isinstance(error, Transient) and not isinstance(error, Unreachable)
    error = refused(client(tmp_path, kubeconfig=file))
    assert isinstance(error, Unreachable) and "connection refused" in error.reason and "KUBECONFIG" in error.help


def test_no_kubeconfig_and_no_context_say_what_to_set(tmp_path, monkeypatch, proxy):
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "absent"))
    monkeypatch.setenv("HOME", str(tmp_path))
    error = refused(client(tmp_path))
    assert isinstance(error, Terminal) and "no kubeconfig" in error.reason and "KUBECONFIG" in error.help
    error = refused(client(tmp_path, kubeconfig=str(tmp_path / "nowhere")))
    assert "there is no kubeconfig" in error.reason and "compute.kubeconfig" in error.help
    error = refused(client(tmp_path, kubeconfig=proxy.kubeconfig(tmp_path), context="nobody"))
    assert error.reason.startswith("the kubeconfig has no context 'nobody'")


def test_a_credential_that_expired_says_so(tmp_path, kubeconfig):
    text = Path(kubeconfig).read_text()
    token = text.split("token: ")[1].split("}")[0]
    wrong = tmp_path / "wrong"
    wrong.write_text(text.replace(token, "expired"))
    error = refused(client(tmp_path, kubeconfig=str(wrong)))
    assert isinstance(error, Terminal) and "does not accept the credentials" in error.reason and "Log in" in error.help


def test_a_credential_that_is_renewed_is_read_anew(tmp_path, proxy):
    made = client(tmp_path, kubeconfig=proxy.kubeconfig(tmp_path))
    made.call("GET", "/version")
    proxy.faults.append(Fault("GET", "/version", 401))
    assert made.call("GET", "/version")["major"] == "1"
    made.close()


def test_a_login_tool_that_fails_is_quoted(tmp_path, proxy):
    tool = tmp_path / "login"
    tool.write_text("#!/bin/sh\necho 'please log in' >&2\nexit 3\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    exec_ = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(tool), "interactiveMode": "Never"}
    error = refused(client(tmp_path, kubeconfig=proxy.kubeconfig(tmp_path, exec=exec_)))
    assert isinstance(error, Terminal) and "please log in" in error.reason and "Log in again" in error.help


@pytest.mark.parametrize(
    ("fault", "kind", "after", "words"),
    [
        (Fault("PATCH", "", 429, Retry_After="7"), Transient, 7.0, "too much to do"),
        (Fault("PATCH", "", 503), Transient, None, "told to fail"),
        (
            Fault(
                "PATCH",
                "",
                403,
                {"message": 'configmaps "thing" is forbidden: exceeded quota: q, requested: count/configmaps=1'},
            ),
            Terminal,
            None,
            "quota",
        ),
        (
            Fault(
                "PATCH", "", 403, {"message": 'configmaps is forbidden: User "dev" cannot patch resource "configmaps"'}
            ),
            Terminal,
            None,
            'User "dev" cannot',
        ),
        (
            Fault("PATCH", "", 409, {"message": "the object has been modified", "reason": "Conflict"}),
            Transient,
            0.5,
            "at the same time",
        ),
        (Fault("PATCH", "", 200, lose=True), Transient, None, ""),
    ],
    ids=["throttled", "unavailable", "quota", "forbidden", "at once", "lost answer"],
)
def test_refusals_are_told_apart(fault, kind, after, words, lab, proxy, tmp_path, settings):
    operator = through(lab, proxy, tmp_path)
    proxy.faults.append(fault)
    with pytest.raises(kind) as caught:
        operator.create(settings, TOKEN, lab.call)
    assert words in caught.value.reason
    if kind is Transient:
        assert caught.value.after == after


def test_a_lost_answer_leaves_one_object_that_is_found(lab, proxy, tmp_path, settings):
    operator = through(lab, proxy, tmp_path)
    proxy.faults.append(Fault("PATCH", "configmaps", lose=True))
    with pytest.raises(Transient):
        operator.create(settings, TOKEN, lab.call)
    seen = lab.objects.observe(settings, TOKEN, lab.call)
    assert seen is not None and operator.create(settings, TOKEN, lab.call).id == seen.id


# ---------------------------------------------------------------- others in the same place


def test_what_others_made_is_not_touched(lab):
    path = f"/api/v1/namespaces/{lab.namespace}/configmaps"
    lab.client.call("POST", path, (), {"metadata": {"name": "theirs"}, "data": {"a": "0"}})
    resource = lab.make("core/ConfigMap@v1", "theirs", data={"a": "1"})
    with pytest.raises(Terminal, match="was not made by Ulna") as caught:
        lab.objects.create(resource, "app/theirs#1", lab.call)
    assert "ulna import" in caught.value.help
    lab.objects.delete(resource, "app/theirs#1", lab.call)
    assert lab.client.call("GET", f"{path}/theirs")["data"] == {"a": "0"}
    lab.client.call("DELETE", f"{path}/theirs")


def test_what_others_made_can_be_taken_over(lab, settings):
    path = f"/api/v1/namespaces/{lab.namespace}/configmaps"
    lab.client.call(
        "POST",
        path,
        [("fieldManager", "kubectl-create")],
        {"metadata": {"name": "thing"}, "data": {"a": "0", "b": "2"}},
    )
    operator = lab.objects
    with pytest.raises(Terminal, match="the file declares ConfigMap"):
        operator.adopt(settings, "elsewhere/thing", TOKEN, lab.call)
    seen = operator.adopt(settings, str(settings.id), TOKEN, lab.call)
    assert lab.client.call("GET", f"{path}/thing")["data"] == {"a": "0", "b": "2"}, "nothing but the marks is changed"
    assert operator.diff(settings, Applied(settings.properties), seen) == Update(("data.a",))
    assert operator.diff(settings, Applied(seen.properties), operator.observe(settings, TOKEN, lab.call)) == Update(
        ("data.a",)
    ), "what the cluster filled in, and what others added, would stay: it is no difference"
    assert operator.adopt(settings, "thing", TOKEN, lab.call) == seen
    operator.update(settings, TOKEN, seen, lab.call)
    assert lab.client.call("GET", f"{path}/thing")["data"] == {"a": "1", "b": "2"}


def test_one_state_owns_what_was_taken_over_until_it_lets_go(lab, settings, tmp_path):
    path = f"/api/v1/namespaces/{lab.namespace}/configmaps"
    lab.client.call("POST", path, (), {"metadata": {"name": "thing", "labels": {"team": "a"}}, "data": {"a": "0"}})
    other = ObjectOperator(Client(tmp_path / "other", lab.client.target))
    lab.objects.adopt(settings, "thing", TOKEN, lab.call)
    with pytest.raises(Terminal, match="belongs to another Ulna") as refused:
        other.adopt(settings, "thing", "shop/x#1", lab.call)
    assert f"kubectl label configmap thing -n {lab.namespace} ulna.home-" in refused.value.help
    lab.objects.release(settings, TOKEN, lab.call)
    meta = lab.client.call("GET", f"{path}/thing")["metadata"]
    assert meta["labels"] == {"team": "a"} and not any(k.startswith("ulna") for k in meta.get("annotations") or {})
    assert lab.objects.observe(settings, TOKEN, lab.call) is None
    other.adopt(settings, "thing", "shop/x#1", lab.call)
    other.delete(settings, "shop/x#1", lab.call)
    other.client.close()


def test_ports_without_a_protocol_are_of_tcp(lab):
    service = lab.make("core/Service@v1", spec={"selector": {"app": "thing"}, "ports": [{"port": 80}]})
    seen = lab.objects.create(service, TOKEN, lab.call)
    assert lab.objects.diff(service, Applied(service.properties), seen) == Same()
    lab.objects.delete(service, TOKEN, lab.call)


def test_what_another_ulna_or_resource_made_is_not_touched(lab, settings, tmp_path):
    lab.objects.create(settings, TOKEN, lab.call)
    with pytest.raises(Terminal, match="belongs to 'app/thing' already"):
        lab.objects.create(settings, "app/other#1", lab.call)
    other = ObjectOperator(Client(tmp_path / "other", lab.client.target))
    with pytest.raises(Terminal, match="belongs to another Ulna"):
        other.create(settings, TOKEN, lab.call)
    other.client.close()


def test_a_one_off_change_is_drift_and_is_put_right(lab, settings):
    operator = lab.objects
    operator.create(settings, TOKEN, lab.call)
    path = f"/api/v1/namespaces/{lab.namespace}/configmaps/thing"
    change = {"data": {"a": "9", "b": "mine"}}
    lab.client.call("PATCH", path, [("fieldManager", "kubectl-edit")], change, "application/merge-patch+json")
    seen = operator.observe(settings, TOKEN, lab.call)
    assert seen is not None
    assert operator.diff(settings, Applied(settings.properties), seen) == Update(("data.a",)), (
        "theirs beside it is no drift"
    )
    operator.update(settings, TOKEN, seen, lab.call)
    assert lab.client.call("GET", path)["data"] == {"a": "1", "b": "mine"}


def test_a_field_of_another_controller_is_left_and_said_to_be(lab, settings):
    operator = lab.objects
    operator.create(settings, TOKEN, lab.call)
    path = f"/api/v1/namespaces/{lab.namespace}/configmaps/thing"
    theirs = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "thing"}, "data": {"a": "9"}}
    query = [("fieldManager", "argocd-controller"), ("force", "true")]
    lab.client.call("PATCH", path, query, theirs, "application/apply-patch+yaml")
    with pytest.raises(Terminal, match=r"'argocd-controller' holds data\.a") as caught:
        operator.update(settings, TOKEN, None, lab.call)
    assert "conflicts: 'take'" in caught.value.help
    taking = ObjectOperator(lab.again(takes=True))
    taking.update(settings, TOKEN, None, lab.call)
    assert lab.client.call("GET", path)["data"] == {"a": "1"}


def test_a_secret_that_was_changed_is_drift_and_never_shown(lab):
    resource = lab.make("core/Secret@v1", stringData={"p": Secret("password", "d")}, type="Opaque")
    operator = lab.objects
    operator.create(resource, TOKEN, lab.call)
    path = f"/api/v1/namespaces/{lab.namespace}/secrets/thing"
    assert lab.client.call("GET", path)["data"] == {"p": "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ=="}, "encoded once"
    seen = operator.observe(resource, TOKEN, lab.call)
    assert seen is not None and operator.diff(resource, Applied(resource.properties), seen) == Same()
    lab.client.call("PATCH", path, (), {"data": {"p": "b3RoZXI="}}, "application/merge-patch+json")
    seen = operator.observe(resource, TOKEN, lab.call)
    assert seen is not None and "other" not in repr(seen) and "b3RoZXI" not in repr(seen)
    assert operator.diff(resource, Applied(resource.properties), seen) == Update(("stringData.p",))
    operator.delete(resource, TOKEN, lab.call)


def test_a_misspelt_field_and_an_unknown_kind_are_named(lab):
    with pytest.raises(Terminal, match=r"'spec\.replica' is no field of this kind"):
        template = pod()
        spec = {"selector": {"matchLabels": {"app": "thing"}}, "template": template, "replica": 2}
        lab.objects.create(lab.make("apps/Deployment@v1", spec=spec), TOKEN, lab.call)
    with pytest.raises(Terminal, match=r"has no kind 'Widget' in 'example\.com/v1'"):
        lab.objects.create(lab.make("example.com/Widget@v1"), TOKEN, lab.call)
    with pytest.raises(Transient, match="there is no namespace 'nowhere'"):
        lab.objects.create(lab.make("core/ConfigMap@v1", metadata={"namespace": "nowhere"}), TOKEN, lab.call)


# ---------------------------------------------------------------- what never gets ready


def deployment(lab, **container: Any) -> Resource:
    spec = {"selector": {"matchLabels": {"app": "thing"}}, "template": pod(**container)}
    return lab.make("apps/Deployment@v1", spec=spec)


@pytest.fixture
def made(lab) -> Iterator[Any]:
    resources: list[Resource] = []

    def make(**container: Any) -> Resource:
        resource = deployment(lab, **container)
        resources.append(resource)
        lab.objects.create(resource, TOKEN, lab.call)
        return resource

    yield make
    lab.objects.delete(resources[0], TOKEN, lab.call)
    assert not lab.all()


def test_an_image_that_cannot_be_pulled_fails_with_the_reason(lab, made):
    seen = lab.until(made(image="localhost/nosuch:1"), lambda s: s.health is Health.FAILED)
    assert seen.message.startswith("0 of 1 replicas are available: the image 'localhost/nosuch:1' cannot be pulled")
    assert seen.mends, "the next deployment changes it in place"


def test_a_crash_loop_fails_with_the_last_words(lab, made):
    seen = lab.until(
        made(command=["sh", "-c", "echo no config; exit 3"]), lambda s: s.health is Health.FAILED, patience=150
    )
    assert "ended with exit code 3, and ends again and again" in seen.message and "no config" in seen.message


def test_a_pod_that_no_node_takes_says_why(lab, made):
    seen = lab.until(made(resources={"requests": {"cpu": "1000"}}), lambda s: "no node takes it" in s.message)
    assert "Insufficient cpu" in seen.message and seen.health is Health.NOT_READY


def test_a_probe_that_fails_says_what_it_answers(lab, made):
    probe = {"httpGet": {"port": 9999, "path": "/"}, "periodSeconds": 1}
    seen = lab.until(made(readinessProbe=probe), lambda s: "is not ready" in s.message)
    assert "probe failed" in seen.message.lower()


def test_a_quota_that_is_exhausted_fails_with_its_words(lab, made):
    path = f"/api/v1/namespaces/{lab.namespace}/resourcequotas"
    lab.client.call("POST", path, (), {"metadata": {"name": "none"}, "spec": {"hard": {"pods": "0"}}})
    deadline = time.monotonic() + 90
    while not (lab.client.call("GET", f"{path}/none") or {}).get("status", {}).get("hard"):
        assert time.monotonic() < deadline, "the cluster does not heed the quota"
        time.sleep(0.1)
    try:
        seen = lab.until(made(), lambda s: s.health is Health.FAILED)
        assert "exceeded quota" in seen.message
    finally:
        lab.client.call("DELETE", f"{path}/none")


def test_what_cannot_be_changed_is_replaced(lab):
    operator = lab.objects
    before = lab.make("core/PersistentVolumeClaim@v1", spec={"resources": {"requests": {"storage": "2Gi"}}})
    applied = Applied(before.properties)
    for storage, expected in (("1Gi", Replace), ("3Gi", Update), ("2048Mi", Update)):
        after = before.replace(
            properties={**before.properties, "spec": {"resources": {"requests": {"storage": storage}}}}
        )
        assert isinstance(operator.diff(after, applied, None), expected), storage


def test_logs_are_followed_until_the_end_and_secrets_are_blotted_out(lab):
    secret = lab.make("core/Secret@v1", "key", stringData={"k": Secret("password", "d")})
    lab.objects.create(secret, "app/key#1", lab.call)
    env = [{"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "key", "key": "k"}}}]
    template = pod(command=["sh", "-c", "echo one; sleep 1; echo two $KEY"], env=env)
    template["spec"]["restartPolicy"] = "Never"
    resource = lab.make("batch/Job@v1", spec={"template": template, "backoffLimit": 0})
    operator = lab.objects
    operator.create(resource, TOKEN, lab.call)
    try:
        heard = operator.logs(resource, TOKEN, True)
        assert [next(heard), next(heard)] == ["one", "two ***"]
        seen = lab.until(resource, lambda s: s.exit_code is not None)
        assert seen.exit_code == 0
        assert list(operator.logs(resource, TOKEN, False)) == ["one", "two ***"]
        assert list(operator.logs_since(resource, TOKEN, False, time.time() - 3600)) == ["one", "two ***"]
    finally:
        lab.objects.delete(secret, "app/key#1", lab.call)
        operator.delete(resource, TOKEN, lab.call)
