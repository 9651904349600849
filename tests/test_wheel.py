"""What is shipped: the four packages, their data, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    out = tmp_path_factory.mktemp("wheel")
    hatch = Path(sys.executable).parent / "hatchling"
    subprocess.run([hatch, "build", "-t", "wheel", "-d", str(out)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = out.glob("ulna-*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_has_the_four_packages_and_nothing_else(names: set[str]) -> None:
    top = {n.split("/")[0] for n in names}
    assert {t for t in top if not t.endswith(".dist-info")} == {"engine", "grammar", "providers", "schemas"}


def test_the_wheel_has_grammars_tables_and_schemas(names: set[str]) -> None:
    assert {"grammar/bicep.lark", "grammar/expression.lark"} <= names
    assert any(n.startswith("schemas/types/") and n.endswith(".json") for n in names)
    assert any(n.startswith("engine/parse/tables/") and not n.endswith(".py") for n in names)


def test_the_wheel_has_the_dashboard_and_the_licences_of_what_it_contains(names: set[str]) -> None:
    dashboard = "engine/live/dashboard"
    assert {f"{dashboard}/index.html", f"{dashboard}/scripts/main.js", f"{dashboard}/styles/tokens.css"} <= names
    for library in ("cytoscape", "cytoscape-dagre"):
        assert {f"{dashboard}/vendored/{library}.js", f"{dashboard}/vendored/LICENSE-{library}"} <= names


def test_the_wheel_has_no_caches_or_tests(names: set[str]) -> None:
    assert not [n for n in names if "__pycache__" in n or n.startswith("tests/")]


def test_the_wheel_declares_the_command_and_the_providers(names: set[str]) -> None:
    assert any(n.endswith(".dist-info/entry_points.txt") for n in names)
