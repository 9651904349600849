"""The pages of `tests/spec/plan`: what is wanted and what is there in YAML, then the text of the plan."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.contract.operator import Observed
from engine.contract.value import decode
from engine.expand.desired import Pending, Unit
from engine.plan.report import report
from engine.plan.whatif import whatif

PAGES = Path(__file__).parents[1] / "spec" / "plan"
CASE = re.compile(
    r"^## (?P<title>.+?)\n(?P<prose>.*?)```yaml\n(?P<given>.*?)```\n(?P<rest>.*?)(?=^## |\Z)", re.M | re.S
)
EXPECTED = re.compile(r"```(?P<kind>text|json)\n(?P<body>.*?)```", re.S)


def cases() -> Iterator[Any]:
    for page in sorted(PAGES.glob("*.md")):
        for case in CASE.finditer(page.read_text()):
            for expected in EXPECTED.finditer(case["rest"]):
                yield pytest.param(page, case, expected, id=f"{page.stem}: {case['title']} ({expected['kind']})")


def build(world: Any, given: dict[str, Any]) -> Any:
    def resource(name: str, spec: dict[str, Any]) -> Any:
        spec = {"properties": {}} | spec
        return world.resource(name, decode(spec.pop("properties")), tuple(spec.pop("waits", ())), **spec)

    wanted = [resource(n, dict(s)) for n, s in given.get("wanted", {}).items()]
    state = []
    for name, spec in given.get("state", {}).items():
        spec = dict(spec)
        more = {k: spec.pop(k) for k in ("reason", "detached", "wired") if k in spec}
        outputs = decode(spec.pop("outputs", {}))
        state.append(world.entry(resource(name, spec), outputs, **more))
    live = {
        f"app/{n}": v if v is None else Observed("1", "t", {"properties": v}) for n, v in given.get("live", {}).items()
    }
    pending = [Pending(f"app/{n}", Unit(p["unit"]), frozenset(p["needs"])) for n, p in given.get("pending", {}).items()]
    return world.plan(
        wanted, state, seen=live, pending=pending, operator=world.FakeOperator(foreseen=given.get("foreseen"))
    )


@pytest.mark.parametrize(("page", "case", "expected"), list(cases()))
def test_a_page_says_what_the_plan_says(world, page, case, expected):
    plan = build(world, yaml.safe_load(case["given"]))
    text = whatif(plan) if expected["kind"] == "text" else json.dumps(report(plan), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("ULNA_ACCEPT") and text != expected["body"]:
        now = page.read_text()
        start = now.index(f"## {case['title']}\n")
        start = now.index(f"```{expected['kind']}\n", start)
        end = now.index("\n```", start) + 4
        page.write_text(f"{now[:start]}```{expected['kind']}\n{text}```{now[end:]}")
        return
    assert text == expected["body"]


def test_colours_are_those_of_what_if(world):
    web, old = world.resource("web", {"a": 2}), world.resource("web", {"a": 1})
    text = whatif(
        world.plan([web, world.resource("new")], [world.entry(old), world.entry(world.resource("gone"))]), colour=True
    )
    lines = {line.strip(): line for line in text.splitlines()}
    assert "\x1b[38;5;77m  + Test/things/new [2026-01-01]\x1b[0m" in lines
    assert any(line.startswith("\x1b[38;5;208m  - Test/things/gone") for line in lines)
    assert any(line.startswith("\x1b[38;5;141m  ~ Test/things/web") for line in lines)
    assert whatif(world.plan([web], [world.entry(old)])) == re.sub(
        r"\x1b\[[\d;]*m", "", whatif(world.plan([web], [world.entry(old)]), colour=True)
    )


def test_an_empty_plan_says_so(world):
    assert whatif(world.plan([])) == "\nResource changes: none.\n"
