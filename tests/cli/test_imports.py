"""The modules of a verb in one file: the same modules, from the same sources, or Python's own way."""

from __future__ import annotations

import importlib
import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import imports

PROGRAM = "from engine.cli.main import program; program()"
ROOT = Path(__file__).parents[2]
PROGRAM_WITH_MUCH = """@description('How many')
@minValue(1)
param count int = 3
var names = [for i in range(0, count): 'n-${i}']
resource group 'Ulna.Core/values@2026-12-01' = [
  for (name, i) in names: if (i > 0) {
    name: name
    properties: {
      input: { label: toUpper(name), odd: i % 2 == 1 ? 'odd' : 'even' }
    }
  }
]
@description('The first')
output first string = group[1].properties.output.label
"""


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
    content = file.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    ends, places, companions = marshal.loads(content[8:start])
    (path, package, time, size), shelf, place = places["engine.lint.rule"]
    places["engine.lint.rule"] = (path, package, time - 1, size), shelf, place
    head = marshal.dumps((ends, places, companions))
    file.write_bytes(len(head).to_bytes(8, "little") + head + content[start:])
    told = LOADER.replace("engine.lint.run", "engine.lint.rule")
    result = run("lint", "a.bicep", then=told)
    assert result.stdout == "_frozen_importlib_external\n" and "no-unused-params" in result.stderr
    assert run("lint", "a.bicep", then=told).stdout == "engine.cli.imports\n"


def test_what_an_import_brings_along_is_made_with_it_in_the_same_order(run, tmp_path):
    order = "atexit.register(lambda: print(*[n for n in sys.modules if n.startswith(('engine.c', 'engine.l')) and 'contract' not in n]))"
    first, second = run("lint", "a.bicep", then=order), run("lint", "a.bicep", then=order)
    assert first.stdout == second.stdout
    content = kept(tmp_path).read_bytes()
    ends, places, companions = marshal.loads(content[8:])
    assert "engine.lint.rules.no_unused_params" in companions["engine.lint.every"]
    assert len({places[n][1] for n in companions["engine.lint.every"] if ".rules." in n}) == 1 and len(ends) > 10


HEAVY = ("argparse", "contextlib", "enum", "functools", "json", "pathlib", "re", "typing", "zlib")


@pytest.mark.parametrize("words", [("lint", "b.bicep"), ("build", "b.bicep", "--stdout")])
def test_a_short_verb_does_without_what_takes_long_to_load(run, tmp_path, words):
    (tmp_path / "b.bicep").write_text(PROGRAM_WITH_MUCH)
    run(*words)
    told = f"atexit.register(lambda: print(*[n for n in {HEAVY} if n in sys.modules], 'loaded', file=sys.stderr))"
    assert run(*words, then=told).stderr == "loaded\n"


def test_a_module_knows_what_python_tells_modules(run, tmp_path):
    told = "atexit.register(lambda: print([(m.__name__, m.__package__, m.__file__, m.__doc__, m.__spec__.origin, {}) for m in ms()]))"
    names = "ms = lambda: map(sys.modules.get, ['engine.lint', 'engine.lint.run', 'engine.lint.rules.max_params'])"
    first, second = (
        run("lint", "a.bicep", then=f"{names}; {told.format(more)}").stdout
        for more in ("list(getattr(m, '__path__', []))", "list(getattr(m, '__path__', []))")
    )
    assert first == second and "max_params.py" in second


def test_another_thread_never_meets_modules_that_are_not_finished(run, tmp_path):
    run("lint", "a.bicep")
    program = (
        "import threading\nfrom engine.cli.imports import quick\nfinder = quick('lint')\n"
        "import importlib\nbrought = []\nfinder._bring = brought.append\n"
        "t = threading.Thread(target=importlib.import_module, args=['engine.lint.every'])\nt.start()\nt.join()\n"
        "import engine.cli.commands.lint\nprint(len(brought))\nsys.exit()"
    )
    assert run("lint", "a.bicep", then=program).stdout == "1\n"


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


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A package of which each run imports `toy.a`, and tells which of its modules that loaded."""
    monkeypatch.setattr(imports, "OURS", frozenset({"toy"}))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "toy").mkdir()

    def run(**sources: str) -> list[str]:
        for name, text in sources.items():
            (tmp_path / "toy" / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        finder = imports.quick("toy")
        try:
            importlib.import_module("toy.a")
            finder.done()
            return [n for n in sys.modules if n.startswith("toy.")]
        finally:
            sys.meta_path.remove(finder)
            for name in [n for n in sys.modules if n.partition(".")[0] == "toy"]:
                del sys.modules[name]

    return run


def test_what_a_module_no_longer_imports_is_not_brought(toy):
    first = toy(__init__="", a="import toy.b, toy.c", b="import toy.c", c="import toy.d", d="")
    assert first == toy() == ["toy.d", "toy.c", "toy.b", "toy.a"]
    assert toy(c="pass  # and nothing else") == toy() == ["toy.c", "toy.b", "toy.a"]
    assert toy(a="pass  # nothing") == toy() == ["toy.a"]


def test_modules_that_import_each_other_are_left_to_python(toy):
    circle = {"a": "x = 1\nimport toy.b\nfrom toy.b import y", "b": "from toy.a import x\ny = x + 1"}
    assert sorted(toy(__init__="", **circle)) == sorted(toy()) == ["toy.a", "toy.b"]
