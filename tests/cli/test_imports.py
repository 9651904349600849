"""The modules of a verb in one file: the same modules, from the same sources, or Python's own way."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from engine.cli.main import program; program()"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path):
    """Run the installed command's program with a cache of its own, and tell which loader brought a module."""
    (tmp_path / "a.bicep").write_text("param unused string\n")

    def run(*words: str, then: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        program = f"import atexit, sys\n{then}\n{PROGRAM}"
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env |= {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)} | variables
        return subprocess.run(
            [sys.executable, "-c", program, *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    return run


LOADER = "atexit.register(lambda: print(type(sys.modules['engine.lint.run'].__spec__.loader).__module__))"


def kept(tmp_path: Path) -> Path:
    (file,) = (tmp_path / "cache/ulna").glob("imports-lint-*")
    return file


def test_the_second_run_imports_from_the_file_and_says_the_same(run, tmp_path):
    first = run("lint", "a.bicep", then=LOADER)
    second = run("lint", "a.bicep", then=LOADER)
    assert first.stdout == "_frozen_importlib_external\n" and second.stdout == "engine.cli.imports\n"
    assert (first.returncode, first.stderr) == (second.returncode, second.stderr)
    assert "no-unused-params" in second.stderr
    assert kept(tmp_path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b"no marshal"),
        lambda file: file.write_bytes(marshal.dumps([1, 2])),
        lambda file: file.write_bytes(file.read_bytes()[:1000]),
        lambda file: file.chmod(0o666),
        lambda file: file.unlink(),
    ],
    ids=["garbage", "another type", "cut off", "writable by others", "gone"],
)
def test_a_file_that_is_not_right_is_not_used(run, tmp_path, spoil):
    run("lint", "a.bicep")
    spoil(kept(tmp_path))
    again = run("lint", "a.bicep", then=LOADER)
    assert again.stdout == "_frozen_importlib_external\n" and "no-unused-params" in again.stderr


def test_a_module_whose_source_changed_is_not_used(run, tmp_path):
    run("lint", "a.bicep")
    file = kept(tmp_path)
    modules = marshal.loads(file.read_bytes())
    path, package, time, size, _ = modules["engine.lint.run"]
    modules["engine.lint.run"] = (path, package, time - 1, size, marshal.dumps(compile("1/0", path, "exec")))
    file.write_bytes(marshal.dumps(modules))
    assert run("lint", "a.bicep", then=LOADER).stdout == "_frozen_importlib_external\n"


def test_nothing_is_kept_where_python_keeps_no_code(run, tmp_path):
    assert run("lint", "a.bicep", PYTHONDONTWRITEBYTECODE="1").returncode == 0
    assert not list((tmp_path / "cache").rglob("imports-*"))


def test_a_verb_without_a_cache_works(run):
    assert "no-unused-params" in run("lint", "a.bicep", XDG_CACHE_HOME="/dev/null").stderr


def test_what_nobody_reads_is_no_error_message(run, tmp_path):
    (tmp_path / "b.bicep").write_text("output o string = 'x'\n" * 3000)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    shell = f'"{sys.executable}" -c "{PROGRAM}" lint --format json b.bicep | head -c 10'
    result = subprocess.run(["bash", "-c", shell], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr and "Exception" not in result.stderr
