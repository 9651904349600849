"""A copy of the project as a newcomer has it, and the first of the README's two commands run in it."""

import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.e2e.newcomer import ROOT, Clone, readme_commands


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
    if clone.ulna.exists():
        command = [clone.ulna, "destroy", "samples/hello/app.bicep", "--yes"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
