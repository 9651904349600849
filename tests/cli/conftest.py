"""Calls `ulna` in this process, in a folder of its own, as a pipe would see it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.cli.main import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


Ulna = Callable[..., Result]


@pytest.fixture
def ulna(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ulna:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "CLICOLOR_FORCE", "ULNA_STATE", "ULNA_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str) -> Result:
        capsys.readouterr()
        code = main(words)
        return Result(code, *capsys.readouterr())

    return run
