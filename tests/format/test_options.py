"""What a configuration says about the form of a text."""

from __future__ import annotations

import pytest

from engine.config.config import Config
from engine.diagnostics.source import Source
from engine.format.format import format
from engine.format.options import Options, from_settings

PROGRAM = "var a = {\n  b: [\n    1\n  ]\n}\n"


def shown(text: str, **settings: object) -> str:
    return format(Source("main.bicep", text), from_settings(settings))


def test_the_defaults_are_those_of_a_configuration_without_settings() -> None:
    assert from_settings(Config().get("formatting")) == Options() == from_settings({})


def test_lines_are_indented_as_asked() -> None:
    assert shown(PROGRAM, indentSize=4) == PROGRAM.replace("  ", "    ")
    assert shown(PROGRAM, indentKind="Tab") == PROGRAM.replace("  ", "\t")


@pytest.mark.parametrize(("kind", "end"), [("LF", "\n"), ("CRLF", "\r\n"), ("CR", "\r"), ("Auto", "\n")])
def test_lines_end_as_asked(kind: str, end: str) -> None:
    assert shown(PROGRAM, newlineKind=kind) == PROGRAM.replace("\n", end)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_auto_keeps_the_line_end_of_the_first_line(end: str) -> None:
    text = f"var a = 1{end}// c\nvar b = 2"
    assert shown(text, newlineKind="auto") == end.join(["var a = 1", "// c", "var b = 2", ""])


def test_comments_and_long_strings_get_the_same_line_ends() -> None:
    assert shown("/* a\r\n b */\r\nvar a = '''\r\nx\r\n'''\r\n") == "/* a\n b */\nvar a = '''\nx\n'''\n"


def test_the_last_line_end_can_be_left_out() -> None:
    assert shown(PROGRAM, insertFinalNewline=False) == PROGRAM.rstrip()
    assert shown("", insertFinalNewline=False) == ""


@pytest.mark.parametrize(
    "settings", [{"width": "wide"}, {"indentSize": -1}, {"newlineKind": 3}, {"insertFinalNewline": "x"}]
)
def test_what_makes_no_sense_is_left_at_its_default(settings: dict[str, object]) -> None:
    assert from_settings(settings) == Options()
