"""A real registry where one can be had, one that misbehaves on demand, and a place where nothing of the user is seen."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.cli.main import main
from engine.pipeline.publishing import artifact_of
from engine.sources import transport
from engine.sources.cache import digest_of

TOOLS = Path(os.environ.get("ULNA_SHARED", Path(__file__).parents[3] / "shared")) / "tools"
"""Scripts that start real systems: in the folder `shared` beside the repository, or where ULNA_SHARED says."""


class Result(NamedTuple):
    code: int
    out: str
    err: str


Ulna = Callable[..., Result]


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No cache, credentials or settings of the user, and no waiting between tries."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ULNA_CACHE", str(tmp_path / "cache"))
    for name in ("DOCKER_CONFIG", "XDG_CACHE_HOME", "ULNA_STATE", "NO_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(transport, "_backoff", lambda attempt: 0.01)
    monkeypatch.setattr(transport, "_asked", lambda said: 0.01 if said else None)


@pytest.fixture
def ulna(capsys: pytest.CaptureFixture[str]) -> Ulna:
    def run(*words: str) -> Result:
        capsys.readouterr()
        code = main(words)
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def registry() -> str:
    """The host of a real registry."""
    tool = TOOLS / "registry-up"
    if not tool.is_file():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([tool], capture_output=True, text=True, timeout=600)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    found = dict(shlex.split(line)[1].split("=", 1) for line in run.stdout.splitlines())
    return found["REGISTRY"]


TEMPLATE = {
    "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    "contentVersion": "1.0.0.0",
    "parameters": {"size": {"type": "int", "defaultValue": 1}},
    "resources": [],
    "outputs": {"size": {"type": "int", "value": "[parameters('size')]"}},
}


class Fake:
    """A registry in this process.

    `manifests` and `blobs` are what it has; `faults` are called with each request, and answer it if they return True.
    `seen` has method, path and headers of every request.
    """

    def __init__(self) -> None:
        self.manifests: dict[str, bytes] = {}
        self.blobs: dict[str, bytes] = {}
        self.faults: list[Callable[[BaseHTTPRequestHandler], bool]] = []
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                pass

            def do(self) -> None:
                fake.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
                if any(fault(self) for fault in fake.faults):
                    return
                fake.serve(self)

            do_GET = do_HEAD = do_POST = do_PUT = do

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def add(self, tag: str = "v1", template: dict | None = None, path: str = "demo") -> str:
        """A module under a tag; gives its digest."""
        content = json.dumps(template or TEMPLATE).encode()
        blobs, manifest = artifact_of(content, None, {})
        for blob in blobs:
            self.blobs[digest_of(blob)] = blob
        self.manifests[f"{path}/{tag}"] = self.manifests[f"{path}/{digest_of(manifest)}"] = manifest
        return digest_of(manifest)

    def serve(self, request: BaseHTTPRequestHandler) -> None:
        _, _, path = request.path.partition("/v2/")
        name, _, reference = path.rpartition("/")
        if name.endswith("/manifests"):
            content = self.manifests.get(f"{name.removesuffix('/manifests')}/{reference}")
        else:
            content = self.blobs.get(reference)
        if content is None:
            answer(request, 404, b'{"errors":[{"code":"NOT_FOUND"}]}')
        else:
            answer(request, 200, content)


def answer(request: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> bool:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name.replace("_", "-"), value)
    if "Content_Length" not in headers:
        request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    if request.command != "HEAD":
        request.wfile.write(body)
    return True


@pytest.fixture
def fake() -> Iterator[Fake]:
    made = Fake()
    yield made
    made.server.shutdown()
    made.server.server_close()


def using(reference: str, name: str = "app.bicep") -> Path:
    """A file that uses a module."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"module m '{reference}' = {{\n  name: 'm'\n}}\noutput size int = m.outputs.size\n")
    return path
