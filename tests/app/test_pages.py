"""The pages of `tests/spec/app`: resources in YAML, then what comes of them: variables, the graph, the problems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.contract.operator import Environment

PAGES = Path(__file__).parents[1] / "spec" / "app"
CASE = re.compile(
    r"^## (?P<title>.+?)\n(?P<prose>.*?)```yaml\n(?P<given>.*?)```\n(?P<rest>.*?)(?=^## |\Z)", re.M | re.S
)
EXPECTED = re.compile(r"```(?P<kind>env [\w-]+|graph|problems)\n(?P<body>.*?)```", re.S)


def cases() -> Iterator[Any]:
    for page in sorted(PAGES.glob("*.md")):
        for case in CASE.finditer(page.read_text()):
            for expected in EXPECTED.finditer(case["rest"]):
                yield pytest.param(page, case, expected, id=f"{page.stem}: {case['title']} ({expected['kind']})")


def resources(world: Any, given: dict[str, Any]) -> list[Any]:
    if "environment" in given:
        e = given["environment"]
        compute = {"kind": e["kind"]}
        world.environment = Environment(
            e["name"], e["kind"], world.id("environments", e["name"]), {"compute": compute, **e.get("properties", {})}
        )
    made = []
    for symbol, spec in given["resources"].items():
        spec = dict(spec or {})
        type, waits, more = spec.pop("type", "containers"), tuple(spec.pop("waits", ())), spec.pop("resource", {})
        spec |= spec.pop("properties", {})
        if type == "containers" and "application" not in spec:
            spec = {"application": "shop", **spec}
        if type == "containers" and "container" in spec:
            spec["container"] = {"image": "shop", **spec["container"]}
        if type == "containers" and "runtimes" not in spec:
            spec["runtimes"] = {"process": {"command": "run"}}
        made.append(world.resource(symbol, type, spec, waits, **more))
    return made


def _gate(wait):
    """What a gate says besides its condition."""
    words = [f"within {wait.deadline:g} s"] if wait.deadline is not None else []
    words += [f"exit code {wait.exit_code}"] if wait.exit_code else []
    words += ["or fail"] if wait.on_broken == "fail" else []
    words += [f"then {wait.keep}"] if wait.keep else []
    return f" ({', '.join(words)})" if words else ""


def text(world: Any, show: Any, given: dict[str, Any], kind: str) -> str:
    made = resources(world, given)
    if kind.startswith("env "):
        env = world.env(kind[4:], *made)
        return "".join(f"{k}={v}\n" for k, v in sorted(env.items()))
    native, problems = world.render(*made)
    if kind == "graph":
        lines = []
        for r in native.resources:
            owner = native.nominations[r.address]
            after = ", ".join(
                w.address.removeprefix("app/") + ("" if w.condition == "ready" else f" {w.condition}") + _gate(w)
                for w in r.waits
            )
            lines.append(
                f"{r.address.removeprefix('app/')}: {owner.operator or 'nobody'}" + (after and f" after {after}")
            )
        lines += [
            f"{p.address.removeprefix('app/')}: later, needs {', '.join(sorted(p.needs))}" for p in native.pending
        ]
        return "\n".join(lines) + "\n"
    lines = []
    for p in problems:
        lines.append(f"{p.severity} {p.code}: {p.message}")
        lines += [f"  help: {p.help}"] if p.help else []
    return "\n".join(lines or ["none"]) + "\n"


@pytest.mark.parametrize(("page", "case", "expected"), list(cases()))
def test_a_page_says_what_rendering_does(world, show, page, case, expected):
    got = text(world, show, yaml.safe_load(case["given"]), expected["kind"])
    if os.environ.get("ULNA_ACCEPT") and got != expected["body"]:
        now = page.read_text()
        start = now.index(f"## {case['title']}\n")
        start = now.index(f"```{expected['kind']}\n", start)
        end = now.index("```", start + 3)
        page.write_text(f"{now[:start]}```{expected['kind']}\n{got}```{now[end + 3 :]}")
        return
    assert got == expected["body"]


def test_there_are_pages():
    assert len(list(cases())) > 20
