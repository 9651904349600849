"""A copy of the project as a newcomer has it, and the first of the README's two commands run in it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def readme_commands() -> list[str]:
    """The commands of the section "Two commands", as they are printed."""
    section = (ROOT / "README.md").read_text().split("## Two commands")[1].split("\n## ")[0]
    return [c.strip() for c in re.findall(r"```sh\n(.*?)```", section, re.S)]


class Clone:
    """The project in a folder of its own, with its own virtual environment and state."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ulna = folder / ".venv" / "bin" / "ulna"
        self.first = subprocess.CompletedProcess[str]([], 0, "", "")

    def run(
        self, *arguments: str, folder: Path | None = None, ok: Sequence[int] = (0,), **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """`ulna ARGUMENTS`, with its output; fails on an unexpected exit code."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")} | variables
        result = subprocess.run(
            [self.ulna, *arguments],
            cwd=folder or self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert result.returncode in ok, f"{arguments}: exit {result.returncode}\n{result.stdout}\n{result.stderr}"
        assert "Traceback" not in result.stderr
        return result


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clone]:
    """The project after the first command; whatever runs then is destroyed at the end."""
    folder = tmp_path_factory.mktemp("clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    clone = Clone(folder)
    command = readme_commands()[0]
    clone.first = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )
    yield clone
    for name in ("hello", "fleet"):
        for file in (f"samples/{name}/app.bicep", f"samples/{name}/main.bicep"):
            if (folder / file).exists() and clone.ulna.exists():
                subprocess.run([clone.ulna, "destroy", file, "--yes"], cwd=folder, capture_output=True, check=False)
