"""Whatever the text: formatting twice is formatting once, and nothing is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.diagnostics.source import Source
from engine.format.cursor import Cursor
from engine.format.format import format
from engine.format.layout import fill
from engine.format.options import Options
from engine.parse import tree as nodes
from engine.parse.parser import parse, tokens
from tests.format.pages import cases
from tests.format.whole import comments, read, tree, words
from tests.parse.corpus import ROOT

SAMPLES = sorted((ROOT / "samples").rglob("*.bicep*"))
PROGRAMS = [(c.name, c.text) for c in cases()] + [("main.bicep", (ROOT / "tests/parse/whole.bicep").read_text("utf-8"))]
PIECES = [
    *"{}[]()',:=?|@.!-#\n ", "// c\n", "/* d */", "/* e\n */", "${", "'''", "=>", "...", "\r\n", " if ", " for ", "param ", "var x = ", "\n\n",
    "#disable-next-line x\n",
]  # fmt: skip


def check(name: str, text: str, options: Options = Options()) -> None:  # noqa: B008
    once = format(Source(name, text), options, read(text, name))
    assert format(Source(name, once), options, read(once, name)) == once
    assert words(once, name) == words(text, name)
    assert comments(once, name) == comments(text, name)
    if (before := tree(text, name)) is not None:
        assert tree(once, name) == before


@pytest.mark.parametrize("width", [1, 40, 120])
def test_it_keeps_the_meaning_at_every_width(width: int) -> None:
    for name, text in PROGRAMS:
        check(name, text, Options(width=width))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: str(p.relative_to(ROOT)))
def test_it_keeps_the_samples(path: Path) -> None:
    check(path.name, path.read_text("utf-8"))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PROGRAMS), st.randoms(use_true_random=False))
def test_it_keeps_what_mistakes_leave(program: tuple[str, str], chance: random.Random) -> None:
    name, text = program
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + (chance.choice(PIECES) if chance.random() < 0.6 else "") + text[at + chance.randrange(3) :]
    check(name, text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_it_never_fails_on_odd_texts(text: str) -> None:
    check("main.bicep", text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PROGRAMS), st.randoms(use_true_random=False))
def test_a_comment_anywhere_stays(program: tuple[str, str], chance: random.Random) -> None:
    name, text = program
    if tree(text, name) is None:
        return
    at = chance.choice([i for i, sign in enumerate(text) if sign in " \n(,"])
    text = text[:at] + chance.choice(["/* here */", "/* here\n */"]) + text[at:]
    check(name, text)


SPREAD = """\
type one =
  | 'a'
  | 'b'
type two = {
  a:
    | 'a'
  b: (
    | 1
    | 2
  )[]
  c: (|2)[]
}
param three
  | 'a'
  | 'b' = 'a'
func four(a
  | 'x'
  | 'y') string => a
var five = true
  ? 1
  : [for x in [
    {
      y: f(
        1
      )
    }
  ]: x]
module six 'x.bicep' = [
  for x in []: if (x) {
    name: 'x'
  }
]
"""
"""What may stand on several lines."""


@pytest.mark.parametrize("width", [20, 120])
@pytest.mark.parametrize("said", ["// here", "\n// here\n", "// here\n// there", "/* here */", "#disable-next-line x"])
def test_what_is_said_between_lines_stays(said: str, width: int) -> None:
    assert tree(SPREAD, "main.bicep") is not None
    for at in (place for place, sign in enumerate(SPREAD) if sign == "\n"):
        text = f"{SPREAD[:at]}\n{said}{SPREAD[at:]}"
        if tree(text, "main.bicep") is not None:
            check("main.bicep", text, Options(width=width))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("type t =\n  | 'a'\n  // | 'b'\n  | 'c'\n", "type t =\n  | 'a'\n  // | 'b'\n  | 'c'\n"),
        ("type t = //x\n| 'a'\n", "type t =\n  //x\n  | 'a'\n"),
        ("param p //x\n| 'a'\n", "param p //x\n  | 'a'\n"),
        ("type t = 'a'\n/*x*/ | 'b'\n", "type t = 'a' | /*x*/ 'b'\n"),
        ("type t = (|2)[]\n", "type t = (2)[]\n"),
        ("#disable-next-line !//x\n", "#disable-next-line ! //x\n"),
        ("var a = [b//x\n//y\n]\n", "var a = [\n  b //x\n  //y\n]\n"),
        ("type t = { a\n#disable-next-line x:'' }\n", "type t = {\n  a\n  #disable-next-line x\n  : ''\n}\n"),
        ("type t = { a\n/*x*/\n: '' }\n", "type t = { a /*x*/: '' }\n"),
        ("type t = { a\n/*x*/ //y\n: '' }\n", "type t = {\n  a /*x*/ //y\n  : ''\n}\n"),
        ("var a = b[c /*x*/ //y\n]\n", "var a = b[c /*x*/ //y\n]\n"),
        ("var a = b.\n/*x*/?c\n", "var a = b. /*x*/?c\n"),
        ("var a = f(b\n/*x*/\n, c)\n", "var a = f(b /*x*/, c)\n"),
        ("var a = (b\n/*x*/)\n", "var a = (b /*x*/)\n"),
        ("type t = r<'a'\n/*x*/>\n", "type t = r<'a' /*x*/>\n"),
        ("module m 'm' = if (a\n/*x*/) {}\n", "module m 'm' = if (a /*x*/) {}\n"),
    ],
)
def test_a_comment_keeps_its_line(text: str, expected: str) -> None:
    assert format(Source("main.bicep", text)) == expected
    check("main.bicep", text)


@pytest.mark.parametrize("said", ["\n/* here */", "/* here */ // there\n"])
def test_a_comment_between_any_two_tokens_stays(said: str) -> None:
    """A statement at a time, so that it is quick."""
    whole = Source("main.bicep", dict(PROGRAMS)["main.bicep"])
    for statement in parse(whole)[0].statements:
        text = whole.text[statement.start : statement.end] + "\n"
        for at in sorted({*tokens(Source("main.bicep", text)).ends}):
            changed = text[:at] + said + text[at:]
            if tree(changed, "main.bicep") is not None:
                check("main.bicep", changed, Options(width=60))


@pytest.mark.parametrize("last", ["{ first: 1, second: 2 }", "[first, second, third]"])
@pytest.mark.parametrize("width", range(16, 42))
def test_a_call_is_as_it_stays_at_every_width(last: str, width: int) -> None:
    check("main.bicep", f"var x = f(a, {last})\n", Options(width=width))


def test_deep_nesting_is_kept_as_it_is() -> None:
    for opener, closer in (("[", "]"), ("(", ")"), ("{ a: ", " }"), ("f(", ")"), ("!(", ")")):
        text = f"var x   =  1\nvar y = {opener * 500}1{closer * 500}\n"
        assert format(Source("main.bicep", text)).startswith("var x = 1\n")
    for link in (" + 1", ".a", "[0]", " ? 1 : 2"):
        format(Source("main.bicep", f"var y = 1{link * 3000}\n"))


def test_every_construct_has_a_layout() -> None:
    table = fill()
    kinds = {k for k in vars(nodes).values() if isinstance(k, type) and issubclass(k, nodes.Node)}
    structure = {nodes.Node, nodes.Statement, nodes.File, nodes.Pragma, nodes.Decorator, nodes.BrokenStatement}
    assert kinds - structure == set(table)


def test_a_cursor_reads_every_token_once() -> None:
    source = Source("main.bicep", "var x = [ 1, 2 ]\n")
    cursor = Cursor(parse(source)[0], "\n")
    assert [cursor.take() for _ in range(8)] == ["var", "x", "=", "[", "1", ",", "2", "]"]
    assert cursor.at == cursor.end
