"""The provider `core`: it must load in a few milliseconds, so it needs nothing but the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform
from providers.core.values import ValuesOperator


class CoreProvider:
    """Serves `Ulna.Core/*`; has no compute kind."""

    name = "core"
    types: tuple[str, ...] = ("Ulna.Core/*",)
    kinds: tuple[str, ...] = ()

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """Values have no effects, so they need no folder."""
        return (ValuesOperator(),)

    def platform(self, kind: str) -> Platform:
        """There is none."""
        raise KeyError(kind)

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """They come with Ulna."""
        return {}


provider = CoreProvider()
