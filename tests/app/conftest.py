"""A desired graph from a few words, rendered for an environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.app.environment import default_environment, id_of
from engine.contract.discover import Listing, Providers
from engine.contract.operator import Environment
from engine.contract.resource import Resource, Wait
from engine.contract.value import Deferred, Output, Secret, decode
from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Source, Span
from engine.expand.desired import Desired
from engine.render.native import Native
from engine.render.registry import add_app
from engine.render.render import render

VERSIONS = {
    **{f"Applications.{n}": "2023-10-01-preview" for n in ("Core", "Dapr", "Datastores", "Messaging")},
    "Ulna.Core": "2026-12-01",
}
PROCESS = Listing("process", "providers.process:provider", ("Ulna.Process/*",), ("process",))
SOURCE = Source("shop/app.bicep", "resource")


class World:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment: Environment | None = default_environment()

    def id(self, type: str, name: str) -> str:
        return id_of(type if "/" in type else f"Applications.Core/{type}", name)

    def resource(
        self, symbol: str, type: str = "containers", properties: Any = None, waits: tuple[str, ...] = (), **more: Any
    ) -> Resource:
        type = type if "/" in type else f"Applications.Core/{type}"
        name = more.pop("name", symbol)
        body = {"properties": decode(self._ids(properties or {})), **more.pop("body", {})}
        version = more.pop("version", VERSIONS.get(type.partition("/")[0], "2026-12-01"))
        gates = tuple(Wait(f"app/{w}") for w in waits)
        origin = Label(SOURCE, Span(0, 8))
        return Resource(f"app/{symbol}", type, version, name, self.id(type, name), body, gates, origin=origin, **more)

    def _ids(self, value: Any) -> Any:
        """`application: shop` becomes the id of the application, `@backend` the id of a container."""
        if isinstance(value, dict):
            return {
                k: self.id("applications", v)
                if k == "application" and isinstance(v, str) and "/" not in v
                else self.id("environments", v)
                if k == "environment" and isinstance(v, str) and "/" not in v
                else self._ids(v)
                for k, v in value.items()
            }
        if isinstance(value, list):
            return [self._ids(v) for v in value]
        if isinstance(value, str) and value.startswith("@"):
            name, _, type = value[1:].partition(":")
            return self.id(type or "containers", name)
        return value

    def container(self, symbol: str = "web", container: Any = None, **properties: Any) -> Resource:
        waits = properties.pop("waits", ())
        inner = {
            "application": "shop",
            "container": {"image": "shop/web", **(container or {})},
            "runtimes": {"process": {"command": "run"}},
            **properties,
        }
        return self.resource(symbol, properties={k: v for k, v in inner.items() if v is not None}, waits=waits)

    def registry(self, *operators: Any) -> Providers:
        providers = Providers(self.folder, self.environment, lambda: ((PROCESS,), ()))
        add_app(providers)
        for operator in operators:
            providers.add(operator.types, lambda operator=operator: operator)
        return providers

    def render(
        self, *resources: Resource, operators: tuple[Any, ...] = (), others: tuple[Resource, ...] = ()
    ) -> tuple[Native, tuple[Any, ...]]:
        return render(Desired(resources), self.registry(*operators), self.environment, "/work", others)

    def env(self, symbol: str, *resources: Resource) -> dict[str, Any]:
        native, problems = self.render(*resources)
        assert not [p for p in problems if p.severity == "error"], [p.message for p in problems]
        process = next(r for r in native.resources if r.owner == f"app/{symbol}" and r.type == "Ulna.Process/processes")
        return {k: shown(v) for k, v in process.properties["properties"]["env"].items()}


def shown(value: Any) -> Any:
    """A value as a page shows it: what run time fills in stands in angle brackets."""
    match value:
        case Output(address, path):
            return f"<{address.removeprefix('app/')}.{'.'.join(map(str, path)).removeprefix('properties.')}>"
        case Secret(name, _):
            return f"<secret {name}>"
        case Deferred("string", (one,)):
            return shown(one) if not isinstance(one, dict | list) else f"<string {one}>"
        case Deferred("format", (template, *arguments)):
            return template.format(*map(shown, arguments))
        case Deferred(function, arguments):
            return f"<{function} {' '.join(str(shown(a)) for a in arguments)}>"
        case dict():
            return {k: shown(v) for k, v in value.items()}
        case list() | tuple():
            return [shown(v) for v in value]
        case _:
            return value


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def show() -> Any:
    return shown
