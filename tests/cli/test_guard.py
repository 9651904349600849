from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.guard import guarded
from engine.contract.errors import Terminal
from engine.diagnostics.diagnostic import UlnaError

ROOT = Path(__file__).parents[2]


def raising(error: BaseException):
    def call() -> int:
        raise error

    return call


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UlnaError.of("ULN001", "No"), 1, "No"),
        (UlnaError.of("ULN001", "No", exit_code=2), 2, "No"),
        (Terminal("the port is in use", "Free it."), 1, "the port is in use"),
        (PermissionError(13, "Permission denied", "x.json"), 1, "'x.json': Permission denied"),
        (RecursionError(), 1, "nested too deeply"),
        (MemoryError(), 1, "not enough memory"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (SystemExit(3), 3, ""),
    ],
)
def test_whatever_goes_wrong_becomes_words_and_an_exit_code(capsys, error, code, words):
    assert guarded(raising(error), []) == code
    err = capsys.readouterr().err
    assert words in err and "Traceback" not in err


def test_an_error_that_nobody_foresaw_is_called_a_bug(capsys, monkeypatch):
    monkeypatch.delenv("ULNA_DEBUG", raising=False)
    assert guarded(raising(ZeroDivisionError("hunter2")), []) == 1
    err = capsys.readouterr().err
    assert "This is a bug in Ulna (ZeroDivisionError in call" in err
    assert "ULNA_DEBUG=1" in err and "Traceback" not in err
    assert "hunter2" not in err


def test_a_bug_shows_its_traceback_to_those_who_ask(capsys, monkeypatch):
    monkeypatch.setenv("ULNA_DEBUG", "1")
    assert guarded(raising(ZeroDivisionError()), []) == 1
    assert "Traceback" in capsys.readouterr().err


def test_errors_are_json_for_those_who_read_json(capsys):
    guarded(raising(UlnaError.of("ULN001", "No")), ["plan", "--format", "json"])
    err = capsys.readouterr().err
    assert '"ULN001"' in err


@pytest.mark.parametrize("words", [["--help"], ["deploy", "--help"], ["completion", "bash"]])
def test_a_reader_that_went_away_is_no_drama(words):
    ulna = Path(sys.executable).parent / "ulna"
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run([ulna, *words], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert result.stderr == ""
    assert result.returncode == 1


@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        ("cd gone && rmdir ../gone && {ulna} status", 1, "The current folder is not there any more"),
        ("{ulna} --help > /dev/full", 1, "the disk is full"),
        ("{ulna} explain BCP057 >&-", 0, ""),
        ("{ulna} explain ULN9 2>&-", 2, ""),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_strange_place_to_be_called_from_is_no_bug(tmp_path, script, code, words):
    (tmp_path / "gone").mkdir()
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from engine.cli.main import main; sys.exit(main())"
    ulna = f"{sys.executable} -c {shlex.quote(program)}"
    result = subprocess.run(
        ["sh", "-c", script.format(ulna=ulna)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == code and words in result.stderr, result.stderr
    assert "Traceback" not in result.stderr and "ULN799" not in result.stderr
