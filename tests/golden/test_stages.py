"""What each stage makes of each sample (`build` has its own, beside). Review the difference, then accept it with `--snapshot-update`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from engine.check.check import check
from engine.check.model import Model
from engine.contract.resource import Resource
from engine.contract.value import encode
from engine.diagnostics.render.text import render as tell
from engine.lint.run import lint
from engine.parse import tree
from engine.pipeline.planning import plan_of
from engine.pipeline.preparing import Prepared
from engine.pipeline.request import Request
from engine.plan.whatif import whatif
from engine.sources.local import LocalSources

ROOT = Path(__file__).parent.parent.parent
SAMPLES = {
    "hello": "samples/hello/app.bicep",
    "hello-env": "samples/hello/env.bicep",
    "fleet": "samples/fleet/dev.bicepparam",
    "values": "samples/values/main.bicep",
}
PROGRAMS = [f for f in sorted(ROOT.glob("samples/*/*.bicep")) if f.parent.name != "provider"]


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FLEET_TOKEN", raising=False)


def model_of(path: Path) -> Model:
    return check(str(path.relative_to(ROOT)), LocalSources())


def outline(node: tree.Node, text: str, depth: int = 0) -> Iterator[str]:
    """A line a node: its kind, and the text it spans where that is short."""
    spanned = text[node.start : node.end]
    shown = f" {spanned!r}" if len(spanned) <= 40 and "\n" not in spanned else ""
    yield f"{'  ' * depth}{type(node).__name__}{shown}"
    for child in tree.children(node):
        yield from outline(child, text, depth + 1)


def shown(resource: Resource) -> dict[str, Any]:
    """A resource as people compare it."""
    return {
        "type": f"{resource.type}@{resource.api_version}",
        "name": encode(resource.name),
        "id": encode(resource.id),
        "waits": [f"{w.address} {w.condition}" for w in resource.waits],
        "owner": resource.owner,
        "properties": encode(resource.properties),
    }


def text_of(value: object) -> str:
    return json.dumps(value, indent=2).replace(str(ROOT), "ROOT")


@pytest.fixture
def prepared(request: pytest.FixtureRequest, tmp_path: Path) -> Prepared:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "vault.key").write_bytes(bytes(32))
    return Prepared(Request(SAMPLES[request.param], state=tmp_path / "state"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_parse(path: Path, snapshot: SnapshotAssertion) -> None:
    model = model_of(path)
    assert "\n".join(outline(model.file, model.source.text)) == snapshot


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_check_and_lint(path: Path, snapshot: SnapshotAssertion) -> None:
    model = model_of(path)
    symbols = [f"{s.kind} {name}" for name, s in model.symbols.items()]
    assert "\n".join([*symbols, tell((*model.diagnostics, *lint(model)))]) == snapshot


@pytest.mark.parametrize("prepared", SAMPLES, indirect=True)
def test_expand(prepared: Prepared, snapshot: SnapshotAssertion) -> None:
    desired, _ = prepared.desired({})
    pending = [f"{p.unit} {p.address} needs {', '.join(sorted(p.needs))}" for p in desired.pending]
    stage = {"resources": {r.address: shown(r) for r in desired.resources}, "pending": pending}
    assert text_of(stage | {"outputs": encode(dict(desired.outputs))}) == snapshot


@pytest.mark.parametrize("prepared", SAMPLES, indirect=True)
def test_render(prepared: Prepared, snapshot: SnapshotAssertion) -> None:
    native, diagnostics = prepared.native({})
    operators = {a: n.operator for a, n in native.nominations.items()}
    stage = {r.address: shown(r) | {"operator": operators[r.address]} for r in native.resources}
    assert text_of(stage) + tell(diagnostics) == snapshot


@pytest.mark.parametrize("prepared", SAMPLES, indirect=True)
def test_plan(prepared: Prepared, snapshot: SnapshotAssertion) -> None:
    assert whatif(plan_of(prepared).plan, False).replace(str(ROOT), "ROOT") == snapshot
