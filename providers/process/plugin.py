"""The provider `process`: its operators share one folder below the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform
from providers.process.balancers import BalancerOperator
from providers.process.platform import ProcessPlatform
from providers.process.ports import PortOperator
from providers.process.processes import ProcessOperator


class ProcessProvider:
    """Serves `Ulna.Process/*`, and the compute kind `process`."""

    name = "process"
    types: tuple[str, ...] = ("Ulna.Process/*",)
    kinds: tuple[str, ...] = ("process",)

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """Processes, balancers and ports of one environment."""
        running = site.folder / "running"
        return ProcessOperator(running), BalancerOperator(running), PortOperator(site.folder / "ports")

    def platform(self, kind: str) -> Platform:
        """The one kind it has."""
        if kind != "process":
            raise KeyError(kind)
        return ProcessPlatform()

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """Its types are made by the platform, and need no checks."""
        return {}


provider = ProcessProvider()
