"""The samples' templates, file by file, against `tests/golden/build`; `ULNA_ACCEPT=1` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.build.build import build
from engine.build.render import render
from engine.check.check import check
from engine.diagnostics.diagnostic import has_errors
from engine.sources.local import LocalSources

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "build"
FILES = sorted((ROOT / "samples").glob("*/*.bicep"))


def golden(file: Path) -> Path:
    return GOLDEN / f"{file.parent.name}-{file.stem}.json"


@pytest.mark.parametrize("file", FILES, ids=[f"{f.parent.name}/{f.name}" for f in FILES])
def test_a_sample_compiles_to_its_golden_template(file: Path) -> None:
    model = check(str(file), LocalSources())
    assert not has_errors(model.diagnostics)
    template, diagnostics = build(model, version="golden")
    assert not diagnostics
    text = render(template) + "\n"
    if os.environ.get("ULNA_ACCEPT"):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        golden(file).write_text(text, encoding="utf-8")
    assert text == golden(file).read_text(encoding="utf-8")


def test_no_golden_template_is_left_of_a_sample_that_is_gone() -> None:
    assert {p.name for p in GOLDEN.glob("*.json")} == {golden(f).name for f in FILES}
