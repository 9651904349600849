"""A shop behind a gateway, with a secret, a volume and helpers, on processes and on a Docker engine: changed, replaced,
scaled, broken, killed, destroyed; and nothing is left."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.providers.docker.proxy_image import provide

pytestmark = pytest.mark.e2e
SHOP = Path(__file__).parent / "shop"
TOOL = Path(__file__).parents[3] / "shared" / "tools" / "docker-up"
ULNA = Path(sys.executable).parent / "ulna"
PASSWORD = "correct-horse-battery-staple"


class Kind:
    """The shop on one compute kind, in a folder and a state of its own."""

    name = ""
    settings: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(SHOP, folder / "shop")

    def environment(self) -> dict[str, str]:
        return {**{k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}, "NO_COLOR": "1"}

    def words(self, verb: str, *arguments: str) -> list[str]:
        return [str(ULNA), verb, "shop/app.bicep", "-e", self.name, *arguments]

    def run(self, *words: str, ok: tuple[int, ...] = (0,)) -> str:
        run = subprocess.run(
            words, cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=400, check=False
        )
        said = run.stdout + run.stderr
        assert run.returncode in ok, f"{words}: exit {run.returncode}\n{said}"
        assert "Traceback" not in said and PASSWORD not in said
        return said

    def deploy(self, *parameters: str, ok: tuple[int, ...] = (0,), timeout: int = 240) -> str:
        given = [w for p in (f"password={PASSWORD}", *parameters) for w in ("-p", p)]
        return self.run(*self.words("deploy", *given, "--timeout", str(timeout)), ok=ok)

    def plan(self, *parameters: str, code: int) -> str:
        given = [w for p in (f"password={PASSWORD}", *parameters) for w in ("-p", p)]
        return self.run(*self.words("plan", *given, "--exit-code"), ok=(code,))

    def begin(self) -> None:
        self.run(str(ULNA), "deploy", f"shop/{self.name}.bicep", *self.settings)

    def left(self) -> list[Any]:
        """What there is of ours, from the platform itself."""
        raise NotImplementedError

    def crash(self) -> None:
        """End the program behind the gateway."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the platform."""


class Processes(Kind):
    name = "process"

    def left(self) -> list[Any]:
        mark = str(self.folder).encode()
        found: list[Any] = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                with suppress(OSError):  # it may end while it is looked at
                    environ = (folder / "environ").read_bytes()
                    if b"ULNA_TOKEN=" in environ and mark in environ:
                        found.append((folder / "cmdline").read_bytes()[-80:])
        state = self.folder / ".ulna" / "process" / "process"
        return found + [f for part in ("running", "volumes", "secrets", "ports") for f in (state / part).glob("*")]


class Docker(Kind):
    name = "docker"
    settings = ("-p", "gatewayImage=localhost/caddy:2")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        if not TOOL.exists():
            pytest.skip("shared/tools is not there")
        run = subprocess.run([TOOL, "--images"], capture_output=True, text=True, timeout=1800, check=False)
        if run.returncode == 69:
            pytest.skip(run.stderr.splitlines()[-1])
        assert run.returncode == 0, run.stderr
        self.host = shlex.split(run.stdout)[1].partition("=")[2]
        import docker

        self.api = docker.APIClient(base_url=self.host, version="auto")
        provide(self.api)

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "DOCKER_HOST": self.host}

    def left(self) -> list[Any]:
        home = next((f.read_text() for f in self.folder.glob(".ulna/docker/docker/home")), "nothing was made yet")
        filters = {"label": f"ulna.home={home}"}
        found = [c["Names"][0] for c in self.api.containers(all=True, filters=filters)]
        found += [n["Name"] for n in self.api.networks(filters=filters)]
        found += [v["Name"] for v in self.api.volumes(filters=filters)["Volumes"] or []]
        return found + list((self.folder / ".ulna" / "docker" / "docker" / "secrets").glob("*"))

    def close(self) -> None:
        self.api.close()


@pytest.fixture(scope="module", params=[Processes, Docker], ids=lambda k: k.name)
def kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kind]:
    if shutil.which("caddy", path=str(ULNA.parent)) is None:
        pytest.skip("caddy is not installed (ulna[gateway])")
    made: Kind = request.param(tmp_path_factory.mktemp(request.param.name))
    made.begin()
    yield made
    made.run(*made.words("destroy", "--yes"), ok=(0, 1))
    left = made.left()
    made.close()
    assert not left


def url(said: str) -> str:
    return next(line.split()[-1] for line in said.splitlines() if line.strip().startswith("url:"))


def get(address: str) -> str:
    with urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())


def asked(address: str) -> str:
    """An answer; a connection that is closed before anything was read from it is made once more, as browsers do."""
    try:
        return get(address)
    except (RemoteDisconnected, ConnectionResetError):
        return get(address)
    except URLError as error:
        if isinstance(error.reason, ConnectionResetError):
            return get(address)
        raise


class Visitor(threading.Thread):
    """Asks again and again, and counts what went wrong."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address, self.over = address, threading.Event()
        self.asked, self.failures = 0, []
        self.start()

    def run(self) -> None:
        while not self.over.wait(0.02):
            try:
                asked(self.address)
                self.asked += 1
            except (URLError, OSError) as error:
                self.failures.append(str(error))

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.join(60)


def test_the_gateway_answers_with_what_the_containers_say(kind: Kind) -> None:
    said = kind.deploy()
    name, path, length, seed, _ = get(f"{url(said)}/api/orders").split()
    assert (name, path, int(length), seed) == ("Ada", "/orders", len(PASSWORD), "seeded")
    assert get(f"{url(said)}/api").split()[1] == "/" and get(f"{url(said)}/other").split()[1] == "/other"
    kind.plan(code=0)
    again = kind.deploy()
    assert "no changes" in again and f"gate  Applications.Core/gateways  {url(said)}" in again


def test_a_route_changes_without_a_request_that_fails(kind: Kind) -> None:
    address = url(kind.deploy())
    with Visitor(f"{address}/api/x") as visitor:
        said = kind.deploy("route=/site")
    assert "app/gate/proxy" in said and "0 replaced" not in said and "replaced  app/gate" not in said
    assert visitor.asked > 3 and not visitor.failures
    assert url(said) == address
    with pytest.raises(URLError, match="404"):
        get(f"{address}/other")


def test_a_replacement_keeps_the_address_and_runs_what_prepares_again(kind: Kind) -> None:
    address = url(kind.deploy())
    said = kind.deploy("name=Bob")
    assert url(said) == address and get(f"{address}/api/").startswith("Bob / ")
    assert "replaced  app/web/web-0-seed" in said and "replaced  app/web/web-0" in said


def test_scaling_is_seen_through_the_gateway_and_replaces_nothing(kind: Kind) -> None:
    address = url(kind.deploy())
    first = get(f"{address}/api").split()[-1]
    said = kind.deploy("replicas=3")
    assert "replaced" not in said
    deadline, names = time.monotonic() + 120, set()
    while len(names) < 3 and time.monotonic() < deadline:
        names.add(get(f"{address}/api").split()[-1])
    assert len(names) == 3 and first in names
    with Visitor(f"{address}/api") as visitor:
        kind.deploy("replicas=1")
    assert not visitor.failures
    assert {get(f"{address}/api").split()[-1] for _ in range(6)} == {first}


def test_what_cannot_run_leaves_what_runs_alone(kind: Kind) -> None:
    address = url(kind.deploy())
    said = kind.deploy("image=127.0.0.1:9/no/such:1", ok=(1,) if kind.name == "docker" else (0,), timeout=60)
    if kind.name == "docker":
        assert "cannot be pulled" in said
        assert get(f"{address}/api").startswith("Ada"), "the old one goes on until the new image is there"
    kind.deploy()


def test_one_that_never_gets_ready_fails_at_the_deadline_with_the_reason(kind: Kind) -> None:
    said = kind.deploy(
        "program=import time; print('cannot open the till'); time.sleep(60)", ok=(1, 2, 3, 4), timeout=20
    )
    assert "its readiness probe" in said and "app/web/web-0" in said
    kind.deploy()


def test_killed_at_any_moment_it_makes_nothing_twice(kind: Kind) -> None:
    kind.run(*kind.words("destroy", "--yes"))
    assert not kind.left()
    for seconds in (0.8, 1.2, 1.9, 2.8):
        process = subprocess.Popen(
            kind.words("deploy", "-p", f"password={PASSWORD}"),
            cwd=kind.folder,
            env=kind.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    said = kind.deploy()
    assert get(f"{url(said)}/api").startswith("Ada")
    if kind.name == "docker":  # network, volume, secrets, seed, web, agent, proxy
        assert len(kind.left()) == 7, kind.left()
    kind.plan(code=0)


def test_no_secret_is_in_state_or_arguments(kind: Kind) -> None:
    kind.deploy()
    held = [f for f in (kind.folder / ".ulna").rglob("*") if f.is_file() and PASSWORD.encode() in f.read_bytes()]
    assert [f.parent.name for f in held] == ["secrets"]
    assert all(f.stat().st_mode & 0o077 == 0 for f in held)
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                assert PASSWORD.encode() not in (folder / "cmdline").read_bytes()
            except OSError:
                continue


def test_tls_ends_at_the_gateway_and_another_deployment_reads_the_store(kind: Kind) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    pem, key = kind.folder / "tls.crt", kind.folder / "tls.key"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=shop.example"]
    words += ["-addext", "subjectAltName=DNS:shop.example", "-keyout", str(key), "-out", str(pem)]
    subprocess.run(words, check=True, capture_output=True)
    given = ["-p", f"cert={b64encode(pem.read_bytes()).decode()}", "-p", f"key={key.read_text()}"]
    said = kind.run(str(ULNA), "deploy", "shop/tls.bicep", "-e", kind.name, *given)
    assert url(said).startswith("https://shop.example:")
    port = int(url(said).rpartition(":")[2])
    context = ssl.create_default_context(cafile=str(pem))
    plain = socket.create_connection(("127.0.0.1", port), 60)
    with plain, context.wrap_socket(plain, server_hostname="shop.example") as talk:
        assert talk.version() == "TLSv1.3"
        talk.sendall(b"GET / HTTP/1.0\r\nHost: shop.example\r\n\r\n")
        assert b"200 OK" in talk.recv(200)
    try:
        kind.run(str(ULNA), "deploy", "shop/reader.bicep", "-e", kind.name)
        wanted = f"by id {len(pem.read_text().strip())} by name {len(key.read_text().strip())}"
        deadline = time.monotonic() + 120
        while wanted not in (told := kind.run(str(ULNA), "logs", "reader", "-e", kind.name, ok=(0, 1))):
            assert time.monotonic() < deadline, told
            time.sleep(0.5)
    finally:
        kind.run(str(ULNA), "destroy", "shop/reader.bicep", "-e", kind.name, "--yes")
        kind.run(str(ULNA), "destroy", "shop/tls.bicep", "-e", kind.name, "--yes")


def test_destroying_leaves_nothing(kind: Kind) -> None:
    kind.deploy()
    assert kind.left()
    kind.run(*kind.words("destroy", "--yes"))
    assert not kind.left()
