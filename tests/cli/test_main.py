from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.cli.commands.version import VERSION
from engine.cli.verbs import ALIASES, VERBS, find

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_without_a_verb_it_tells_what_there_is(ulna, words):
    result = ulna(*words)
    assert result.code == 0 and result.err == ""
    assert result.out.startswith("Ulna deploys what a Bicep file describes.")
    for verb in VERBS.values():
        assert f"  {verb.name} " in result.out


def test_the_overview_is_as_it_was_accepted(ulna, snapshot):
    assert ulna("--help").out == snapshot


@pytest.mark.parametrize("verb", [*VERBS, *ALIASES])
def test_the_help_of_a_verb_teaches(ulna, verb, snapshot):
    result = ulna(verb, "--help")
    assert result.code == 0 and result.err == ""
    assert f"usage: ulna {verb}" in result.out
    assert "examples:" in result.out and f"ulna {ALIASES.get(verb, verb)}" in result.out
    assert max(map(len, result.out.splitlines())) <= 120
    assert result.out == snapshot


def test_help_may_come_first(ulna):
    assert ulna("help", "deploy") == ulna("deploy", "--help")


@pytest.mark.parametrize(
    ("word", "help"),
    [
        ("deplyo", "Did you mean 'deploy'?"),
        ("whatif", "Did you mean 'what-if'?"),
        ("DEPLOY", "Did you mean 'deploy'?"),
        ("xyzzy", "'ulna --help' lists the verbs."),
        ("--frobnicate", "Options follow the verb: ulna VERB --frobnicate"),
    ],
)
def test_an_unknown_verb_is_a_wrong_call(ulna, word, help):
    result = ulna(word)
    assert result.code == 2 and result.out == ""
    assert f"'{word}'" in result.err and help in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["plan", "--exitcode"], "'ulna plan' has no option '--exitcode'"),
        (["plan", "a.bicep", "b.bicep"], "does not know what to do with 'b.bicep'"),
        (["import", "a.bicep", "app/web", "web"], "The file is given with '--file a.bicep'."),
        (["plan", "a.bicep", "--format", "xml"], "--format"),
        (["plan", "a.bicep", "-e"], "-e/--environment needs a value"),
        (["plan"], "FILE is missing"),
        (["deploy"], "FILE is missing"),
        (["apply"], "PLAN is missing"),
        (["logs"], "NAME is missing"),
        (["state"], "ACTION is missing"),
        (["state", "show"], "ADDRESS is missing"),
        (["completion", "tcsh"], "SHELL"),
        (["deploy", "a.bicep", "--wait", "long"], "--wait"),
        (["build", "a.bicep", "--stdout", "--outdir", "x"], "not allowed with"),
        (["plan", "a.bicep", "--exit"], "'ulna plan' has no option '--exit'"),
    ],
)
def test_a_wrong_call_is_told_with_help(ulna, words, message):
    result = ulna(*words)
    assert result.code == 2 and result.out == ""
    assert message in result.err
    assert "help" in result.err and "Traceback" not in result.err


def test_an_option_that_is_nearly_right_is_named(ulna):
    assert "Did you mean '--exit-code'?" in ulna("plan", "--exitcode").err


def test_the_version_is_that_of_the_project(ulna):
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == VERSION
    assert re.fullmatch(rf"ulna {VERSION} \(Python [\d.]+\)\n", ulna("version").out)
    assert ulna("--version") == ulna("version") == ulna("-V")
    assert VERSION in ulna("version", "--format", "json").out


def test_aliases_lead_to_their_verb():
    assert find("what-if") is VERBS["plan"]
    assert find("nothing") is None


def test_the_installed_command_is_the_same_and_light():
    ulna = Path(sys.executable).parent / "ulna"
    result = subprocess.run([ulna, "version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith(f"ulna {VERSION}")
    program = "import sys; sys.argv[1:] = ['--help']; from engine.cli.main import main; main(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for heavy in ("argparse", "typing", "json", "sqlite3", "rich", "engine.pipeline"):
        assert heavy not in loaded.splitlines()[-1].split()
