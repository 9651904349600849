"""A provider: a plugin, found by the entry-point group `ulna.providers`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform


class Provider(Protocol):
    """What an entry point gives. `types` names the resource types its operators bid for (`Ns/type`, `Ns/*`, or `Root.*`),
    so that a provider is loaded only when a template needs it.
    """

    name: str
    types: tuple[str, ...]
    kinds: tuple[str, ...]

    def operators(self, site: Site) -> Iterable[Operator]:
        """Operators for one environment."""

    def platform(self, kind: str) -> Platform:
        """The platform for one of its `kinds`."""

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """JSON schemas of the resource types it adds, by `Ns/type@version`."""
