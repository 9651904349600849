"""A stand-in for Azure, and operators that talk to it over its socket; what of the requests was not as Azure's files say fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import TestCall
from engine.contract.operator import Environment
from engine.contract.resource import Resource
from providers.azure.arm import ArmOperator
from providers.azure.client import Client
from providers.azure.marks import Marks
from providers.azure.target import target_of
from tests.fakes.arm.openapi import FILES
from tests.fakes.arm.server import Arm

UNPUBLISHED = {
    "microsoft.storage/storageaccounts",
    "microsoft.storage/storageaccounts/listkeys",
    "microsoft.storage/storageaccounts/fileservices/shares",
    "microsoft.authorization/roledefinitions",
}
GROUP = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop"


class Lab:
    """Operators over a folder and a stand-in."""

    def __init__(self, folder: Path, arm: Arm) -> None:
        self.folder = folder
        self.arm = arm
        self.call = TestCall({"password": "correct-horse-battery-staple", "key": "do-not-tell-anyone"})
        self.group = arm.group("shop")
        self.clients: list[Client] = []

    @property
    def environment(self) -> Environment:
        compute = {"kind": "aci", "cloud": {"resourceManager": self.arm.url}}
        return Environment("test", "aci", "/e/test", {"compute": compute, "providers": {"azure": {"scope": GROUP}}})

    @property
    def operator(self) -> ArmOperator:
        """Another Ulna over the same state."""
        self.clients.append(Client(target_of(self.environment)))
        return ArmOperator(self.clients[-1], Marks(self.folder / "azure", "test"))

    def end(self) -> None:
        for client in self.clients:
            client.close()


@pytest.fixture
def arm() -> Iterator[Arm]:
    if not FILES.is_dir():
        pytest.skip("shared/data/azure-openapi is not there")
    with Arm() as made:
        yield made
        assert not made.violations
        assert not made.own_faults
        assert made.unpublished <= UNPUBLISHED


@pytest.fixture
def lab(tmp_path: Path, arm: Arm) -> Iterator[Lab]:
    made = Lab(tmp_path, arm)
    yield made
    made.end()


def resource(type: str, name: str, version: str, properties: Any = None, **more: Any) -> Resource:
    """A resource in the group of the tests; `name` has the names of its parents before it, if it has any."""
    namespace, *types = type.split("/")
    pairs = "/".join(f"{t}/{n}" for t, n in zip(types, name.split("/"), strict=True))
    wish = dict(more)
    if properties is not None:
        wish["properties"] = properties
    id = f"{GROUP}/providers/{namespace}/{pairs}"
    return Resource(f"app/{name.replace('/', '-')}", type, version, name, id, wish)


@pytest.fixture
def make() -> Callable[..., Resource]:
    return resource
