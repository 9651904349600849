"""Processes that somebody started by hand and Ulna takes over: by pid and start, and only those that are nobody's."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.contract.conformance import TestCall
from engine.contract.errors import Terminal
from engine.contract.operator import Applied, Replace
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.process.balancers import BalancerOperator
from providers.process.ports import PortOperator
from providers.process.processes import ProcessOperator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
TOKEN = "app/web/web-0#1"
CALL = TestCall({"password": "hunter2"})
FOREVER = ["sleep", "600"]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process by hand; it is its own group's, as a shell makes it."""
    env = {"PATH": os.environ["PATH"], "LEVEL": "debug", "PASSWORD": "hunter2", "OTHER": "hidden"}
    with subprocess.Popen(FOREVER, cwd=tmp_path, env=env, process_group=0) as process:
        yield process
        process.kill()


def resource(folder: Path, **more: object) -> Resource:
    wish = {"command": FOREVER, "workingDirectory": str(folder), "restart": "Always", "gracePeriodSeconds": 5, **more}
    return Resource("app/web/web-0", "Ulna.Process/processes", "2026-12-01", "web-0", "/w", {"properties": wish})


def test_it_differs_as_it_does_and_is_started_anew(tmp_path, running):
    operator = ProcessOperator(tmp_path / "running")
    secret = Secret("password", "digest")
    wanted = resource(tmp_path, env={"LEVEL": "info", "PASSWORD": secret, "MORE": "1"})
    seen = operator.adopt(wanted, str(running.pid), TOKEN, CALL)
    assert seen.properties["properties"]["env"] == {"LEVEL": "debug", "PASSWORD": secret}
    assert operator.adopt(wanted, str(running.pid), TOKEN, CALL) == seen, "again gives the same"
    there = operator.observe(wanted, TOKEN, CALL)
    difference = operator.diff(wanted, Applied(seen.properties), there)
    assert isinstance(difference, Replace) and "supervisor" in difference.why
    assert set(difference.paths) == {"properties.env.LEVEL", "properties.env.MORE"}
    operator.delete(wanted, TOKEN, CALL)
    assert running.wait(10) == -15, "it was asked to end"
    made = operator.create(wanted, "app/web/web-0#2", CALL)
    assert made.id != str(running.pid)
    operator.delete(wanted, "app/web/web-0#2", CALL)


def test_a_value_that_is_no_secret_of_ours_is_not_kept(tmp_path, running):
    operator = ProcessOperator(tmp_path / "running")
    wanted = resource(tmp_path, env={"PASSWORD": Secret("password", "digest")})
    seen = operator.adopt(wanted, str(running.pid), TOKEN, TestCall({"password": "another"}))
    assert seen.properties["properties"]["env"] == {"PASSWORD": "***"}
    kept = b"".join(f.read_bytes() for f in (tmp_path / "running").rglob("*") if f.is_file())
    assert b"hunter2" not in kept and b"hidden" not in kept


def test_one_that_has_ended_is_not_another_with_its_number(tmp_path, running):
    operator = ProcessOperator(tmp_path / "running")
    operator.adopt(resource(tmp_path), str(running.pid), TOKEN, CALL)
    status = operator.client.shelf(TOKEN).status()
    assert status is not None
    operator.client.shelf(TOKEN).write("status.json", {**status, "birth": "1"})
    assert operator.observe(resource(tmp_path), TOKEN, CALL) is None
    operator.delete(resource(tmp_path), TOKEN, CALL)
    assert running.poll() is None, "it was left alone"


def test_what_cannot_be_taken_over_says_why(tmp_path, running):
    operator = ProcessOperator(tmp_path / "running")
    pid = str(running.pid)
    operator.adopt(resource(tmp_path), pid, TOKEN, CALL)
    supervised = ProcessOperator(tmp_path / "elsewhere")
    made = supervised.create(resource(tmp_path), TOKEN, CALL)
    status = supervised.client.shelf(TOKEN).status()
    assert status is not None
    for wanted, id, reason in (
        (resource(tmp_path), "web", "'web' is no process id"),
        (resource(tmp_path), "4194305", "there is no process 4194305"),
        (resource(tmp_path), "1", "process 1 is the one that Ulna itself depends on"),
        (resource(tmp_path), pid, f"process {pid} belongs to 'app/web/web-0' already"),
        (resource(tmp_path), str(status["pid"]), "belongs to 'app/web/web-0' of the state in .*elsewhere already"),
        (resource(tmp_path), made.id, "belongs to 'app/web/web-0' of the state in .*elsewhere already"),
    ):
        with pytest.raises(Terminal, match=reason) as raised:
            operator.adopt(wanted, id, "app/other#1", CALL)
        assert raised.value.help
    supervised.delete(resource(tmp_path), TOKEN, CALL)
    with pytest.raises(Terminal, match="never taken over"):
        balancer = resource(tmp_path).replace(type="Ulna.Process/balancers")
        BalancerOperator(tmp_path / "running").adopt(balancer, pid, TOKEN, CALL)


def test_one_state_owns_a_process_until_it_lets_go(tmp_path, running):
    mine, theirs = ProcessOperator(tmp_path / "running"), ProcessOperator(tmp_path / "elsewhere")
    pid = str(running.pid)
    mine.adopt(resource(tmp_path), pid, TOKEN, CALL)
    with pytest.raises(Terminal, match=r"belongs to 'app/web/web-0' of the state in .*running already") as refused:
        theirs.adopt(resource(tmp_path), pid, "shop/x#1", CALL)
    assert "--on-unmanage detach" in refused.value.help
    mine.release(resource(tmp_path), TOKEN, CALL)
    assert mine.observe(resource(tmp_path), TOKEN, CALL) is None and running.poll() is None
    theirs.adopt(resource(tmp_path), pid, "shop/x#1", CALL)
    theirs.client.shelf("shop/x#1").remove()
    mine.adopt(resource(tmp_path), pid, TOKEN, CALL)
    assert mine.observe(resource(tmp_path), TOKEN, CALL) is not None, "a state that is gone owns nothing"
    mine.release(resource(tmp_path), TOKEN, CALL)


def test_a_process_of_ours_keeps_its_supervisor_when_it_is_let_go(tmp_path):
    operator = ProcessOperator(tmp_path / "running")
    made = operator.create(resource(tmp_path), TOKEN, CALL)
    operator.release(resource(tmp_path), TOKEN, CALL)
    assert operator.observe(resource(tmp_path), TOKEN, CALL).id == made.id
    operator.delete(resource(tmp_path), TOKEN, CALL)


def test_a_port_is_reserved_though_somebody_listens_on_it(tmp_path, free_port):
    import socket

    operator = PortOperator(tmp_path / "ports", tmp_path / "claims")
    port = Resource(
        "app/web/port-http", "Ulna.Process/ports", "2026-12-01", "http", "/p", {"properties": {"prefer": 80}}
    )
    with socket.create_server(("127.0.0.1", free_port)):
        seen = operator.adopt(port, str(free_port), "app/web/port-http#1", CALL)
    assert seen.outputs == {"port": free_port}
    assert operator.adopt(port, str(free_port), "app/web/port-http#1", CALL) == seen
    for id, token, reason in (
        ("http", "app/web/port-http#1", "'http' is no port"),
        ("70000", "app/web/port-http#1", "'70000' is no port"),
        (str(free_port), "app/other#1", f"port {free_port} is reserved for 'app/web/port-http'"),
        (str(free_port + 1), "app/web/port-http#1", f"port {free_port} is reserved for it already"),
    ):
        with pytest.raises(Terminal, match=reason):
            operator.adopt(port, id, token, CALL)
