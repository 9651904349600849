"""Statements, decorators, comments and pragmas: what each becomes, and where it stands."""

from __future__ import annotations

import pytest

from engine.parse import tree
from tests.parse.sketch import read, sketch, statement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("targetScope = 'tenant'", "TargetScope('tenant')"),
        ("metadata a = 'b'", "Metadata(a 'b')"),
        ("param a string", "Param(a $string)"),
        ("param a string = 'b'", "Param(a $string 'b')"),
        ("param a 'x' | 'y' = 'x'", "Param(a Union(['x' 'y']) 'x')"),
        ("param a resource 'A/b@1'", "ResourceParam(a 'A/b@1')"),
        ("param resource resource", "Param(resource $resource)"),
        ("var a = 1", "Var(a 1)"),
        ("var a int[] = [1]", "Var(a ArrayType($int) Array([1]))"),
        ("resource a 'A/b@1' = {}", "Resource(a 'A/b@1' Object())"),
        ("resource a 'A/b@1' existing = {}", "Resource(a 'A/b@1' true Object())"),
        ("resource a 'A/b@1' =\n  if (c) {}", "Resource(a 'A/b@1' If($c Object()))"),
        ("resource a 'A/b@1' = [for x in y: if (x) {}]", "Resource(a 'A/b@1' For(x $y If($x Object())))"),
        (
            "resource a 'A/b@1' = {\n  @batchSize(1)\n  resource c 'd' = {}\n  e: 1\n}",
            "Resource(a 'A/b@1' Object([Resource([Decorator(Call(batchSize [1]))] c 'd' Object()) Property(e 1)]))",
        ),
        ("module a 'b.bicep' = {}", "Module(a 'b.bicep' Object())"),
        ("output a string = b", "Output(a $string $b)"),
        ("output a resource 'A/b@1' = b", "Output(a Parameterized(resource ['A/b@1']) $b)"),
        ("type a = string", "TypeDeclaration(a $string)"),
        ("func f() string => 'a'", "Func(f $string 'a')"),
        (
            "func f(\n  a string,\n  b int\n) int =>\n  b",
            "Func(f [FuncParameter(a $string) FuncParameter(b $int)] $int $b)",
        ),
        (
            "import { a, b as c, 'd-e' as f } from 'g'",
            "Import([ImportItem(a) ImportItem(b c) ImportItem('d-e' f)] 'g')",
        ),
        ("import {\n  as\n  from\n} from 'g'", "Import([ImportItem(as) ImportItem(from)] 'g')"),
        ("import * as a from 'b'", "Import(a 'b')"),
        ("import 'a' as b", "Extension('a' b)"),
        ("extension a", "Extension($a)"),
        ("extension a with {\n  b: 1\n} as c", "Extension($a Object([Property(b 1)]) c)"),
        ("extension 'br:a/b:1' as c", "Extension('br:a/b:1' c)"),
        ("assert a = b > 1", "Assert(a Binary(> $b 1))"),
        ("test a 'b.bicep' = {}", "Test(a 'b.bicep' Object())"),
        ("@sys.secure()\n@description('x')\nparam a string", None),
    ],
)
def test_a_statement_becomes_its_node(text: str, expected: str | None) -> None:
    expected = expected or "Param([Decorator(MethodCall($sys secure)) Decorator(Call(description ['x']))] a $string)"
    assert statement(text) == statement(f"\n// before\n{text} // after\n\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("using 'a.bicep'", "Using('a.bicep')"),
        ("using none", "Using()"),
        ("using 'a' with {\n  b: 1\n}", "Using('a' Object([Property(b 1)]))"),
        ("extends 'a.bicepparam'", "Extends('a.bicepparam')"),
        ("param a = 1", "Param(a 1)"),
        ("var a = 1", "Var(a 1)"),
        ("type a = string", "TypeDeclaration(a $string)"),
        ("extension a", "Extension($a)"),
        ("extensionConfig a with {}", "ExtensionConfig(a Object())"),
        ("import { a } from 'b'", "Import([ImportItem(a)] 'b')"),
    ],
)
def test_a_line_of_a_parameters_file_becomes_its_node(text: str, expected: str) -> None:
    assert statement(text, "main.bicepparam") == expected


def test_statements_and_keywords_know_where_they_stand() -> None:
    text = "@secure()\nparam  a  string = 'b'  // c\n"
    (param,) = read(text)[0].statements
    assert isinstance(param, tree.Param)
    spans = [param.span, param.keyword, param.name.span, param.decorators[0].span]
    assert [text[s.start : s.end] for s in spans] == [text[: text.index("  //")], "param", "a", "@secure()"]


def test_comments_and_pragmas_are_listed() -> None:
    text = "/* a */ #x\n#disable-next-line BCP081 no-x // b\nvar a = 1 // c\n  #restore-diagnostics  y\n"
    file = read(text)[0]
    assert [text[c.start : c.end] for c in file.comments] == ["/* a */", "// b", "// c"]
    assert [(p.kind, [c.text for c in p.codes]) for p in file.pragmas] == [
        ("disable-next-line", ["BCP081", "no-x"]),
        ("restore-diagnostics", ["y"]),
    ]
    first = file.pragmas[0]
    assert text[first.start : first.end] == "#disable-next-line BCP081 no-x"
    assert text[first.codes[1].start : first.codes[1].end] == "no-x"


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", "// c", "/* c */", "\t", "\r", "\r\n  \r\n"])
def test_a_file_may_hold_nothing(text: str) -> None:
    file, diagnostics = read(text)
    assert (file.statements, diagnostics, file.start, file.end) == ((), (), 0, len(text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(end: str) -> None:
    text = end.join(["\ufeffvar a = [", "  1", "", "  2", "]", "var b = a"])
    file, diagnostics = read(text)
    assert not diagnostics
    assert [sketch(s) for s in file.statements] == ["Var(a Array([1 2]))", "Var(b $a)"]
