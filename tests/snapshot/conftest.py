"""Calls `ulna snapshot` in this process, in a folder of its own with a small parameter file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.cli.main import main

MAIN = """\
param sku string
param names array
resource plans 'Microsoft.Web/serverfarms@2022-03-01' = [for name in names: {
  name: name
  location: 'westeurope'
  sku: { name: sku }
}]
output first string = plans[0].id
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


Snapshot = Callable[..., Result]


def parameters(sku: str = "F1", names: str = "'one', 'two'") -> None:
    """Write the parameter file."""
    Path("main.bicepparam").write_text(f"using 'main.bicep'\nparam sku = '{sku}'\nparam names = [{names}]\n")


@pytest.fixture
def snapshot(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLICOLOR_FORCE", raising=False)
    Path("main.bicep").write_text(MAIN)
    parameters()

    def run(*words: str, place: tuple[str, ...] = ("--subscription-id", "s", "--resource-group", "g")) -> Result:
        capsys.readouterr()
        code = main(["snapshot", *words, *place])
        return Result(code, *capsys.readouterr())

    return run
