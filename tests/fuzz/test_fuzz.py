"""What fuzzing found stays found; and some more of it each time, an hour of it when there is time (`ULNA_LONG=1`)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS
from tests.parse.corpus import ROOT

CASES = Path(__file__).parent / "cases"
SECONDS = 180 if os.environ.get("ULNA_LONG") else 5
"""For each target: some two minutes altogether, or an hour."""


def cases() -> list[Path]:
    return sorted(p for p in CASES.rglob("*") if p.is_file())


@pytest.mark.parametrize("case", cases(), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_what_was_found_stays_mended(case: Path) -> None:
    TARGETS[case.parent.name][1](case.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_its_own_seeds(name: str) -> None:
    kind, target = TARGETS[name]
    for text in seeds(kind)[::40]:
        target(text)


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed: pip install atheris")
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_new_is_found(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.fuzz", name, str(SECONDS), str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS + 300, check=False)
    found = sorted((tmp_path / "findings" / name).iterdir())
    said = "\n".join(line for line in (run.stdout + run.stderr).splitlines() if not line.startswith("INFO: "))
    shown = {f.name: f.read_bytes()[:400] for f in found}
    assert run.returncode == 0 and not found, f"put these under {CASES / name}: {shown}\n{said[-2000:]}"
