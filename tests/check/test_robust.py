"""Checking and linting never raise, whatever the text; and what they say lies inside it."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.build.limits import limits
from engine.check.check import check
from engine.lint.run import lint
from engine.sources.memory import MemorySources

PAGES = Path(__file__).parents[1] / "spec"
PROGRAMS = [
    program
    for page in sorted([*PAGES.glob("check/*.md"), *PAGES.glob("lint/*.md")])
    for program in re.findall(r"^```bicep(?: \S+)?\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
]
PIECES = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "'",
    "${",
    ":",
    "?",
    "!",
    ".",
    "::",
    "@",
    "\n",
    "for x in",
    "if (",
    "=>",
    "...",
    ",",
]
PIECES += [
    "param",
    "var a = a",
    "resource r 'A.B/c@1' = {",
    "type t = t?",
    "import * as n from 'main.bicep'",
    " | ",
    "null",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A program of the pages with pieces cut out, doubled, or put in."""
    text = draw(st.sampled_from(PROGRAMS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        piece = draw(st.sampled_from(["", *PIECES, text[start:end] * 2]))
        text = text[:start] + piece + text[end:]
    return text


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated())
def test_a_mutated_program_is_checked_and_linted(text: str) -> None:
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    for found in (*model.diagnostics, *limits(model), *lint(model)):
        assert found.primary is not None
        assert 0 <= found.primary.span.start <= found.primary.span.end <= len(found.primary.source.text)


def test_a_text_that_doubles_line_by_line_is_not_carried_around() -> None:
    lines = ["var a0 = 'abcdefgh'", *(f"var a{n} = '${{a{n - 1}}}${{a{n - 1}}}'" for n in range(1, 200))]
    model = check("main.bicep", MemorySources({"main.bicep": "\n".join([*lines, "output o string = a199"])}))
    assert not model.diagnostics
