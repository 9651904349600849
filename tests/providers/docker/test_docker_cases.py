"""Cases of `diff`: what was applied, what is seen, what is wanted, and what has to happen, in JSON for each type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.contract.operator import Applied, Health, Observed, Site
from engine.contract.resource import Resource
from engine.contract.value import decode
from providers.docker import provider

CASES = Path(__file__).parents[2] / "cases" / "docker"
TYPES = ("containers", "gateways", "networks", "volumes", "secrets")
FILES = [(type, file) for type in TYPES for file in sorted((CASES / type).glob("*.json"))]


def seen(data: dict[str, Any] | None) -> Observed | None:
    return None if data is None else Observed(data["id"], "t#1", decode(data["properties"]), {}, Health.READY)


@pytest.mark.parametrize(("type", "file"), FILES, ids=lambda v: v.stem if isinstance(v, Path) else v)
def test_a_difference_is_what_the_case_says(type, file, tmp_path):
    case = json.loads(file.read_text())
    resource = Resource("app/x", f"Ulna.Docker/{type}", "2026-12-01", "x", "/x", decode(case["desired"]))
    (operator,) = (o for o in provider.operators(Site(tmp_path, None)) if o.bid(resource, None))  # type: ignore[arg-type]
    applied = Applied(decode(case["applied"])) if "applied" in case else None
    difference = operator.diff(resource, applied, seen(case.get("observed")))
    expected = case["difference"]
    assert difference.__class__.__name__ == expected["kind"]
    if "paths" in expected:
        assert list(difference.paths) == expected["paths"]  # type: ignore[union-attr]
    if "why" in expected:
        assert difference.why == expected["why"]  # type: ignore[union-attr]


def test_every_type_has_cases():
    assert {type for type, _ in FILES} == set(TYPES)
