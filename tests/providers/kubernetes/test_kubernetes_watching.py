"""Changes as the cluster tells of them, and programs that are run in pods: on the real node, and where a watch breaks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Execution, Health
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.kubernetes import watching
from providers.kubernetes.objects import ObjectOperator
from providers.kubernetes.refusals import Forbidden
from providers.kubernetes.trouble import PODS
from providers.kubernetes.watching import Follower
from tests.providers.kubernetes.faulty import Fault, FaultyProxy
from tests.providers.kubernetes.test_kubernetes_conformance import pod

TOKEN = "app/thing#1"


class Heard:
    """A watch under way, and the tokens that it woke with."""

    def __init__(self, operator: ObjectOperator) -> None:
        self.tokens: list[str] = []
        self.ended = threading.Event()
        words = (self.tokens.append, self.ended.is_set)
        self.thread = threading.Thread(target=operator.watch, args=words, daemon=True)
        self.thread.start()

    def end(self) -> None:
        self.ended.set()
        self.thread.join(60)

    def until(self, more: int, patience: float = 90) -> None:
        """Wait until it woke so often."""
        end = time.monotonic() + patience
        while len(self.tokens) < more:
            assert time.monotonic() < end, self.tokens
            time.sleep(0.02)


@pytest.fixture
def settings(lab) -> Iterator[Resource]:
    resource = lab.make("core/ConfigMap@v1", data={"a": "1"})
    yield resource
    lab.objects.delete(resource, TOKEN, lab.call)
    assert not lab.all()


def change(lab, value: str) -> None:
    path = f"/api/v1/namespaces/{lab.namespace}/configmaps/thing"
    lab.client.call("PATCH", path, (), {"data": {"a": value}}, "application/merge-patch+json")


def following(proxy: FaultyProxy, times: int) -> Callable[[], bool]:
    return lambda: sum("watch=true" in path for _, path in proxy.seen) >= times


def wait(condition: Callable[[], bool], patience: float = 90) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.e2e
def test_what_others_change_and_delete_is_told(lab, settings):
    operator = lab.objects
    operator.create(settings, TOKEN, lab.call)
    heard = Heard(operator)
    try:
        change(lab, "before")  # it is told of this, or sees it when it first looks
        changed = 0
        while not heard.tokens:
            changed += 1
            change(lab, f"again {changed}")
            time.sleep(0.2)
        count = len(heard.tokens)
        lab.client.call("DELETE", f"/api/v1/namespaces/{lab.namespace}/configmaps/thing")
        heard.until(count + 1)
        assert set(heard.tokens) == {TOKEN}
    finally:
        heard.end()


@pytest.mark.e2e
def test_a_watch_that_is_refused_or_ends_is_begun_again(lab, settings, kubeconfig, monkeypatch):
    monkeypatch.setattr(watching, "LASTS", 1)
    monkeypatch.setattr(watching, "PAUSES", (0.01, 0.05))
    proxy = FaultyProxy(kubeconfig)
    operator = ObjectOperator(lab.again(kubeconfig=proxy.kubeconfig(lab.folder)))
    operator.create(settings, TOKEN, lab.call)
    heard = Heard(operator)
    try:
        wait(following(proxy, 2))
        expired = {"type": "ERROR", "object": {"kind": "Status", "code": 410}}
        proxy.faults += [Fault("GET", "watch=true", 503, {}, times=2), Fault("GET", "watch=true", 200, expired)]
        wait(lambda: not [f for f in proxy.faults if f.times])
        change(lab, "meanwhile")
        heard.until(1)
        assert set(heard.tokens) == {TOKEN}
    finally:
        heard.end()
        proxy.close()


class Played:
    """A client that answers as it is told: lists of (uid, token, version), and events."""

    home = "home"

    def __init__(self, lists: list[list[tuple[str, str, str]]], streams: list[list[Any]]) -> None:
        self.lists, self.streams, self.asked = lists, streams, []

    def listed(self, kind: Any, namespace: str, **more: str) -> dict[str, Any]:
        items = [thing(*told) for told in self.lists.pop(0)]
        return {"metadata": {"resourceVersion": str(100 - len(self.lists))}, "items": items}

    def changes(self, kind: Any, namespace: str, version: str, seconds: int, **more: str) -> Iterator[Any]:
        self.asked.append(version)
        if not self.streams:
            raise Forbidden("no more")
        for event in self.streams.pop(0):
            if isinstance(event, Exception):
                raise event
            yield event


def thing(uid: str, token: str, version: str) -> dict[str, Any]:
    return {"metadata": {"uid": uid, "resourceVersion": version, "annotations": {"ulna.token": token}}}


def play(monkeypatch, played: Played) -> list[str]:
    monkeypatch.setattr(watching, "PAUSES", (0.0, 0.0))
    woken: list[str] = []
    Follower(played, (PODS, "there"), woken.append, lambda: False).run()  # type: ignore[arg-type]
    return woken


def test_what_changed_while_the_cluster_forgot_is_found_by_listing(monkeypatch):
    lists = [
        [("1", "a#1", "5"), ("2", "b#1", "6"), ("3", "c#1", "7")],
        [("1", "a#1", "5"), ("2", "b#1", "9"), ("4", "d#1", "8")],
    ]
    expired = {"type": "ERROR", "object": {"code": 410}}
    played = Played(lists, [[expired]])
    assert sorted(play(monkeypatch, played)) == ["b#1", "c#1", "d#1"]
    assert played.asked == ["99", "100"]


def test_a_watch_goes_on_from_the_version_that_it_heard_last(monkeypatch):
    bookmark = {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "70"}}}
    added = {"type": "ADDED", "object": thing("1", "a#1", "50")}
    gone = {"type": "DELETED", "object": thing("1", "a#1", "60")}
    stranger = {"type": "ADDED", "object": {"metadata": {"uid": "2", "resourceVersion": "80"}}}
    played = Played([[]], [[added, Transient("the connection was lost")], [gone, bookmark], [stranger]])
    assert play(monkeypatch, played) == ["a#1", "a#1"]
    assert played.asked == ["100", "50", "70", "80"]


@pytest.mark.e2e
def test_programs_run_in_a_pod_that_is_ready(lab):
    secret = lab.make("core/Secret@v1", "key", stringData={"k": Secret("password", "d")})
    lab.objects.create(secret, "app/key#1", lab.call)
    env = [{"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "key", "key": "k"}}}]
    spec = {"selector": {"matchLabels": {"app": "thing"}}, "template": pod(command=["sleep", "3600"], env=env)}
    spec["template"]["spec"]["terminationGracePeriodSeconds"] = 0
    resource = lab.make("apps/Deployment@v1", spec=spec)
    operator = lab.objects
    with pytest.raises(Terminal, match="it is not there"):
        operator.execute(resource, TOKEN, ("true",), 10)
    operator.create(resource, TOKEN, lab.call)

    def run(*command: str, timeout: float = 120) -> Execution:
        return operator.execute(resource, TOKEN, command, timeout)

    try:
        lab.until(resource, lambda s: s.health is Health.READY)
        assert operator.can_execute(resource) and not operator.can_execute(secret)
        assert run("echo", "one two") == Execution(0, "one two\n")
        ended = run("sh", "-c", "echo $KEY; echo oh >&2; exit 3")
        assert ended.exit_code == 3 and sorted(ended.output.split()) == ["***", "oh"]
        assert len(run("sh", "-c", "yes | head -n 200000").output) == 400_000
        with pytest.raises(Terminal, match="'nosuch' cannot be run in the container"):
            run("nosuch")
        with pytest.raises(Terminal, match="did not end within 1 s"):
            run("sleep", "600", timeout=1)
    finally:
        lab.objects.delete(secret, "app/key#1", lab.call)
        operator.delete(resource, TOKEN, lab.call)
