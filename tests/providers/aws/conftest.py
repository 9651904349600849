"""An AWS emulator whose ECS tasks are real containers, another for what it lacks, and a place to put things into them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from engine.contract.conformance import TestCall
from engine.contract.operator import Observed
from engine.contract.resource import Resource
from providers.aws.client import Client
from providers.aws.native import NativeOperator
from providers.aws.target import Target, session_of
from tests.ports import free

TOOLS = Path(__file__).parents[4] / "shared" / "tools"
SECRET = "correct-horse-battery-staple"
PYTHON = "localhost/python:3"


@pytest.fixture(scope="session")
def emulator() -> Iterator[str]:
    """The address of ministack; the environment has what the SDK needs."""
    pytest.importorskip("boto3", reason="boto3 is not installed (ulna[aws])")
    tool = TOOLS / "ministack-up"
    if not tool.exists():
        pytest.skip("shared/tools is not there")
    for command in ([TOOLS / "docker-up", "--images"], [tool]):
        run = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
        if run.returncode == 69:
            pytest.skip(run.stderr.splitlines()[-1])
        assert run.returncode == 0, run.stderr
        for line in run.stdout.splitlines():
            name, _, value = shlex.split(line)[1].partition("=")
            os.environ[name] = value
    yield os.environ["AWS_ENDPOINT_URL"]


@pytest.fixture(scope="session")
def moto() -> Iterator[str]:
    """The address of moto's server: for application autoscaling, which ministack has not."""
    pytest.importorskip("moto", reason="moto is not installed")
    for _ in range(5):  # another may take the port before moto does
        port = free()
        command = [sys.executable, str(Path(__file__).parents[2] / "fakes" / "moto_server.py"), str(port)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{port}"
        if _answers(process, f"{address}/moto-api/"):
            break
    else:
        raise AssertionError("moto does not come up")
    yield address
    process.terminate()
    process.wait(120)


def _answers(process: subprocess.Popen[bytes], address: str, patience: float = 180) -> bool:
    """Whether a server comes up; False if it ends instead."""
    import urllib.request

    deadline = time.monotonic() + patience
    while process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=30).close()
            return True
        except OSError:
            assert time.monotonic() < deadline, f"{address} does not answer"
            time.sleep(0.2)
    return False


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials that an emulator takes."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


class Sdk:
    """Sessions whose clients are made once for all tests of a process: to make one costs more than most calls."""

    made: ClassVar[dict[tuple[Any, ...], Any]] = {}

    def __init__(self, target: Target) -> None:
        self.target = target

    def client(self, service: str, **settings: Any) -> Any:
        told = tuple(os.environ.get(n) for n in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_CONFIG_FILE"))
        key = (self.target, service, told)
        if key not in self.made:
            self.made[key] = session_of(self.target).client(service, **settings)
        return self.made[key]


@pytest.fixture(scope="session", autouse=True)
def _clients_are_shared() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("providers.aws.client.session_of", Sdk)
        yield
    for client in Sdk.made.values():
        client.close()
    Sdk.made.clear()


class Lab:
    """Operators over a folder and an emulator; what is made here goes with the test."""

    def __init__(self, folder: Path, address: str, monkeypatch: pytest.MonkeyPatch, account: str = "") -> None:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        self.folder = folder
        self.account = account
        self.call = TestCall({"password": SECRET})
        self.made: list[tuple[Resource, str]] = []

    def again(self) -> NativeOperator:
        """Another Ulna over the same state."""
        return NativeOperator(Client(self.folder / "aws", Target("test", self.account, "us-east-1")))

    def raw(self, service: str) -> Any:
        """The SDK itself."""
        return Sdk(Target("test", self.account, "us-east-1")).client(service)

    def create(self, resource: Resource, token: str = "") -> Observed:
        token = token or f"{resource.address}#1"
        self.made.append((resource, token))
        return self.again().create(resource, token, self.call)

    def look(self, resource: Resource, token: str = "") -> Observed | None:
        return self.again().observe(resource, token or f"{resource.address}#1", self.call)

    def until(self, resource: Resource, wanted: Callable[[Any], bool], patience: float = 120) -> Observed:
        deadline = time.monotonic() + patience
        while True:
            seen = self.look(resource)
            if wanted(seen):
                return seen  # type: ignore[return-value]
            assert time.monotonic() < deadline, seen
            time.sleep(0.3)

    def end(self) -> None:
        from engine.contract.errors import Transient

        for resource, token in reversed(self.made):
            for _ in range(40):
                try:
                    self.again().delete(resource, token, self.call)
                    break
                except Transient:
                    time.sleep(0.3)
        left = [r.address for r, t in self.made if self.look(r, t) is not None]
        assert not left, f"left behind: {left}"


@pytest.fixture
def lab(tmp_path: Path, emulator: str, keys: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    made = Lab(tmp_path, emulator, monkeypatch)
    yield made
    made.end()


@pytest.fixture
def moto_lab(tmp_path: Path, moto: str, keys: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    made = Lab(tmp_path, moto, monkeypatch)
    yield made
    made.end()


@pytest.fixture
def make() -> Callable[..., Resource]:
    return thing


def thing(type: str, symbol: str, **wish: Any) -> Resource:
    """A resource as the platform renders one."""
    address = f"env/{symbol}"
    return Resource(address, type, "default", symbol, f"/aws/{symbol}", {"properties": wish}, owner="env")
