"""Every sample, settled as processes: a second deploy looks at all there is, changes nothing and writes nothing down.

On the other kinds the tests of those samples hold the same, with `tests.looking`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cli.main import main
from tests.looking import nothing_new

pytestmark = pytest.mark.e2e
SAMPLES = Path(__file__).parents[2] / "samples"
GIVEN = (
    "fleet/dev.bicepparam",
    "hello/app.bicep",
    "loadtest/app.bicep",
    "provider/notes.bicep",
    "values/main.bicep",
)
ELSEWHERE = {
    "emulator/app.bicep": "tests/live/test_emulator.py",
    "emulator/database.bicep": "tests/live/test_emulator.py",
    "todo/app.bicep": "tests/e2e/test_todo.py",
}
"""Those that need more than processes of Python, and where they are looked at again."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("ULNA_STATE", raising=False)
    shutil.copytree(SAMPLES, tmp_path / "samples")
    info = tmp_path / "library" / "ulna_notes-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ulna-notes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ulna.providers]\nnotes = ulna_notes:provider\n")
    monkeypatch.syspath_prepend(str(SAMPLES / "provider"))
    monkeypatch.syspath_prepend(str(info.parent))
    yield tmp_path
    for name in [n for n in sys.modules if n.startswith("ulna_notes")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("file", GIVEN)
def test_a_settled_sample_stays_as_it_is(file, folder, capsys):
    words = [f"samples/{file}"]
    try:
        assert main(["deploy", *words]) == 0, capsys.readouterr()
        capsys.readouterr()
        with nothing_new(folder):
            assert main(["deploy", *words]) == 0
        assert "no changes" in capsys.readouterr().out
        with nothing_new(folder):
            assert main(["plan", *words, "--exit-code"]) == 0
    finally:
        main(["destroy", *words, "--yes"])


def test_every_sample_is_looked_at_again():
    apps = {f"{p.parent.name}/{p.name}" for p in SAMPLES.glob("*/*.bicep") if "environment string" in p.read_text()}
    apps -= {"fleet/main.bicep", "fleet/page.bicep", "fleet/service.bicep"}
    assert apps | {"fleet/dev.bicepparam"} <= {*GIVEN, *ELSEWHERE}
    assert {p.name for p in SAMPLES.iterdir() if p.is_dir()} == {n.partition("/")[0] for n in (*GIVEN, *ELSEWHERE)}
    for name in ELSEWHERE.values():
        assert "with nothing_new(" in (SAMPLES.parent / name).read_text()
