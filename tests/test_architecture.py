"""The house rules that a machine can check."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = sorted(p for folder in ("engine", "providers", "grammar", "schemas") for p in (ROOT / folder).rglob("*.py"))
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "base", "misc"}


def tool(*command: str) -> subprocess.CompletedProcess[str]:
    executable = Path(sys.executable).parent / command[0]
    return subprocess.run([executable, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    [
        ("lint-imports",),
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy",),
    ],
    ids=" ".join,
)
def test_the_checkers_find_nothing(command: tuple[str, ...]) -> None:
    result = tool(*command)
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_file_is_longer_than_400_lines() -> None:
    long = {str(p.relative_to(ROOT)): n for p in CODE if (n := len(p.read_text().splitlines())) > 400}
    assert not long


def test_no_file_is_named_for_nothing() -> None:
    assert not [str(p) for p in CODE if p.stem in FORBIDDEN_NAMES]


def test_an_init_holds_a_docstring_and_at_most_names_its_provider() -> None:
    for path in CODE:
        if path.name != "__init__.py":
            continue
        tree = ast.parse(path.read_text())
        assert ast.get_docstring(tree), path
        rest = [n for n in tree.body[1:] if not (isinstance(n, ast.ImportFrom) and n.module == "__future__")]
        if path.parent.parent.name == "providers" and path.parent.name != "providers":
            assert len(rest) <= 4, path
        else:
            assert not rest, path


def test_the_top_level_is_as_agreed() -> None:
    git = shutil.which("git")
    assert git
    listed = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    top = {name.split("/")[0] for name in listed}
    assert {"pyproject.toml", "engine", "grammar", "schemas", "providers", "samples", "tests", "README.md"} <= top
    extra = top - {"pyproject.toml", "engine", "grammar", "schemas", "providers", "samples", "tests", "README.md"}
    assert extra <= {
        ".ci",
        ".gitattributes",
        ".github",
        ".gitignore",
        ".pre-commit-config.yaml",
        ".pre-commit-hooks.yaml",
        "BENCHMARKS.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
    }


def test_heavy_libraries_stay_off_the_path_of_a_plain_verb() -> None:
    """What costs tens of milliseconds to import is loaded by the verb that needs it, never by the command itself."""
    heavy = [
        "asyncio",
        "dataclasses",
        "importlib.metadata",
        "importlib.resources",
        "inspect",
        "jsonschema",
        "lark",
        "logging",
        "pydantic",
        "rich",
        "yaml",
    ]
    program = "import sys; from engine.cli import main; print(' '.join(m for m in sys.argv[1:] if m in sys.modules))"
    found = subprocess.run(
        [sys.executable, "-c", program, *heavy], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not found
