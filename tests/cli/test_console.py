from __future__ import annotations

import io
import json

import pytest

from engine.cli.console import Console, wants_colour


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "no_color", "environ", "expected"),
    [
        (True, False, {}, True),
        (False, False, {}, False),
        (True, True, {}, False),
        (True, False, {"NO_COLOR": "1"}, False),
        (True, False, {"NO_COLOR": ""}, True),
        (True, False, {"TERM": "dumb"}, False),
        (False, False, {"CLICOLOR_FORCE": "1"}, True),
        (False, False, {"CLICOLOR_FORCE": "0"}, False),
        (False, True, {"CLICOLOR_FORCE": "1"}, False),
        (False, False, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_for_terminals_and_for_those_who_insist(terminal, no_color, environ, expected):
    assert wants_colour(Stream(terminal), no_color, environ) is expected


@pytest.mark.parametrize(
    ("terminal", "format", "term", "expected"),
    [
        (True, "text", "xterm", True),
        (False, "text", "xterm", False),
        (True, "json", "xterm", False),
        (True, "text", "dumb", False),
    ],
)
def test_only_a_terminal_that_can_is_drawn_on(monkeypatch, terminal, format, term, expected):
    monkeypatch.setenv("TERM", term)
    console = Console(format)
    console.err = Stream(terminal)
    assert console.live() is expected


@pytest.mark.parametrize(
    ("words", "json"),
    [
        (["plan", "--format", "json"], True),
        (["plan", "--format=json"], True),
        (["plan", "-o", "json"], True),
        (["plan", "--format", "text"], False),
        (["plan", "json"], False),
        (["plan", "--format"], False),
    ],
)
def test_a_call_that_cannot_be_parsed_is_still_answered_in_its_form(words, json):
    assert Console.of_words(words).json is json


def test_a_row_of_a_table_is_one_line(capsys):
    Console().table(("NAME", "MESSAGE"), [("a", "it ended; its last lines:\nno file\r\nnone"), ("b", "")])
    assert capsys.readouterr().out.splitlines()[1:] == ["a     it ended; its last lines: / no file / none", "b"]


def test_a_table_is_as_wide_as_it_must_be(capsys):
    Console().table(("NAME", "STATE"), [("a", "ready"), ("longer", "failed")])
    assert capsys.readouterr().out == "NAME    STATE\na       ready\nlonger  failed\n"


def test_a_document_is_what_json_would_write(capsys):
    document = {"a": [1, 2.5, True, None, 'é "\\\n\x00'], "b": {}, "c": [], "d": {"e": [{"f": ()}]}}
    Console().document(document)
    assert capsys.readouterr().out == json.dumps(document, indent=2, ensure_ascii=False) + "\n"
