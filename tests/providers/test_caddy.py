"""A gateway's routes as Caddy runs them: the real program, asked over a socket."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import subprocess
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from engine.contract.app import Endpoint, Gateway, Port, Route, Workload
from engine.contract.caddy import configuration, routes
from engine.contract.resource import Resource
from tests.ports import free

CADDY = which("caddy", path=f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ.get('PATH', '')}")
needs_caddy = pytest.mark.skipif(CADDY is None, reason="caddy is not installed (ulna[gateway])")


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: Any) -> None: ...

    def do_GET(self) -> None:
        if "slow" in self.path:
            time.sleep(1.5)
        if self.headers.get("Upgrade"):
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.end_headers()
            while data := self.connection.recv(100):
                self.connection.sendall(b"echo " + data)
            return
        said = f"{self.server.server_port} {self.path} {self.headers['Host']} {self.headers['X-Forwarded-Proto']}"  # type: ignore[attr-defined]
        body = said.encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except BrokenPipeError:
            self.close_connection = True


@pytest.fixture(scope="module")
def backends() -> Iterator[tuple[int, int]]:
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), Answer) for _ in range(2)]
    for server in servers:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield servers[0].server_port, servers[1].server_port
    for server in servers:
        server.shutdown()
        server.server_close()


class Proxy:
    """A Caddy with one configuration after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free()
        self.process: subprocess.Popen[bytes] | None = None

    def take(self, *written: dict[str, Any], **more: Any) -> None:
        config = configuration(
            written,
            [f"127.0.0.1:{self.port}"],
            admin="unix/admin.sock|0600",
            storage=str(self.folder / "data"),
            **more,
        )
        (self.folder / "caddy.json").write_text(json.dumps(config))
        assert CADDY is not None
        if self.process is None:
            env = {**os.environ, "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
            command = [CADDY, "run", "--config", "caddy.json"]
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", self.port)).close()
                    return
                except OSError:
                    time.sleep(0.05)
            raise AssertionError("caddy does not listen")
        command = [CADDY, "reload", "--force", "--config", "caddy.json", "--address", "unix/admin.sock"]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)

    def get(self, path: str, host: str = "localhost", **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", path, headers={"Host": host, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode().strip()
        finally:
            connection.close()

    def end(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait()


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    made = Proxy(tmp_path)
    yield made
    made.end()


@needs_caddy
def test_paths_are_whole_segments_and_prefixes_are_replaced(proxy, backends):
    one, two = backends
    proxy.take(
        {"path": "/v1.x", "to": [f"localhost:{one}"], "replacePrefix": "/new/$a"},
        {"path": "/api", "to": [f"localhost:{one}"], "replacePrefix": "/"},
        {"path": "/", "to": [f"localhost:{two}"], "replacePrefix": "/root"},
    )
    for asked, (port, path) in {
        "/api": (one, "/"),
        "/api/": (one, "/"),
        "/api/x?y=1": (one, "/x?y=1"),
        "/api/a%2Fb": (one, "/a%2Fb"),
        "/apix": (two, "/root/apix"),
        "/API/x": (two, "/root/API/x"),
        "/v1.x/q": (one, "/new/$a/q"),
        "/v1yx": (two, "/root/v1yx"),
        "/": (two, "/root/"),
    }.items():
        status, said = proxy.get(asked)
        assert (status, said.split()[:2]) == (200, [str(port), path]), asked


@needs_caddy
def test_replicas_take_turns_and_one_that_is_down_is_passed_over(proxy, backends):
    proxy.take({"path": "/", "to": [f"localhost:{p}" for p in (*backends, free())]})
    asked = [proxy.get("/")[1].split()[0] for _ in range(12)]
    assert {asked.count(str(p)) for p in backends} <= {5, 6, 7}


@needs_caddy
def test_a_change_drops_no_websocket_and_hosts_are_told_apart(proxy, backends):
    one, two = backends
    proxy.take(
        {"path": "/ws", "to": [f"localhost:{one}"], "websockets": True}, {"path": "/", "to": [f"localhost:{one}"]}
    )
    with socket.create_connection(("127.0.0.1", proxy.port), 20) as talk:
        talk.sendall(b"GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert b"101" in talk.recv(1000)
        assert proxy.get("/", Connection="Upgrade", Upgrade="websocket")[0] == 200, (
            "no websocket where none is asked for"
        )
        proxy.take({"path": "/", "to": [f"localhost:{two}"]}, hostname="shop.example")
        talk.sendall(b"hi")
        assert talk.recv(100) == b"echo hi"
    status, said = proxy.get("/", "shop.example:99")
    assert status == 200 and said.startswith(f"{two} / shop.example:99")
    assert proxy.get("/") == (404, "no route of this gateway leads there")


@needs_caddy
def test_an_answer_that_is_late_is_a_504_in_time(proxy, backends):
    proxy.take({"path": "/", "to": [f"localhost:{backends[0]}"], "timeout": 0.5, "backendTimeout": 5})
    began = time.monotonic()
    assert proxy.get("/slow")[0] == 504
    assert time.monotonic() - began < 1.4
    assert proxy.get("/quick")[0] == 200


@needs_caddy
def test_tls_ends_here_whatever_name_is_asked_for(proxy, backends, certificate: Callable[[str], tuple[Path, Path]]):
    pem, key = certificate("shop.example")
    where = {"path": "/", "to": [f"localhost:{backends[0]}"]}
    proxy.take(where, certificate=(str(pem), str(key)), minimum_version="1.3")
    context = ssl.create_default_context(cafile=str(pem))
    for name in ("shop.example", "localhost"):
        context.check_hostname = name == "shop.example"
        plain = socket.create_connection(("127.0.0.1", proxy.port), 20)
        with plain, context.wrap_socket(plain, server_hostname=name) as talk:
            assert talk.version() == "TLSv1.3"
            talk.sendall(b"GET /x HTTP/1.0\r\nHost: shop.example\r\n\r\n")
            said = b""
            while more := talk.recv(4096):
                said += more
            assert said.endswith(b"/x shop.example https")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with socket.create_connection(("127.0.0.1", proxy.port), 20) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="shop.example")


def test_routes_are_written_as_people_read_them():
    resource = Resource("shop/gate", "Applications.Core/gateways", "v", "gate", "/g", {})
    api = Workload(resource, "shop", None)  # type: ignore[arg-type]
    written = routes(
        Gateway(
            resource,
            "shop",
            (
                Route("/api", Endpoint("api", 80, "https"), api, Port("http", 80, 80), "/", True, 15, 5),
                Route("", Endpoint("example.org", 443, "https")),
            ),
        ),
        lambda route: {"to": [f"{route.endpoint.host}:{route.endpoint.port}"]},
    )
    assert written == [
        {
            "path": "/api",
            "to": ["api:80"],
            "replacePrefix": "/",
            "scheme": "https",
            "websockets": True,
            "timeout": 15,
            "backendTimeout": 5,
        },
        {"path": "/", "to": ["example.org:443"], "scheme": "https", "elsewhere": True},
    ]


def test_what_is_within_the_environment_is_trusted_and_what_is_elsewhere_is_not():
    def proxy(**route: Any) -> Any:
        made = configuration([{"path": "/", "to": ["x:1"], "scheme": "https", **route}], [":1"])
        return made["apps"]["http"]["servers"]["gateway"]["routes"][0]["handle"][-1]

    assert proxy()["transport"]["tls"] == {"insecure_skip_verify": True} and "headers" not in proxy()
    assert proxy(elsewhere=True)["transport"]["tls"] == {}
    assert proxy(elsewhere=True)["headers"]["request"]["set"]["Host"] == ["{http.reverse_proxy.upstream.hostport}"]


def test_a_name_is_asked_for_again_each_second():
    made = configuration([{"path": "/", "name": "web", "port": 8080}], [":1"])
    proxy = made["apps"]["http"]["servers"]["gateway"]["routes"][0]["handle"][-1]
    assert proxy["dynamic_upstreams"] == {"source": "a", "name": "web", "port": "8080", "refresh": "1s"}
