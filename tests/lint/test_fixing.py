"""Fixes: which go together, how often they are repeated, and that none makes a program worse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.check.check import check
from engine.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Safety, Severity
from engine.diagnostics.source import Source, Span
from engine.lint.fixing import PASSES, Seen, apply, edits_of, fix, select
from engine.lint.run import lint
from engine.sources.memory import MemorySources


def finding(
    source: Source, start: int, end: int, text: str, safety: Safety = Safety.SAFE, code: str = "x"
) -> Diagnostic:
    label = Label(source, Span(start, end))
    mend = Fix(f"Write {text}", (Edit(Span(start, end), text),), safety)
    return Diagnostic(code, Severity.WARNING, f"{code} at {start}", label, fix=mend)


def world(pattern: str, better: str, broken: str = "!", errors: str = "!"):
    """A language in which every match of a pattern should be something better, and some signs are mistakes."""

    def look(text: str) -> Seen:
        source = Source("f", text)
        found = tuple(finding(source, m.start(), m.end(), m.expand(better)) for m in re.finditer(pattern, text))
        return Seen(found, text.count(broken), text.count(errors))

    return look


def test_fixes_are_repeated_until_none_is_left() -> None:
    result = fix("aab aaab", world("aa", "a"))
    assert result.after == "ab ab" and len(result.applied) == 3 and result.changed and not result.refused


def test_fixes_that_never_end_are_stopped() -> None:
    result = fix("a", world("a$", "aa"))
    assert result.after == "a" * (PASSES + 1)
    (told,) = result.refused
    assert told.code == "ULN041" and "go on" in told.message


def test_one_fix_that_breaks_the_program_is_left_out_and_the_others_are_not() -> None:
    result = fix("1 2 3 4 5 6 7", _breaking("4"))
    assert result.after == "x x x 4 x x x"
    (told,) = result.refused
    assert told.code == "ULN041" and told.primary is not None and told.primary.span.start == 6


def _breaking(bad: str):
    def look(text: str) -> Seen:
        source = Source("f", text)
        found = tuple(finding(source, m.start(), m.end(), "x", code=f"c{m[0]}") for m in re.finditer(r"\d", text))
        broken = int(bad not in text)
        return Seen(found, broken, broken)

    return look


def test_what_ends_with_more_errors_is_taken_back() -> None:
    result = fix("a", world("a", "b?", errors="?"))
    assert result.after == "a" and not result.changed and not result.applied
    assert [d.code for d in result.refused] == ["ULN041"]


def test_more_errors_on_the_way_are_fine() -> None:
    def look(text: str) -> Seen:
        source = Source("f", text)
        steps = {"a": "b", "b": "c"}
        found = (finding(source, 0, 1, steps[text]),) if text in steps else ()
        return Seen(found, 0, int(text == "b"))

    assert fix("a", look).after == "c"


def test_unsafe_fixes_are_for_those_who_ask() -> None:
    source = Source("f", "a")
    found = [finding(source, 0, 1, "b", Safety.UNSAFE)]
    assert select(found) == [] and select(found, unsafe=True) == found
    assert select([finding(source, 0, 1, "b", Safety.SUGGESTED)], unsafe=True) == []


@pytest.mark.parametrize(
    ("spans", "chosen"),
    [
        ([(0, 2), (1, 3)], [0]),
        ([(0, 2), (2, 4)], [0, 1]),
        ([(0, 2), (2, 2)], [0]),
        ([(1, 1), (1, 1)], [0]),
        ([(0, 9), (3, 4), (9, 10)], [0, 2]),
    ],
)
def test_fixes_that_touch_are_for_the_next_round(spans: list[tuple[int, int]], chosen: list[int]) -> None:
    source = Source("f", "0123456789")
    found = [finding(source, start, end, "x") for start, end in spans]
    assert select(found) == [found[n] for n in chosen]


def test_a_fix_that_would_swallow_a_comment_is_left_to_a_person() -> None:
    source = Source("f", "f(/* why */ a)")
    found = [finding(source, 0, 14, "a")]
    assert select(found, comments=[Span(2, 11)]) == []
    assert select([finding(source, 0, 14, "")], comments=[Span(2, 11)]) == []
    assert select([finding(source, 0, 14, "", Safety.UNSAFE)], unsafe=True, comments=[Span(2, 11)]) != []


def test_edits_are_carried_out_from_the_end() -> None:
    source = Source("f", "abc")
    assert apply("abc", edits_of([finding(source, 0, 1, "xx"), finding(source, 2, 3, "")])) == "xxb"


PROGRAM = """\
// The head stays.
@description('unused')
param unused string // gone with it
param kept string = concat('a', 'b')
var chain1 = 1
var chain2 = chain1
output x object = { 'name': kept }
"""


def test_a_whole_program_is_fixed_with_its_comments() -> None:
    def look(text: str) -> Seen:
        model = check("main.bicep", MemorySources({"main.bicep": text}))
        errors = sum(d.severity is Severity.ERROR for d in model.diagnostics)
        return Seen((*model.diagnostics, *lint(model)), errors, errors, model.file.comments)

    assert fix(PROGRAM, look).after == PROGRAM.replace("concat('a', 'b')", "'ab'").replace("'name'", "name")
    assert (
        fix(PROGRAM, look, unsafe=True).after
        == "// The head stays.\nparam kept string = 'ab'\noutput x object = { name: kept }\n"
    )


SPEC = Path(__file__).parents[1] / "spec"
PAGES = [page for folder in ("check", "lint", "parse") for page in sorted((SPEC / folder).glob("*.md"))]
PROGRAMS = [
    (f"{page.parent.name}/{page.stem}-{number}", body)
    for page in PAGES
    for number, body in enumerate(re.findall(r"^```bicep\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S))
]


def _comments(text: str) -> list[str]:
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    return [text[c.start : c.end] for c in model.file.comments]


@pytest.mark.parametrize("unsafe", [False, True])
def test_no_program_of_any_page_gets_worse_or_loses_a_comment_or_changes_twice(unsafe: bool) -> None:
    """Hundreds of programs, most of them broken on purpose."""
    changed = 0
    for name, text in PROGRAMS:

        def look(text: str) -> Seen:
            model = check("main.bicep", MemorySources({"main.bicep": text}))
            rules = lint(model)
            broken = sum(d.severity is Severity.ERROR for d in model.diagnostics)
            errors = broken + sum(d.severity is Severity.ERROR for d in rules)
            own = tuple(d for d in (*model.diagnostics, *rules) if d.primary and d.primary.source is model.source)
            return Seen(own, broken, errors, model.file.comments)

        before = look(text)
        result = fix(text, look, unsafe)
        after = look(result.after)
        assert after.broken <= before.broken and after.errors <= before.errors, name
        assert fix(result.after, look, unsafe).after == result.after, name
        if not unsafe:
            assert _comments(result.after) == _comments(text), name
        changed += result.changed
    assert changed > (100 if unsafe else 8)
