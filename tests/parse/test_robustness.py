"""Whatever the text: an answer, in time, whose nodes nest; and no stack runs out."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.parse import tree
from engine.parse.depth import MAX_LEVELS
from tests.parse.corpus import ROOT
from tests.parse.sketch import read

PIECES = [
    "param",
    "var",
    "resource",
    "module",
    "output",
    "type",
    "func",
    "import",
    "extension",
    "for",
    "if",
    "in",
    "as",
    "from",
    "with",
    "using",
    "existing",
    "targetScope",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ".",
    "...",
    ";",
    ":",
    "::",
    "?",
    "??",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "=",
    "==",
    "=~",
    "=>",
    "!",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "|",
    "&",
    "$",
    '"',
    "'",
    "'''",
    "${",
    "\\",
    "#",
    "@",
    "abc",
    "'x'",
    "'${",
    "12",
    "true",
    "null",
    "//",
    "/*",
    "*/",
    "é",
    "😀",
    "#disable-next-line",
    "$'''",
    "�",
]
SOUP = st.lists(st.sampled_from([*PIECES, " ", "\n", "\n", "\r\n", "\t", "\0", "99999999999999999999999"]), max_size=60)
PROGRAM = """@description('a')
param a string = 'x${b}y'
var c { d: int, *: string[]? } = { d: 1, e: [for (x, i) in y: x[i] ?? f(x => x.z)] }

resource e 'A/b@1' existing = if (a == c || !d) {
  // note
  name: '${a}-${toLower('b')}'
  resource f 'g' = {
    parent: e::f
    ...h
  }
}
module g 'h.bicep' = [for i in range(0, 3): if (i > 1) { params: { j: a ? -1 : 2 } }]
func k(l string, m 'a' | 'b') string => '''x
y'''
import { n as o } from 'p.bicep'
output q resourceInput<'A/b@1'>.name = e.?f[^1]!.g
"""


def check(text: str, name: str) -> None:
    file, diagnostics = read(text, name)
    assert (file.start, file.end) == (0, len(text))
    for node in tree.walk(file):
        for child in tree.children(node):
            assert node.start <= child.start <= child.end <= node.end, (node, child)
    for diagnostic in diagnostics:
        assert diagnostic.primary is not None
        assert 0 <= diagnostic.primary.span.start <= diagnostic.primary.span.end <= len(text)


@given(SOUP, st.sampled_from(["a.bicep", "a.bicepparam"]))
@settings(max_examples=150, deadline=None)
def test_a_soup_of_tokens_is_read(pieces: list[str], name: str) -> None:
    check("".join(pieces), name)
    check(" ".join(pieces), name)


@given(st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read(text: str) -> None:
    check(text, "a.bicep")
    check(f"var x = {text}", "a.bicep")


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_program_with_changes_is_read(data: st.DataObject) -> None:
    text = PROGRAM
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from([*PIECES, "\n", ""])) + text[at + data.draw(st.integers(0, 9)) :]
    check(text, data.draw(st.sampled_from(["a.bicep", "a.bicepparam"])))


def test_the_program_itself_has_no_error() -> None:
    assert not read(PROGRAM)[1]


def test_text_outside_of_nodes_is_trivia_and_punctuation() -> None:
    text = (ROOT / "tests/parse/whole.bicep").read_text(encoding="utf-8")
    file, diagnostics = read(text)
    assert not diagnostics
    covered = bytearray(len(text))
    for node in tree.walk(file):
        leaf = not any(True for _ in tree.children(node))
        if leaf or isinstance(node, tree.Text):
            covered[node.start : node.end] = b"x" * (node.end - node.start)
        if isinstance(node, tree.Statement):
            covered[node.keyword.start : node.keyword.end] = b"x" * (node.keyword.end - node.keyword.start)
    for comment in file.comments:
        covered[comment.start : comment.end] = b"x" * (comment.end - comment.start)
    rest = "".join(c for c, known in zip(text, covered, strict=True) if not known)
    words = set("".join(c if c.isalnum() else " " for c in rest).split())
    assert words <= {"existing", "if", "for", "in", "as", "from", "with", "import"}


DEEP = 5000


@pytest.mark.parametrize(
    "text",
    [
        "var x = " + "[" * DEEP + "]" * DEEP,
        "var x = " + "(" * DEEP + "1" + ")" * DEEP,
        "var x = " + "{ a: " * DEEP + "1" + "}" * DEEP,
        "var x = " + "{\na: " * DEEP + "1" + "\n}" * DEEP,
        "var x = " + "!(" * DEEP + "a" + ")" * DEEP,
        "var x = " + "1 + " * DEEP + "1",
        "var x = " + "a" + ".b" * DEEP,
        "var x = " + "a" + "[0]" * DEEP,
        "var x = " + "a" + "[\n0\n]" * DEEP,
        "var x = " + "a ? b : " * DEEP + "c",
        "var x = " + "a\n  ? b\n  : " * DEEP + "c",
        "var x = " + "a => " * DEEP + "a",
        "var x = " + "'${" * DEEP + "1" + "}'" * DEEP,
        "type x = " + "[" * DEEP + "]" * DEEP,
        "type x = string" + "[]" * DEEP,
        "resource x 'y' = " + "{\nresource x 'y' = " * DEEP + "{}" + "\n}" * DEEP,
        "@f(" + "[" * DEEP + "]" * DEEP + ")\nvar x = 1",
    ],
    ids=lambda text: text[:24],
)
def test_what_nests_too_deeply_gives_one_message_and_no_deep_tree(text: str) -> None:
    file, diagnostics = read(text + "\nvar y = 1\n")
    assert [d.code for d in diagnostics] == ["ULN001"]
    level: list[tree.Node] = [file]
    depth = 0
    while level:
        level = [c for n in level for c in tree.children(n)]
        depth += 1
    assert depth <= MAX_LEVELS + 2
    assert depth * 4 < sys.getrecursionlimit()
    assert file.statements[-1].span.end == len(text) + len("\nvar y = 1")


@pytest.mark.parametrize("text", ["[" * DEEP, "var x = " + "[" * DEEP, "@f(" * DEEP, "a " * DEEP, "var x = [\n" * DEEP])
def test_deep_nonsense_ends_too(text: str) -> None:
    check(text, "a.bicep")


def test_a_long_flat_program_is_not_deep() -> None:
    assert not read("var x = [\n" + "  f(a.b, [1, 2], { c: 'd' })\n" * 500 + "]\n")[1]
    assert not read("type x = " + " | ".join(f"'{n}'" for n in range(500)) + "\n")[1]
    assert not read("var x = [" + ", ".join(["a.b"] * 500) + "]\n")[1]
