"""The azure operator passes what every operator must, for types of all sorts, on the stand-in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.contract.conformance import OTHER, TOKEN, OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.value import Secret, Value

CONTAINER = "Microsoft.ContainerInstance/containerGroups"


class OnTheStandIn(OperatorConformance):
    __test__ = False
    patience = 90.0
    type, name, version = "", "thing", ""

    @pytest.fixture(autouse=True)
    def _with(self, lab, make) -> None:
        self.lab, self.make = lab, make

    @pytest.fixture(autouse=True)
    def _leaves_nothing(self, _with) -> Iterable[None]:
        before = set(self.lab.arm.world.all())
        yield
        assert set(self.lab.arm.world.all()) == before | self.needed(), "a conforming operator deletes what it made"

    def needed(self) -> set[str]:
        return set()

    def operator(self, folder: Path) -> Operator:
        return self.lab.operator


class TestContainerGroups(OnTheStandIn):
    __test__ = True

    def resource(self, folder: Path, **more: Value) -> Resource:
        container = {
            "name": "web",
            "properties": {
                "image": more.pop("image", "web:1"),
                "resources": {"requests": {"cpu": more.pop("cpu", 1), "memoryInGB": 1.5}},
                "environmentVariables": [
                    {"name": "KEY", "secureValue": Secret("key", more.pop("digest", "digest"))},
                    {"name": "LEVEL", "value": "info"},
                ],
            },
        }
        location = more.pop("location", "West Europe")
        wish = {"osType": "Linux", "restartPolicy": "Always", "containers": [container], **more}
        return self.make(CONTAINER, "web", "2025-09-01", wish, location=location, tags={"team": "shop"})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, image="web:2")
        yield self.resource(folder, cpu=2)
        yield self.resource(folder, digest="other")
        yield self.resource(folder, restartPolicy="Never")
        yield self.resource(folder, location="northeurope")

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}


class TestNetworks(OnTheStandIn):
    __test__ = True

    def resource(self, folder: Path, prefix: str = "10.0.0.0/16", **more: Value) -> Resource:
        wish = {
            "addressSpace": {"addressPrefixes": [prefix]},
            "subnets": [{"name": "b", "properties": {"addressPrefix": "10.0.1.0/24"}}],
            **more,
        }
        return self.make("Microsoft.Network/virtualNetworks", "net", "2024-10-01", wish, location="westeurope")

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, "10.0.0.0/8")
        yield self.resource(folder, enableDdosProtection=True)


class TestSubnets(OnTheStandIn):
    """A type without tags, which stands in its parent as well."""

    __test__ = True
    type, name, version = "Microsoft.Network/virtualNetworks/subnets", "net/a", "2024-10-01"

    @pytest.fixture(autouse=True)
    def _parent(self, _with) -> None:
        parent = TestNetworks.resource(self, Path(), subnets=[])  # type: ignore[arg-type]
        self.lab.operator.create(parent, "parent#1", self.lab.call)

    def needed(self) -> set[str]:
        return {i for i in self.lab.arm.world.all() if i.endswith("/virtualNetworks/net")}

    def resource(self, folder: Path, prefix: str = "10.0.2.0/24") -> Resource:
        return self.make(self.type, self.name, self.version, {"addressPrefix": prefix})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, "10.0.3.0/24")


class TestStorageAccounts(OnTheStandIn):
    """A type that answers with 202 and a Location."""

    __test__ = True

    def resource(self, folder: Path, tier: str = "Hot") -> Resource:
        more = {"location": "westeurope", "sku": {"name": "Standard_LRS"}, "kind": "StorageV2"}
        wish = {"accessTier": tier, "minimumTlsVersion": "TLS1_2"}
        return self.make("Microsoft.Storage/storageAccounts", "stshop", "2023-05-01", wish, **more)

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, "Cool")


class TestIdentities(OnTheStandIn):
    """A type without properties, and without operations that take long."""

    __test__ = True

    def resource(self, folder: Path, team: str = "a") -> Resource:
        type = "Microsoft.ManagedIdentity/userAssignedIdentities"
        return self.make(type, "web", "2024-11-30", location="westeurope", tags={"team": team})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, "b")


class TestRoleAssignments(OnTheStandIn):
    """A type that extends another, has no tags, and a value that is made as it is sent."""

    __test__ = True
    name = "0d8a58a4-0a4e-4d3a-9a3a-4d7d4b6a5b0d"

    def resource(self, folder: Path, principal: str = "p1") -> Resource:
        scope = self.lab.group
        wish = {
            "roleDefinitionId": {"$role": {"scope": scope, "name": "Reader"}},
            "principalId": principal,
            "principalType": "ServicePrincipal",
        }
        made = self.make("Microsoft.Authorization/roleAssignments", self.name, "2022-04-01", wish)
        return made.replace(id=f"{scope}/providers/Microsoft.Authorization/roleAssignments/{self.name}")

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, "p2")


class TestVaultSecrets(OnTheStandIn):
    """A type that can only be removed by the service itself."""

    __test__ = True

    @pytest.fixture(autouse=True)
    def _parent(self, _with) -> None:
        wish = {"tenantId": "t", "sku": {"family": "A", "name": "standard"}, "enableRbacAuthorization": True}
        vault = self.make("Microsoft.KeyVault/vaults", "kv", "2025-05-01", wish, location="westeurope")
        self.lab.operator.create(vault, "vault#1", self.lab.call)

    def needed(self) -> set[str]:
        return {i for i in self.lab.arm.world.all() if i.endswith("/vaults/kv")}

    def resource(self, folder: Path, digest: str = "digest") -> Resource:
        wish = {"value": Secret("key", digest)}
        return self.make("Microsoft.KeyVault/vaults/secrets", "kv/shop-key", "2025-05-01", wish, tags={"a": "b"})

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, "other")

    def secrets(self) -> dict[str, Value]:
        return {"key": "do-not-tell-anyone"}

    def test_what_is_deleted_and_kept_can_be_brought_back_or_purged(self) -> None:
        from engine.contract.errors import Terminal

        secret = self.resource(Path())
        self.lab.arm.world.faults.add("deletedsecrets", status=403, code="Forbidden")
        self.lab.operator.create(secret, TOKEN, self.lab.call)
        self.lab.operator.delete(secret, TOKEN, self.lab.call)
        with pytest.raises(Terminal) as refused:
            self.lab.operator.create(secret, OTHER, self.lab.call)
        assert "az keyvault secret purge" in refused.value.help


class TestResourceGroups(OnTheStandIn):
    __test__ = True

    def resource(self, folder: Path, **tags: str) -> Resource:
        id = self.lab.group.rpartition("/")[0] + "/more"
        type = "Microsoft.Resources/resourceGroups"
        return Resource(
            "app/more", type, "2025-04-01", "more", id, {"location": "westeurope", "tags": tags or {"a": "b"}}
        )

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield self.resource(folder, a="c")


def test_a_hand_over_by_tag_and_a_refusal_without(lab, make) -> None:
    """What another made is not touched, unless it says that it is ours now."""
    mine = make(
        "Microsoft.Network/virtualNetworks",
        "net",
        "2024-10-01",
        {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}},
        location="westeurope",
    )
    lab.arm.world.put(mine.id, "2024-10-01", dict(mine.properties), False)
    from engine.contract.errors import Terminal

    with pytest.raises(Terminal, match="there already") as refused:
        lab.operator.create(mine, TOKEN, lab.call)
    assert "existing" in refused.value.help
    home = (lab.folder / "azure" / "home").read_text()
    lab.arm.world.stored[mine.id.lower()].body["tags"] = {"ulna.home": home}
    assert lab.operator.create(mine, TOKEN, lab.call).token == TOKEN
    lab.operator.delete(mine, OTHER, lab.call)
    assert lab.operator.observe(mine, TOKEN, lab.call) is not None, "another token does not delete it"
    lab.operator.delete(mine, TOKEN, lab.call)
