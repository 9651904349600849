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

RUNS = 4
"""How many runs share the targets: a run prepares the engine's code once."""


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
@pytest.mark.parametrize("names", [",".join(list(TARGETS)[n::RUNS]) for n in range(RUNS)])
def test_nothing_new_is_found(names: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.fuzz", names, str(SECONDS), str(tmp_path)]
    limit = (SECONDS + 60) * len(names.split(",")) + 300
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False)
    found = sorted(f for f in (tmp_path / "findings").rglob("*") if f.is_file())
    said = "\n".join(line for line in (run.stdout + run.stderr).splitlines() if not line.startswith("INFO: "))
    shown = {f"{f.parent.name}/{f.name}": f.read_bytes()[:400] for f in found}
    assert run.returncode == 0 and not found, f"put these under {CASES}: {shown}\n{said[-2000:]}"
