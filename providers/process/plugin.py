"""The provider `process`: its operators share one folder below the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform
from engine.contract.secretfiles import SecretFileOperator
from providers.process.balancers import BalancerOperator
from providers.process.folders import FolderOperator
from providers.process.gateways import GatewayOperator
from providers.process.platform import ProcessPlatform
from providers.process.ports import PortOperator
from providers.process.processes import ProcessOperator


class ProcessProvider:
    """Serves `Ulna.Process/*`, the compute kind `process`, and by hand-off what it can emulate."""

    name = "process"
    types: tuple[str, ...] = ("Ulna.Process/*", "Microsoft.Cache/redis", "Microsoft.DBforPostgreSQL/flexibleServers")
    kinds: tuple[str, ...] = ("process",)

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """Processes and all that they need, of one environment."""
        running = site.folder / "running"
        secrets = SecretFileOperator("secrets", "ulna.process/secrets", site.folder / "secrets")
        return (
            ProcessOperator(running, secrets.files),
            BalancerOperator(running, secrets.files),
            GatewayOperator(running, secrets.files),
            PortOperator(site.folder / "ports"),
            FolderOperator(site.folder / "volumes"),
            secrets,
        )

    def platform(self, kind: str) -> Platform:
        """The one kind it has."""
        if kind != "process":
            raise KeyError(kind)
        return ProcessPlatform()

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """Its types are made by the platform, and need no checks."""
        return {}


provider = ProcessProvider()
