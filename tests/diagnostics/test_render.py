"""How diagnostics are shown, to people and to programs."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Safety, Severity
from engine.diagnostics.render import github, junit, sarif, text
from engine.diagnostics.render import json as as_json
from engine.diagnostics.render.excerpt import WIDEST, excerpt
from engine.diagnostics.source import Source, Span


def about(content: str, marked: str, name: str = "app.bicep", **fields: Any) -> Diagnostic:
    """A diagnostic on the first place of a text where `marked` stands."""
    start = content.index(marked)
    source = Source(name, content)
    defaults: dict[str, Any] = {"code": "BCP057", "severity": Severity.ERROR, "message": "The name 'x' is not known"}
    return Diagnostic(primary=Label(source, Span(start, start + len(marked))), **(defaults | fields))


def marks(content: str, marked: str) -> tuple[str, str]:
    """The source line as shown, and the marks below it."""
    lines = text.render([about(content, marked)]).split("\n")
    return lines[2].partition("| ")[2], lines[3].partition("| ")[2]


def test_a_diagnostic_for_people_has_place_line_caret_and_help() -> None:
    assert text.render([about("\n  a: xy\n", "xy", help="Did you mean 'x'?")]) == (
        "app.bicep:2:6: error BCP057: The name 'x' is not known\n"
        "  |\n"
        "2 |   a: xy\n"
        "  |      ^^\n"
        "help: Did you mean 'x'?\n"
    )


def test_related_labels_show_their_lines() -> None:
    first = about("param a int\nvar b = 1\nvar a = 2\n", "var a")
    assert first.primary
    same = Label(first.primary.source, Span(6, 7), "declared here too")
    other = Label(Source("lib.bicep", "\n" * 98 + "var a = 3"), Span(98, 101))
    assert text.render([first.replace(related=(same, other))]) == (
        "app.bicep:3:1: error BCP057: The name 'x' is not known\n"
        "   |\n"
        " 3 | var a = 2\n"
        "   | ^^^^^\n"
        " 1 | param a int\n"
        "   |       - declared here too\n"
        "   --> lib.bicep:99:1\n"
        "   |\n"
        "99 | var a = 3\n"
        "   | ---\n"
    )


def test_what_has_no_place_is_one_line() -> None:
    plain = Diagnostic("ULN900", Severity.WARNING, "The state is locked", help="Wait.")
    assert text.render([plain, plain]) == "warning ULN900: The state is locked\nhelp: Wait.\n" * 1 + (
        "\nwarning ULN900: The state is locked\nhelp: Wait.\n"
    )
    assert text.render([]) == ""


@pytest.mark.parametrize(
    ("content", "marked", "line", "below"),
    [
        ("\tx = y", "y", "    x = y", "        ^"),
        ("ab\tx", "x", "ab  x", "    ^"),
        ("日本 x", "x", "日本 x", "     ^"),
        ("a 日本", "日本", "a 日本", "  ^^^^"),
        ("e\u0301 x", "x", "e\u0301 x", "  ^"),
        ("\ufeffx y", "y", "x y", "  ^"),
        ("a\x1b[31mb x", "x", "a\ufffd[31mb x", "        ^"),
        ("a\0 x", "x", "a\ufffd x", "   ^"),
        ("a = [\n 1\n]", "[\n 1\n]", "a = [", "    ^"),
        ("a\rb x\r", "x", "b x", "  ^"),
    ],
)
def test_marks_stand_below_what_they_mean(content: str, marked: str, line: str, below: str) -> None:
    assert marks(content, marked) == (line, below)


def test_of_a_long_line_the_part_around_the_mark_is_shown() -> None:
    line, below = marks("a" * 500 + "xyz" + "b" * 500, "xyz")
    assert len(line) <= WIDEST + 2
    assert line.startswith("…")
    assert line.endswith("…")
    assert line[below.index("^") :].startswith("xyz")
    line, below = marks("xyz" * 200, "xyz" * 200)
    assert len(below) <= len(line)


def test_colours_are_only_there_when_wanted_and_text_cannot_bring_its_own() -> None:
    wrong = about("x", "x", message="a \x1b[31m b", help="c\x07")
    assert "\x1b" not in text.render([wrong])
    assert "\x07" not in text.render([wrong])
    assert "\x1b[31;1merror BCP057\x1b[0m" in text.render([wrong], colour=True)


@given(st.text(max_size=200), st.integers(0, 200), st.integers(0, 50))
def test_any_place_of_any_text_can_be_shown(content: str, start: int, length: int) -> None:
    start = min(start, len(content))
    label = Label(Source("a", content), Span(start, min(len(content), start + length)))
    part = excerpt(label)
    assert part.width >= 1
    wrong = Diagnostic("BCP001", Severity.INFO, content, label, (label,), content)
    for shown in (text.render([wrong]), github.render([wrong]), sarif.render([wrong]), junit.render([wrong])):
        assert shown.endswith("\n")
    text.render([wrong]).encode()
    ElementTree.fromstring(junit.render([wrong]).encode())


SAMPLE = about(
    "var 😀 = xy\n",
    "xy",
    help="Use x",
    fix=Fix("Rename", (Edit(Span(8, 10), "x"),), Safety.SAFE),
    tags=("deprecated",),
)


def test_json_counts_columns_in_utf_16() -> None:
    (shown,) = json.loads(as_json.render([SAMPLE]))
    assert shown == {
        "code": "BCP057",
        "severity": "error",
        "message": "The name 'x' is not known",
        "file": "app.bicep",
        "start": {"line": 1, "column": 10, "offset": 8},
        "end": {"line": 1, "column": 12, "offset": 10},
        "help": "Use x",
        "fix": {
            "title": "Rename",
            "safety": "safe",
            "edits": [
                {
                    "start": {"line": 1, "column": 10, "offset": 8},
                    "end": {"line": 1, "column": 12, "offset": 10},
                    "text": "x",
                }
            ],
        },
        "tags": ["deprecated"],
    }
    assert json.loads(as_json.render([])) == []


SARIF = {
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "items": {
                "required": ["tool", "results"],
                "properties": {
                    "results": {
                        "items": {
                            "required": ["ruleId", "level", "message"],
                            "properties": {
                                "level": {"enum": ["error", "warning", "note"]},
                                "message": {"required": ["text"]},
                                "locations": {"items": {"required": ["physicalLocation"]}},
                            },
                        }
                    }
                },
            }
        },
    },
}


def test_sarif_has_level_rule_and_region() -> None:
    plain = Diagnostic("ULN900", Severity.INFO, "b")
    log = json.loads(sarif.render([SAMPLE, plain, about("x", "x", "/a b/c.bicep", severity=Severity.WARNING)], "1.2"))
    jsonschema.validate(log, SARIF)
    run = log["runs"][0]
    assert run["tool"]["driver"] == {
        "name": "ulna",
        "version": "1.2",
        "rules": [{"id": "BCP057"}, {"id": "ULN900"}],
    }
    first, second, third = run["results"]
    assert [r["level"] for r in run["results"]] == ["error", "note", "warning"]
    assert "locations" not in second
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "app.bicep"}
    assert place["region"] == {"startLine": 1, "startColumn": 10, "endLine": 1, "endColumn": 12}
    assert third["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///a%20b/c.bicep"}
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "x"}


def test_github_commands_escape_what_would_end_them() -> None:
    wrong = about("x", "x", "a,b:c.bicep", message="100%\nsure", severity=Severity.WARNING)
    assert github.render([wrong]) == (
        "::warning file=a%2Cb%3Ac.bicep,line=1,col=1,endLine=1,endColumn=2,title=BCP057::100%25%0Asure\n"
    )
    assert github.render([Diagnostic("ULN900", Severity.INFO, "b")]) == "::notice title=ULN900::b\n"


def test_junit_has_a_suite_a_file() -> None:
    root = ElementTree.fromstring(junit.render([SAMPLE, about("x", "x", "b", severity=Severity.INFO)]).encode())
    assert [(s.get("name"), s.get("failures")) for s in root] == [("app.bicep", "1"), ("b", "0")]
    assert len(ElementTree.fromstring(junit.render([]).encode())) == 1
