"""Bash completes in a real bash; the scripts for the other shells are compared with what was accepted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.completion import bash, fish, zsh
from engine.cli.completion.words import shapes
from engine.cli.verbs import ALIASES, VERBS

HARNESS = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
_ulna
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "ulna.bash"
    path.write_text(bash.script(shapes()))
    return path


@pytest.fixture
def complete(script: Path, tmp_path: Path):
    (tmp_path / "app.bicep").touch()
    (tmp_path / "dev.bicepparam").touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "modules").mkdir()

    def run(*words: str) -> set[str]:
        bin = Path(sys.executable).parent
        result = subprocess.run(
            ["bash", "--norc", "-c", HARNESS, "bash", script, "ulna", *words],
            cwd=tmp_path,
            env={"PATH": f"{bin}:{os.environ['PATH']}", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.stderr == ""
        return set(result.stdout.split())

    return run


def test_bash_can_read_the_script(script):
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["dep"], {"deploy", "deployments"}),
        (["d"], {"dashboard", "decompile", "decompile-params", "deploy", "deployments", "destroy", "drift"}),
        (["what"], {"what-if"}),
        (["--v"], {"--version"}),
        (["deploy", "--on"], {"--on-unmanage"}),
        (["deploy", "--on-unmanage", ""], {"delete", "detach"}),
        (["plan", "x.bicep", "--ex"], {"--exit-code"}),
        (["what-if", "--ex"], {"--exit-code"}),
        (["plan", "--format", "j"], {"json"}),
        (["plan", "-o", "t"], {"text"}),
        (["graph", "a.bicep", "--format", ""], {"text", "json", "dot", "mermaid"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["state", ""], {"list", "show"}),
        (["help", "dep"], {"deploy", "deployments"}),
        (["deploy", ""], {"app.bicep", "dev.bicepparam", "modules"}),
        (["deploy", "a"], {"app.bicep"}),
        (["deploy", "app.bicep", "--state", ""], {"modules"}),
        (["nonsense", ""], set()),
    ],
)
def test_bash_completes(complete, words, expected):
    assert complete(*words) == expected


def test_every_verb_is_completed(complete):
    assert {*VERBS, *ALIASES} <= complete("")


def test_bash_ties_the_function_to_the_command(script):
    command = f'source "{script}"; complete -p ulna'
    result = subprocess.run(["bash", "--norc", "-c", command], capture_output=True, text=True, check=True)
    assert "-F _ulna ulna" in result.stdout


@pytest.mark.parametrize(("shell", "write"), [("zsh", zsh.script), ("fish", fish.script)], ids=["zsh", "fish"])
def test_other_shells_get_what_was_accepted(shell, write, snapshot, tmp_path):
    text = write(shapes())
    assert text == snapshot
    if found := shutil.which(shell):
        path = tmp_path / f"ulna.{shell}"
        path.write_text(text)
        result = subprocess.run([found, "-n", path], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr


def test_the_verb_prints_the_script(ulna):
    assert ulna("completion", "bash").out == bash.script(shapes())
    assert ulna("completion", "zsh").out.startswith("#compdef ulna")
    assert "complete -c ulna" in ulna("completion", "fish").out
