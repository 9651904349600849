"""What is read without argparse means what argparse takes it to mean; and what is not understood is left to it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.main import load
from engine.cli.parser import Parser
from engine.cli.plain import read
from engine.cli.verbs import VERBS
from engine.diagnostics.diagnostic import UlnaError


def by_argparse(command: Any, words: list[str]) -> dict[str, Any] | None:
    parser = Parser("verb", "", "")
    command.arguments(parser)
    try:
        return vars(parser.parse(words))
    except (UlnaError, SystemExit):
        return None


def flags(command: Any) -> list[str]:
    parser = Parser("verb", "", "")
    command.arguments(parser)
    return sorted(parser._option_string_actions)


@pytest.mark.parametrize("verb", sorted(VERBS))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_same_as_argparse(verb, data):
    command = load(VERBS[verb])
    option = st.sampled_from([f for f in flags(command) if f != "-h"])
    value = st.sampled_from(["a.bicep", "json", "text", "3", "1.5", "x=y", "", "-", "-1", "--", "list", "JSON", "@p"])
    word = st.one_of(option, value, st.builds("{}={}".format, option, value), st.just("--no-such"))
    words = data.draw(st.lists(word, max_size=5))
    ours = read(command.arguments, words)
    if ours is not None:
        assert vars(ours) == by_argparse(command, words)


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("lint", ["a.bicep"]),
        ("lint", ["a.bicep", "b.bicep", "--format", "json", "-v"]),
        ("lint", ["--types=t", "--fix", "a.bicep"]),
        ("lint", []),
        ("build", ["a.bicep", "--stdout"]),
        ("plan", ["a.bicep", "-p", "x=1", "-p", "y=2", "--name", "n", "-e", "prod"]),
        ("deploy", ["a.bicep", "--timeout", "3"]),
    ],
)
def test_usual_calls_do_without_argparse(verb, words):
    command = load(VERBS[verb])
    ours = read(command.arguments, words)
    assert ours is not None
    assert vars(ours) == by_argparse(command, words)
    assert vars(pickle.loads(pickle.dumps(read(load(VERBS["build"]).arguments, ["a"]))))["diagnostics_format"] == "text"


@pytest.mark.parametrize(
    "words",
    [
        ["-h"],
        ["--help"],
        ["--no-such"],
        ["-vv"],
        ["--format", "nothing"],
        ["--jobs", "x"],
        ["--types"],
        ["a", "-v", "b"],
    ],
)
def test_everything_else_is_left_to_argparse(words):
    assert read(load(VERBS["lint"]).arguments, words) is None
