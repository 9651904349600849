"""Cases of `diff`: what was applied, what is seen, what is wanted, and what has to happen, in JSON for each type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.contract.operator import Applied, Health, Observed
from engine.contract.resource import Resource
from engine.contract.value import decode
from providers.core.plugin import provider as core
from providers.process.plugin import provider as process

CASES = Path(__file__).parents[1] / "cases"
TYPES = {
    "core/values": ("Ulna.Core/values", core),
    "process/processes": ("Ulna.Process/processes", process),
    "process/ports": ("Ulna.Process/ports", process),
    "process/balancers": ("Ulna.Process/balancers", process),
    "process/gateways": ("Ulna.Process/gateways", process),
    "process/folders": ("Ulna.Process/folders", process),
    "process/secrets": ("Ulna.Process/secrets", process),
}
FILES = [(name, file) for name in TYPES for file in sorted((CASES / name).glob("*.json"))]


def seen(data: dict[str, Any] | None) -> Observed | None:
    if data is None:
        return None
    health = Health(data.get("health", "ready"))
    return Observed(data["id"], "t#1", decode(data["properties"]), {}, health, message=data.get("message", ""))


@pytest.mark.parametrize(("name", "file"), FILES, ids=lambda v: v.stem if isinstance(v, Path) else v)
def test_a_difference_is_what_the_case_says(name, file, tmp_path):
    from engine.contract.operator import Site

    type, provider = TYPES[name]
    case = json.loads(file.read_text())
    resource = Resource("app/x", type, "2026-12-01", "x", "/x", decode(case["desired"]))
    operator = next(o for o in provider.operators(Site(tmp_path, None)) if o.bid(resource, None))  # type: ignore[arg-type]
    applied = Applied(decode(case["applied"])) if "applied" in case else None
    difference = operator.diff(resource, applied, seen(case.get("observed")))
    expected = case["difference"]
    assert difference.__class__.__name__ == expected["kind"]
    if "paths" in expected:
        assert list(difference.paths) == expected["paths"]  # type: ignore[union-attr]
    if "why" in expected:
        assert difference.why == expected["why"]  # type: ignore[union-attr]


def test_every_type_has_cases():
    assert {name for name, _ in FILES} == set(TYPES)
