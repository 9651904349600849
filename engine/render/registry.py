"""The operators of one environment: those of the installed providers, and the engine's own for the app model."""

from __future__ import annotations

from pathlib import Path

from engine.app.operator import TYPES, AppOperator
from engine.contract.discover import Providers
from engine.contract.operator import Environment


def open_registry(folder: Path, environment: Environment | None) -> Providers:
    """The operators for an environment; each provider keeps its files below `folder`, which is the environment's own."""
    providers = Providers(folder, environment)
    providers.add(AppOperator(providers), TYPES)
    return providers
