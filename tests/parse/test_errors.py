"""Syntax errors: the code and the place of each, and that what stands around it is read."""

from __future__ import annotations

import pytest

from engine.parse import tree
from tests.parse.sketch import read, sketch


def findings(text: str, name: str = "main.bicep") -> list[str]:
    """`CODE 'the text it is about'`, or `CODE @offset` where that is empty."""
    out = []
    for diagnostic in read(text, name)[1]:
        assert diagnostic.primary is not None
        span = diagnostic.primary.span
        about = f"'{text[span.start : span.end]}'" if span.end > span.start else f"@{span.start}"
        out.append(f"{diagnostic.code} {about}")
        assert diagnostic.message
        assert diagnostic.help
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # characters and strings
        ("var x = &", ["BCP001 '&'", "BCP009 '&'"]),
        ('var x = "a"', ["BCP009 '\"'", "BCP103 '\"'", "BCP103 '\"'"]),
        ("var x = 1 /* a", ["BCP002 '/* a'"]),
        ("var x = 'a\n", ["BCP004 ''a'"]),
        ("var x = 'a\\\n", ["BCP004 ''a\\'"]),
        ("var x = 'a", ["BCP003 ''a'"]),
        ("var x = 'a\\", ["BCP005 ''a\\'"]),
        ("var x = 'a\\\\", ["BCP003 ''a\\\\'"]),
        ("var x = 'a${b}\\", ["BCP005 '}\\'"]),
        ("var x = 'a${b", ["BCP003 @13"]),
        ("var x = '${[1]}'", ["BCP087 '['"]),
        ("var x = '${f({a: {}})}${g([for b in c: b])}'", ["BCP087 '{'", "BCP087 '['"]),
        ("var x = '${map(a, b => [{c: d}])}'", []),
        ("var x = a.?b()", ["BCP322 '?'"]),
        ("var x = 3.14", ["BCP019 '14'", "BCP020 '14'"]),
        ("type x = ()", ["BCP243 @10"]),
        ("var x = f(\n'a'\n'b'\n)", ["BCP237 @14"]),
        ("resource x 'A.B/c@2020-01-01' = [for (\n\nvar y = 1", ["BCP009 @38"]),
        ("var x = a.?b(1)", ["BCP322 '?'"]),
        ("var x = 'a${b\n", ["BCP004 @13"]),
        ("var x = 'a${b}c\n", ["BCP004 '}c'"]),
        ("var x = 'a${\n", ["BCP004 @12", "BCP009 @12"]),
        ("var x = '''a\n", ["BCP140 ''''a\n'"]),
        ("var x = $'''a${b}\n", ["BCP140 '}\n'"]),
        (r"var x = 'a\qb'", [r"BCP006 '\q'"]),
        (r"var x = '\u{110000}'", [r"BCP133 '\u{110000}'"]),
        (r"var x = '\u{}'", ["BCP133 '\\u{'"]),
        ("var x = 18446744073709551616", ["BCP010 '18446744073709551616'"]),
        (f"var {'x' * 256} = 1", [f"BCP024 '{'x' * 256}'"]),
        ("#disable-next-line\nvar x = 1", ["BCP226 @18"]),
        ("var x = 1 #disable-next-line a", ["BCP001 '#'", "BCP019 '#'"]),
        # statements
        ("abc", ["BCP007 'abc'"]),
        ("1 + 2\nvar x = 1", ["BCP007 '1'"]),
        ("var", ["BCP015 @3"]),
        ("param", ["BCP013 @5"]),
        ("output", ["BCP016 @6"]),
        ("resource", ["BCP017 @8"]),
        ("module 'a' = {}", ["BCP096 ''a''"]),
        ("metadata", ["BCP266 @8"]),
        ("type 4 = string", ["BCP325 '4'"]),
        ("var x", ["BCP018 @5"]),
        ("var x =", ["BCP009 @7"]),
        ("var x = 1 2", ["BCP019 '2'"]),
        ("param x string 1", ["BCP008 '1'"]),
        ("param x", ["BCP279 @7"]),
        ("output x string", ["BCP018 @15"]),
        ("resource x", ["BCP068 @10"]),
        ("resource x 'a'", ["BCP018 @14"]),
        ("resource x 'a' = 1", ["BCP118 '1'"]),
        ("resource x 'a' = if {\n}", ["BCP018 '{'"]),
        ("resource x 'a' = if () {\n}", ["BCP243 @21"]),
        ("resource x 'a' = if (b)", ["BCP018 @23"]),
        ("resource x 'a' = [for]", ["BCP162 ']'"]),
        ("resource x 'a' = [for y]", ["BCP012 ']'"]),
        ("resource x 'a' = [for y in z]", ["BCP018 ']'"]),
        ("resource x 'a' = [for y in z:]", ["BCP167 ']'"]),
        ("resource x 'a' = [for (y) in z: {}]", ["BCP249 '(y)'"]),
        ("resource x 'a' = []", ["BCP012 ']'"]),
        ("module x", ["BCP097 @8"]),
        ("import", ["BCP354 @6"]),
        ("import {} 'a'", ["BCP012 ''a''"]),
        ("func f(a string) =>", ["BCP279 '=>'", "BCP009 @19", "BCP018 @19"]),
        ("@secure()\n", ["BCP292 '@secure()'"]),
        ("@secure()\nabc", ["BCP292 '@secure()'", "BCP007 'abc'"]),
        ("@", ["BCP123 @1"]),
        # expressions
        ("var x = a +", ["BCP009 @11"]),
        ("var x = !!a", ["BCP009 '!'"]),
        ("var x = (1", ["BCP018 @10"]),
        ("var x = ()", ["BCP243 @9"]),
        ("var x = (1, 2)", ["BCP243 '1, 2'"]),
        ("var x = a.", ["BCP020 @10"]),
        ("var x = a[]", ["BCP117 @10"]),
        ("var x = f(1 2)", ["BCP236 @12"]),
        ("var x = f(1,)", ["BCP009 ')'"]),
        ("var x = f(1\nvar y = 2", ["BCP018 @11"]),
        ("var x = [1 2]", ["BCP236 @11"]),
        ("var x = [\n  1,\n  2\n]", ["BCP238 @14"]),
        ("var x = [\n  =\n  2\n]", ["BCP009 '='"]),
        ("var x = [\n1\nvar y = 2", ["BCP018 @11"]),
        ("var x = { a }", ["BCP018 '}'"]),
        ("var x = { 1: 2 }", ["BCP022 '1'"]),
        ("var x = {\n  a: 1\n", ["BCP018 @17"]),
        ("var x = '${a b}'", ["BCP064 'b'"]),
        # types
        ("type x = ", ["BCP279 @9"]),
        ("type x = {\n  a:\n}", ["BCP279 @15"]),
        ("type x = 'a' |", ["BCP300 @14"]),
    ],
)
def test_an_error_has_its_code_and_place(text: str, expected: list[str]) -> None:
    assert sorted(findings(text)) == sorted(expected)


def test_a_parameters_file_has_its_own_statements() -> None:
    assert findings("resource a 'b' = {}\n", "x.bicepparam") == ["BCP337 'resource'"]
    assert findings("using 'a'\n", "x.bicep") == ["BCP007 'using'"]
    assert findings("extensionConfig a\n", "x.bicepparam") == ["BCP012 @17"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("var a = 1 2\nvar b = 3", ["Var(a 1)", "Var(b 3)"]),
        ("abc\nvar b = 3", ["BrokenStatement()", "Var(b 3)"]),
        ("var a = [\n  1\nvar b = 3", ["Var(a Array([1]))", "Var(b 3)"]),
        ("var a = f(\nvar b = 3", ["Var(a Call(f))", "Var(b 3)"]),
        ("var a = {\n  b: =\n  c: 1\n}", ["Var(a Object([Property(b Broken) Property(c 1)]))"]),
        ("var a = {\n  b\n  c: 1\n}", ["Var(a Object([Property(b Broken) Property(c 1)]))"]),
        ("var a = [\n  {\n    x: (1\n  }\n  2\n]", None),
        ("output a string =\nvar b = 3", ["Output(a $string Broken)", "Var(b 3)"]),
        ("resource a 'b' = {\n  c: d.\n  e: 1\n}", None),
        (
            "type a = {\n  b: \n  c: int\n}",
            ["TypeDeclaration(a ObjectType([TypeProperty(b Broken) TypeProperty(c $int)]))"],
        ),
        ("param a string = 'x\nparam b int", ["Param(a $string Broken)", "Param(b $int)"]),
    ],
)
def test_what_stands_around_an_error_is_read(text: str, expected: list[str] | None) -> None:
    file, diagnostics = read(text)
    assert diagnostics
    shown = [sketch(s) for s in file.statements]
    if expected is not None:
        assert shown == expected
    assert not any(isinstance(s, tree.BrokenStatement) for s in file.statements) or text.startswith("abc")


def test_one_cause_gives_one_message() -> None:
    text = "resource a 'T@1' = {\n  properties: {\n    a: [1, 2\n  }\n}\n\nvar b = 1\n"
    assert len(findings(text)) == 1
