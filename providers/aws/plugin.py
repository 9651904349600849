"""The provider `aws`: its operators share one client of the account and region of their environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform


class AwsProvider:
    """Serves `AWS.*`, `Ulna.Ecs/*`, the compute kind `ecs`, and by hand-off what it can emulate."""

    name = "aws"
    types: tuple[str, ...] = (
        "Ulna.Ecs/*",
        "AWS.*",
        "Microsoft.Cache/redis",
        "Microsoft.DBforPostgreSQL/flexibleServers",
    )
    kinds: tuple[str, ...] = ("ecs",)

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """Native types and Cloud Control, of one environment."""
        from providers.aws.client import Client
        from providers.aws.cloudcontrol import CloudControlOperator
        from providers.aws.native import NativeOperator
        from providers.aws.target import target_of

        client = Client(site.folder, target_of(site.environment))
        return NativeOperator(client), CloudControlOperator(client)

    def platform(self, kind: str) -> Platform:
        """The one kind it has."""
        from providers.aws.platform import EcsPlatform

        if kind != "ecs":
            raise KeyError(kind)
        return EcsPlatform()

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """They come with Ulna, or are AWS's own."""
        return {}


provider = AwsProvider()
