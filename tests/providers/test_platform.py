"""Cases of the process platform: a container in JSON, and the native parts that come of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.app.environment import default_environment, id_of
from engine.contract.discover import Listing, Providers
from engine.contract.resource import Resource
from engine.contract.value import encode
from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Source, Span
from engine.expand.desired import Desired
from engine.render.registry import add_app
from engine.render.render import render
from providers.process.platform import ProcessPlatform

CASES = Path(__file__).parents[1] / "cases" / "process" / "containers"
PROCESS = Listing("process", "providers.process:provider", ("Ulna.Process/*",), ("process",))


def native(container: dict[str, Any], folder: Path, file: str, name: str = "web") -> list[Any]:
    properties = {"application": id_of("Applications.Core/applications", "shop"), **container}
    resource = Resource(
        "shop/web",
        "Applications.Core/containers",
        "2023-10-01-preview",
        name,
        id_of("Applications.Core/containers", name),
        {"properties": properties},
        origin=Label(Source(file, ""), Span(0, 0)),
    )
    environment = default_environment()
    registry = Providers(folder, environment, lambda: ((PROCESS,), ()))
    add_app(registry)
    graph, problems = render(Desired((resource,)), registry, environment, "/home/me")
    assert not [p for p in problems if p.severity == "error"], problems
    made = []
    for part in graph.resources:
        if part.owner is not None:
            operator = registry.operator(graph.nominations[part.address].operator or "", part)
            made.append({"address": part.address, **encode(dict(operator.native(part)))})  # type: ignore[union-attr]
    return made


@pytest.mark.parametrize("case", sorted(CASES.glob("*.json")), ids=lambda p: p.stem)
def test_a_container_comes_to_its_parts(case, tmp_path):
    data = json.loads(case.read_text())
    made = native(data["desired"], tmp_path, data.get("file", "shop/app.bicep"))
    if os.environ.get("ULNA_ACCEPT"):
        case.write_text(json.dumps(data | {"native": made}, indent=2) + "\n")
    assert made == data["native"]


def test_a_container_of_another_name_has_its_parts_at_the_same_places(tmp_path):
    """Else its old process would still have the port that its new one is to listen on."""
    data = json.loads((CASES / "replicas.json").read_text())
    before, after = (native(data["desired"], tmp_path, "shop/app.bicep", name) for name in ("web", "front"))
    assert [p["address"] for p in before] == [p["address"] for p in after]
    assert "front-0" in [p["name"] for p in after]


def test_every_feature_has_a_place_in_the_table():
    from engine.app.capability import FEATURES

    assert ProcessPlatform().capabilities.keys() == FEATURES.keys()
