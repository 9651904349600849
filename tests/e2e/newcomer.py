"""What a newcomer does: runs the README's commands in a copy of the project, or its samples with what is installed here."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def readme_commands() -> list[str]:
    """The commands of the section "Two commands", as they are printed."""
    section = (ROOT / "README.md").read_text().split("## Two commands")[1].split("\n## ")[0]
    return [c.strip() for c in re.findall(r"```sh\n(.*?)```", section, re.S)]


class Clone:
    """The project in a folder of its own, with its own virtual environment and state."""

    def __init__(self, folder: Path, ulna: Path | None = None) -> None:
        self.folder = folder
        self.ulna = ulna or folder / ".venv" / "bin" / "ulna"
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
            timeout=300,
            check=False,
        )
        assert result.returncode in ok, f"{arguments}: exit {result.returncode}\n{result.stdout}\n{result.stderr}"
        assert "Traceback" not in result.stderr
        return result


def sample(name: str, folder: Path) -> Clone:
    """One sample in a folder of its own, for the command that is installed here."""
    shutil.copytree(ROOT / "samples" / name, folder / "samples" / name)
    return Clone(folder, Path(sys.executable).parent / "ulna")
