"""Processes to supervise, and the way to look at them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from engine.contract.conformance import TestCall
from engine.contract.operator import Observed
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.process.processes import ProcessOperator
from tests.ports import free

SECRET = "correct-horse-battery-staple"
SERVER = """
import http.server, os, sys
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        ok = self.path != "/bad"
        self.send_response(200 if ok else 500); self.end_headers(); self.wfile.write(os.environ.get("NAME", "?").encode())
    def log_message(self, *a): pass
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), H).serve_forever()
"""


def process(folder: Path, *command: str, **properties: Any) -> Resource:
    body = {"command": list(command), "workingDirectory": str(folder), "env": {}, "gracePeriodSeconds": 5, **properties}
    return Resource("app/web/web-0", "Ulna.Process/processes", "2026-12-01", "web-0", "/p/web-0", {"properties": body})


class Lab:
    """An operator over a folder; what is started here is ended with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.operator = ProcessOperator(folder / "running")
        self.call = TestCall({"password": SECRET})
        self.started: list[tuple[ProcessOperator, Resource, str]] = []

    def shell(self, script: str, **properties: Any) -> Resource:
        return process(self.folder, "sh", "-c", script, **properties)

    def python(self, script: str, **properties: Any) -> Resource:
        return process(self.folder, sys.executable, "-I", "-S", "-c", script, **properties)

    def secret(self) -> Secret:
        return Secret("password", "digest")

    def start(self, resource: Resource, token: str = "app/web/web-0#1") -> Observed:
        self.started.append((self.operator, resource, token))
        return self.operator.create(resource, token, self.call)

    def look(self, resource: Resource, token: str = "app/web/web-0#1") -> Observed | None:
        return ProcessOperator(self.folder / "running").observe(resource, token, self.call)

    def until(
        self, resource: Resource, wanted: Callable[[Any], bool], token: str = "app/web/web-0#1", patience: float = 120
    ) -> Observed:
        deadline = time.monotonic() + patience
        while True:
            seen = self.look(resource, token)
            if wanted(seen):
                return seen  # type: ignore[return-value]
            assert time.monotonic() < deadline, seen
            time.sleep(0.02)

    def status(self, token: str = "app/web/web-0#1") -> dict[str, Any]:
        return self.operator.client.shelf(token).status() or {}

    def log(self, resource: Resource, token: str = "app/web/web-0#1") -> list[str]:
        return list(self.operator.logs(resource, token, False))

    def end(self) -> None:
        for operator, resource, token in self.started:
            operator.delete(resource, token, TestCall())


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False
    except NotADirectoryError:
        os.kill(pid, 0)
        return True


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test leaves a claim on a port in the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path)
    yield made
    made.end()


@pytest.fixture
def alive() -> Callable[[int], bool]:
    return lives


@pytest.fixture
def server() -> str:
    return SERVER


@pytest.fixture
def free_port() -> int:
    return free()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Path]]:
    """Makes a certificate for a name: its file, and that of its key."""

    def make(name: str) -> tuple[Path, Path]:
        if which("openssl") is None:
            pytest.skip("openssl is not installed")
        folder = tmp_path_factory.mktemp("tls")
        pem, key = folder / "tls.crt", folder / "tls.key"
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
        words += ["-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(pem)]
        subprocess.run(words, check=True, capture_output=True)
        return pem, key

    return make
