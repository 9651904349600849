"""Finding providers: the table, what breaks, and a provider from outside."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import textwrap
import venv
from pathlib import Path

import pytest

from engine.contract import discover
from engine.contract.discover import CORE, Listing, Providers, Unusable, installed, load, serves
from engine.contract.operator import Environment
from engine.contract.resource import Resource

ROOT = Path(__file__).parents[2]


def run(program: str, *arguments: str, **variables: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(program), *arguments]
    env = os.environ | variables
    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_the_core_provider_needs_no_table_no_schema_library_and_nothing_slow(tmp_path):
    heavy = "importlib.metadata jsonschema json.tool asyncio dataclasses inspect logging subprocess socket typing_extensions yaml"
    program = """
        import sys
        from pathlib import Path
        from engine.contract.resource import Resource
        from engine.expand.desired import Desired
        from engine.render.registry import open_registry
        from engine.render.render import render
        values = tuple(
            Resource(f"app/v{n}", "Ulna.Core/values", "2026-12-01", f"v{n}", f"/v{n}", {"properties": {"input": n}})
            for n in range(3)
        )
        registry = open_registry(Path("nowhere"), None)
        native, problems = render(Desired(values), registry)
        assert {n.operator for n in native.nominations.values()} == {"core"} and not problems, problems
        assert registry._table is None, "nobody looked at what is installed"
        print(*(m for m in sys.argv[1:] if m in sys.modules))
    """
    assert run(program, *heavy.split(), XDG_CACHE_HOME=str(tmp_path)) == ""
    assert not any(tmp_path.iterdir())


def test_what_is_installed_is_found_once_and_kept_for_the_owner_only(tmp_path):
    found, broken = installed(tmp_path)
    assert not broken
    process = next(x for x in found if x.name == "process")
    assert (process.types[0], process.kinds) == ("Ulna.Process/*", ("process",))
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    program = """
        import sys
        from pathlib import Path
        from engine.contract.discover import installed
        names = sorted(x.name for x in installed(Path(sys.argv[1]))[0])
        print(*names, "importlib.metadata" in sys.modules)
    """
    first = run(program, str(tmp_path / "fresh"))
    assert first.endswith("True") and "process" in first
    assert run(program, str(tmp_path / "fresh")).endswith("False"), "the second time, entry points are not read"


def test_the_table_holds_until_something_is_installed(tmp_path, monkeypatch):
    library = tmp_path / "library"
    library.mkdir()
    monkeypatch.syspath_prepend(str(library))
    scans: list[int] = []
    monkeypatch.setattr(discover, "_scan", lambda: (scans.append(1), (), ())[1:])
    cache = tmp_path / "cache"
    installed(cache)
    installed(cache)
    assert len(scans) == 1
    os.utime(library, ns=(1, 1))
    installed(cache)
    assert len(scans) == 2


def test_a_provider_whose_author_edits_it_in_place_is_asked_anew(tmp_path, monkeypatch):
    library = tmp_path / "library"
    package = library / "edited"
    package.mkdir(parents=True)
    (package / "types.py").write_text("")
    monkeypatch.syspath_prepend(str(library))
    source = package / "__init__.py"
    source.write_text("name = 'edited'\ntypes = ('A.B/*',)\nkinds = ()\noperators = platform = schemas = None\n")
    listing = load(Listing("edited", "edited"))
    scans: list[int] = []
    found = (Listing("edited", "edited", tuple(listing.types)),)
    monkeypatch.setattr(discover, "_scan", lambda: (scans.append(1), found, ())[1:])
    cache = tmp_path / "cache"
    assert installed(cache) == installed(cache)
    assert len(scans) == 1
    os.utime(package / "types.py", ns=(1 << 62, 1 << 62))
    installed(cache)
    assert len(scans) == 2


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '{"key": 1, "providers": 2}'])
def test_a_table_that_is_damaged_is_made_again(tmp_path, text):
    good, _ = installed(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(text)
    assert installed(tmp_path)[0] == good
    assert json.loads(file.read_text())["providers"]


def test_a_cache_that_cannot_be_written_is_no_matter(tmp_path):
    (tmp_path / "file").write_text("")
    found, _ = installed(tmp_path / "file")
    assert found


def test_a_broken_provider_is_said_to_be_and_leaves_the_others_alone(tmp_path, monkeypatch):
    (tmp_path / "crooked.py").write_text("raise RuntimeError('no licence')")
    (tmp_path / "halfdone.py").write_text("class P:\n    name = 'half'\nprovider = P()")
    monkeypatch.syspath_prepend(str(tmp_path))
    listings = (
        Listing("crooked", "crooked:provider", ("Demo/*",), ("demo",)),
        Listing("gone", "not_there_at_all:provider", ("Demo/*",)),
        Listing("half", "halfdone:provider", ("Demo/*",)),
        Listing("process", "providers.process:provider", ("Ulna.Process/*",), ("process",)),
    )
    providers = Providers(tmp_path, None, lambda: (listings, ()))
    assert providers.bidders("Demo/thing") == ()
    assert "ports" in [o.name for o in providers.bidders("Ulna.Process/ports")]
    assert providers.platform("demo") is None and providers.platform("process") is not None
    assert [d.message for d in providers.diagnostics] == [
        "The provider 'crooked' cannot be loaded: RuntimeError: no licence",
        "The provider 'gone' cannot be loaded: ModuleNotFoundError: No module named 'not_there_at_all'",
        "The provider 'half' cannot be loaded: AttributeError: 'P' object has no attribute 'types'",
    ]


def test_a_provider_that_is_broken_is_not_kept_in_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr(discover, "_scan", lambda: ((), (Unusable("x", "why"),)))
    assert installed(tmp_path)[1] == (Unusable("x", "why"),)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("types", "type", "expected"),
    [
        (("A.B/*",), "a.b/c", True),
        (("A.B/*",), "A.BC/c", False),
        (("A.B/c",), "a.B/C", True),
        (("A.B/c",), "A.B/d", False),
        (("A.B/*",), "A.B/c/d", True),
    ],
)
def test_types_match_by_namespace_or_whole(types, type, expected):
    assert serves(types, type) is expected


def _resource(type):
    return Resource("a/b", type, "2026-12-01", "b", "b", {})


def test_operators_of_another_environment_are_its_own(tmp_path):
    here, there = Environment("here", "process"), Environment("there", "process", properties={"compute": {"x": 1}})
    providers = Providers(tmp_path, here, installed)
    assert providers.elsewhere(here) is None and providers.elsewhere(None) is None
    resource = _resource("Ulna.Process/ports").replace(place=providers.elsewhere(there))
    operator = providers.operator("ports@there", resource)
    assert operator is not None and providers.operator("ports", resource) is None
    assert operator is not providers.operator("ports", _resource("Ulna.Process/ports"))


def test_each_provider_has_a_folder_of_its_own(tmp_path):
    providers = Providers(tmp_path, None, installed)
    operator = providers.operator("ports", _resource("Ulna.Process/ports"))
    assert operator is not None
    assert operator.folder == tmp_path / "process" / "ports"  # type: ignore[attr-defined]
    assert providers.operator("core", _resource("Ulna.Core/values")) is not None
    assert CORE.types == ("Ulna.Core/*",)


@pytest.mark.e2e
def test_a_provider_from_outside_is_installed_found_and_deployed_with(tmp_path):
    """The README of samples/provider, in a virtual environment of its own and without a network."""
    sample = tmp_path / "provider"
    shutil.copytree(ROOT / "samples" / "provider", sample, ignore=shutil.ignore_patterns("__pycache__"))
    venv.create(tmp_path / "venv", system_site_packages=False, symlinks=True, with_pip=False)
    library = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    ours = next(p for p in map(Path, sys.path) if p.name == "site-packages")
    (library / "ours.pth").write_text(f"{ours}\nimport site; site.addsitedir({str(ours)!r})\n")
    python = tmp_path / "venv" / "bin" / "python"
    install = [python, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index", str(sample)]
    result = subprocess.run(install, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert list(library.glob("ulna_notes-*.dist-info"))
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "ULNA_STATE": str(tmp_path / "state")}

    def ulna(*arguments: str) -> subprocess.CompletedProcess[str]:
        program = "import sys; from engine.cli.main import main; sys.exit(main())"
        command = [python, "-c", program, *arguments]
        return subprocess.run(command, cwd=sample, env=env, capture_output=True, text=True, check=False)

    deployed = ulna("deploy", "notes.bicep")
    assert deployed.returncode == 0, deployed.stdout + deployed.stderr
    notes = sorted(f.read_text() for f in (tmp_path / "state").rglob("*.txt"))
    assert notes == ["Hello from a provider of your own.", "The first note has 7 words."]
    changed = ulna("deploy", "notes.bicep", "-p", "greeting=Good morning")
    assert changed.returncode == 0, changed.stdout + changed.stderr
    notes = sorted(f.read_text() for f in (tmp_path / "state").rglob("*.txt"))
    assert notes == ["Good morning from a provider of your own.", "The first note has 8 words."]
    assert ulna("destroy", "notes.bicep", "--yes").returncode == 0
    assert not list((tmp_path / "state").rglob("*.txt"))


def test_the_sample_provider_passes_the_test_kit():
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "-p", "no:cacheprovider", "tests"]
    env = os.environ | {"PYTHONPATH": str(ROOT / "samples" / "provider"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    result = subprocess.run(
        command, cwd=ROOT / "samples" / "provider", env=env, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout


def test_the_guide_names_what_there_is():
    """Words in code in samples/provider/README.md that look like parts of the contract are parts of it."""
    import re

    from engine.contract import conformance, difference, errors, operator, platform, value

    text = (ROOT / "samples" / "provider" / "README.md").read_text()
    parts = {name for module in (conformance, difference, errors, operator, platform, value) for name in dir(module)}
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", text))
    assert named and named <= parts, named - parts
    optional = {n for n in dir(operator) if getattr(getattr(operator, n), "_is_runtime_protocol", False)}
    assert optional <= named, f"the guide does not say what these are for: {optional - named}"
    for file in re.findall(r"^\| `([\w/.]+\.\w+)` \|", text, re.M):
        assert (ROOT / "samples" / "provider" / file).is_file(), file
