"""The operators of one environment: those of the installed providers, and the engine's own for the app model."""

from __future__ import annotations

from pathlib import Path

from engine.contract.discover import Providers
from engine.contract.operator import Environment, Operator


def open_registry(folder: Path, environment: Environment | None) -> Providers:
    """The operators for an environment; each provider keeps its files below `folder`, which is the environment's own."""
    providers = Providers(folder, environment)
    add_app(providers)
    return providers


def add_app(providers: Providers) -> None:
    """Let the engine's own operator bid for the app model; it is loaded when there is any of it."""

    def make() -> Operator:
        from engine.app.operator import AppOperator

        return AppOperator(providers)

    providers.add(tuple(f"Applications.{n}/*" for n in ("Core", "Dapr", "Datastores", "Messaging")), make)
