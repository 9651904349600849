"""A real Docker engine, and a place to put containers into it; what a test leaves there is a failure of the test."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import TestCall
from engine.contract.operator import Observed, Operator
from engine.contract.resource import Resource
from providers.docker.adopted import HOME
from providers.docker.client import Client
from providers.docker.containers import ContainerOperator
from providers.docker.gateway import PROGRAM
from providers.docker.gateways import GatewayOperator
from providers.docker.networks import NetworkOperator
from providers.docker.target import Target
from providers.docker.volumes import VolumeOperator
from tests.providers.docker.proxy_image import provide

TOOLS = Path(__file__).parents[4] / "shared" / "tools"
BUSYBOX = "localhost/busybox:1"
PYTHON = "localhost/python:3"


@pytest.fixture(scope="session")
def engine() -> str:
    """The address of an engine with the images that tests use."""
    tool = TOOLS / "docker-up"
    if not tool.exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([tool, "--fresh", "--images"], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    (line,) = run.stdout.splitlines()
    name, _, value = shlex.split(line)[1].partition("=")
    os.environ[name] = value
    return value


class Lab:
    """Operators over a folder and an engine; what is made here goes with the test."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder = folder
        self.host = host
        self.call = TestCall({"password": "correct-horse-battery-staple"})
        self.clients: list[Client] = []
        self.client = self.again()

    def again(self) -> Client:
        """Another Ulna over the same state."""
        self.clients.append(Client(self.folder / "docker", Target("test", self.host)))
        return self.clients[-1]

    @property
    def containers(self) -> ContainerOperator:
        return ContainerOperator(self.again())

    @property
    def gateways(self) -> GatewayOperator:
        return GatewayOperator(self.again())

    def gateway(self, *routes: dict[str, Any], image: str = "", port: int = 28800, **more: Any) -> Resource:
        """A gateway with these routes."""
        options = {
            "Image": image or provide(self.client.api),
            "Entrypoint": PROGRAM,
            "ExposedPorts": {"80/tcp": {}},
            "StopTimeout": 1,
            "HostConfig": {"RestartPolicy": {"Name": "unless-stopped"}},
        }
        wish = {"name": "test-gate", "state": "running", "pull": "Never", "options": options, "routes": list(routes)}
        wish |= {"listens": {"http": "80/tcp"}, "publish": {"80/tcp": port}, **more}
        return Resource(
            "app/gate/proxy", "Ulna.Docker/gateways", "2026-12-01", "proxy", "/g/proxy", {"properties": wish}
        )

    @property
    def networks(self) -> NetworkOperator:
        return NetworkOperator(self.again())

    @property
    def volumes(self) -> VolumeOperator:
        return VolumeOperator(self.again())

    def until(
        self,
        resource: Resource,
        wanted: Callable[[Observed], bool],
        token: str = "app/web/web-0#1",
        patience: float = 120,
    ) -> Observed:
        operator: Operator = self.containers
        deadline = time.monotonic() + patience
        while True:
            seen = operator.observe(resource, token, self.call)
            if seen is not None and wanted(seen):
                return seen
            assert time.monotonic() < deadline, seen
            time.sleep(0.2)

    def all(self) -> list[dict[str, Any]]:
        """What the engine has of ours, by the engine's own words."""
        home = self.client.home
        if not home:
            return []
        filters = {"label": [f"{HOME}={home}"]}
        api = self.client.api
        volumes = api.volumes(filters=filters)["Volumes"] or []
        return [*api.containers(all=True, filters=filters), *api.networks(filters=filters), *volumes]

    def end(self) -> None:
        """Remove whatever is left."""
        api = self.client.api
        for found in self.all():
            if "Image" in found:
                api.remove_container(found["Id"], v=True, force=True)
        for found in self.all():
            if "Mountpoint" in found:
                api.remove_volume(found["Name"])
            else:
                api.remove_network(found["Id"])
        for client in self.clients:
            client.close()


def container(*command: str, **more: Any) -> Resource:
    """A container of busybox that runs a command."""
    options = {"Image": BUSYBOX, "StopTimeout": 1, "HostConfig": {"RestartPolicy": {"Name": "unless-stopped"}}}
    if command:
        options["Cmd"] = list(command)
    for key, value in more.pop("options", {}).items():
        both = isinstance(value, dict) and isinstance(options.get(key), dict)
        options[key] = {**options[key], **value} if both else value  # type: ignore[dict-item]
    wish = {"name": "test-web-0", "state": "running", "pull": "Never", "options": options, **more}
    return Resource("app/web/web-0", "Ulna.Docker/containers", "2026-12-01", "web-0", "/c/web-0", {"properties": wish})


@pytest.fixture
def lab(tmp_path: Path, engine: str) -> Iterator[Lab]:
    made = Lab(tmp_path, engine)
    yield made
    made.end()


@pytest.fixture
def make() -> Callable[..., Resource]:
    return container
