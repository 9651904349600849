"""The docker operators pass what every operator must, on a real engine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.contract.conformance import OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.secretfiles import SecretFileOperator
from engine.contract.value import Secret, Value

pytestmark = pytest.mark.e2e


class OnAnEngine(OperatorConformance):
    __test__ = False
    patience = 60.0

    @pytest.fixture(autouse=True)
    def _with(self, lab, make) -> None:
        self.lab, self.make = lab, make

    @pytest.fixture(autouse=True)
    def _leaves_nothing(self, lab, _with) -> Iterable[None]:
        yield
        assert not lab.all(), "a conforming operator deletes what it made"


class TestContainers(OnAnEngine):
    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return self.lab.containers

    def resource(self, folder: Path) -> Resource:
        options = {"Env": {"KEY": Secret("key", "digest")}, "HostConfig": {"Memory": 1 << 28, "MemorySwap": 1 << 28}}
        ports = {"listens": {"http": "8000/tcp"}, "publish": {"8000/tcp": 28000}}
        readiness = {"kind": "tcp", "port": 8000, "delay": 0, "period": 1, "timeout": 1, "threshold": 3}
        return self.make("httpd", "-f", "-p", "8000", options=options, readiness=readiness, **ports)

    def changes(self, folder: Path) -> Iterable[Resource]:
        def changed(**change: Value) -> Resource:
            resource = self.resource(folder)
            wish = dict(resource.properties["properties"])
            options = {**wish["options"], **{k: v for k, v in change.items() if k[0].isupper()}}
            if host := change.get("HostConfig"):
                options["HostConfig"] = {**wish["options"]["HostConfig"], **host}
            return resource.replace(properties={"properties": {**wish, "options": options}})

        yield changed(HostConfig={"Memory": 1 << 27, "MemorySwap": 1 << 28})
        yield changed(HostConfig={"RestartPolicy": {"Name": "no"}})
        yield changed(Cmd=["httpd", "-f", "-p", "8001"])
        yield changed(Env={"KEY": Secret("key", "other")})

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}


class TestNetworks(OnAnEngine):
    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return self.lab.networks

    def resource(self, folder: Path, **more: Value) -> Resource:
        wish = {"name": "test-shop", "driver": "bridge", "labels": {"a": "b"}, **more}
        return Resource("app/shop/network", "Ulna.Docker/networks", "2026-12-01", "network", "/n", {"properties": wish})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, labels={"a": "c"})
        yield self.resource(folder, driver="macvlan")


class TestVolumes(OnAnEngine):
    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return self.lab.volumes

    def resource(self, folder: Path, **more: Value) -> Resource:
        wish = {"labels": {"a": "b"}, **more}
        return Resource("app/data", "Ulna.Docker/volumes", "2026-12-01", "data", "/v/data", {"properties": wish})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, labels={"a": "c"})
        yield self.resource(folder, options={"type": "tmpfs", "device": "tmpfs"})


class TestGateways(OnAnEngine):
    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return self.lab.gateways

    def resource(self, folder: Path) -> Resource:
        return self.lab.gateway({"path": "/", "name": "nobody", "port": 80})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.lab.gateway({"path": "/", "name": "somebody", "port": 80})
        yield self.lab.gateway({"path": "/", "name": "nobody", "port": 80}, hostname="shop.example")
        yield self.lab.gateway({"path": "/", "name": "nobody", "port": 80}, image="localhost/other:1")


class TestSecretStores(OnAnEngine):
    __test__ = True

    def operator(self, folder: Path) -> Operator:
        return SecretFileOperator("docker-secrets", "ulna.docker/secrets", folder)

    def resource(self, folder: Path) -> Resource:
        wish = {"store": "/stores/keys", "kind": "generic", "data": {"key": Secret("key", "digest")}}
        return Resource("app/s", "Ulna.Docker/secrets", "2026-12-01", "secrets", "/s", {"properties": wish})

    def changes(self, folder: Path) -> Iterable[Resource]:
        wish = {"store": "/stores/keys", "kind": "generic", "data": {"key": Secret("key", "other")}}
        yield self.resource(folder).replace(properties={"properties": wish})

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}
