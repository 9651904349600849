"""The provider `azure`: one operator for every type of Azure, which shares one connection, and the compute kind `aci`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform


class AzureProvider:
    """Serves `Microsoft.*`, and the compute kind `aci`."""

    name = "azure"
    types: tuple[str, ...] = ("Microsoft.*",)
    kinds: tuple[str, ...] = ("aci",)

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """The one operator, for the cloud and the account of an environment."""
        from providers.azure.arm import ArmOperator
        from providers.azure.client import Client
        from providers.azure.marks import Marks
        from providers.azure.target import target_of

        target = target_of(site.environment)
        return (ArmOperator(Client(target), Marks(site.folder, target.environment)),)

    def platform(self, kind: str) -> Platform:
        """The one kind it has."""
        from providers.azure.platform import AciPlatform

        if kind != "aci":
            raise KeyError(kind)
        return AciPlatform()

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """Azure checks its own types."""
        return {}


provider = AzureProvider()
