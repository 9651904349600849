"""Hover, signatures, outline, folding, formatting, colours and actions."""

import pytest
from client import apply

from engine.lsp.highlighting import MODIFIERS, TYPES

CONTAINER = "resource web 'Applications.Core/containers@2023-10-01-preview' = "
PART = "@description('How many.')\nparam size int\n@export()\n@description('Twice.')\nfunc twice(text string) string => text\n"


# ---------------------------------------------------------------- hover


@pytest.mark.parametrize(
    ("marked", "says"),
    [
        ("@description('What for.')\nparam name string\nvar x = na¦me", ["param name string", "What for."]),
        ("var list = [1]\nvar x = li¦st", ["var list [1]"]),
        ("type Shape = {\n  name: string\n  size: int?\n}\nparam s Sha¦pe", ["name: string", "size?: int"]),
        (f"{CONTAINER}{{}}\nvar x = we¦b", ["resource web 'Applications.Core/containers@2023-10-01-preview'"]),
        ("var x = con¦cat('a', 'b')", ["concat(...first: array): array", "one after the other"]),
        ("@sec¦ure()\nparam p string", ["@secure()", "secret"]),
        ("par¦am p string", ["A value that whoever deploys gives."]),
        ("param p str¦ing", ["A text."]),
        ("func twice(text string) string => text\nvar x = tw¦ice('a')", ["func twice(text string) string"]),
        ("var x = [for it¦em in ['a']: item]", ["loop item item 'a'"]),
        (f"{CONTAINER}{{\n  properties: {{\n    container: {{\n      ima¦ge: 'x'\n", ["image: string", "Required."]),
        (f"{CONTAINER}{{}}\nvar x = web.properties.conn¦ections", ["connections", "What it uses"]),
        (f"{CONTAINER.replace('containers', 'cont¦ainers')}{{}}", ["`properties`", "One container"]),
        (f"{CONTAINER}{{\n  na¦me: 'x'\n}}", ["name: string", "The name of the resource.", "Required."]),
        (f"{CONTAINER}{{\n  properties: {{\n    container: {{\n      ports: {{\n        ht¦tp: {{", ["containerPort"]),
        (
            "module p 'part.bicep' = {\n  params: {\n    si¦ze: 1\n  }\n}",
            ["param size int", "How many.", "From 'part.bicep'"],
        ),
        ("import { twice as t } from 'part.bicep'\nvar x = ¦t('a')", ["func twice(text string) string", "Twice."]),
        ("import * as p from 'part.bicep'\nvar x = p.tw¦ice('a')", ["func twice(text string) string", "Twice."]),
        ("output o string = missing\nparam q st¦ring\nvar = {", ["A text."]),
        ("type T = {\n  @description('How many.')\n  si¦ze: int?\n}", ["size: int?", "How many."]),
        ("#disable-next-line no-unused-va¦rs\nvar a = 1", ["`no-unused-vars`", "nothing refers to", "Remove"]),
        ("#disable-diagnostics BCP0¦81", ["BCP081"]),
    ],
)
def test_a_thing_is_described(editor, marked, says):
    editor.save("part.bicep", PART)
    text = editor.ask("textDocument/hover", editor.open("a.bicep", marked))["contents"]["value"]
    for each in says:
        assert each in text.replace("func t(", "func twice("), text


@pytest.mark.parametrize("marked", ["// par¦am", "¦", "var x = 'te¦xt'", "var x = miss¦ing", "}}}¦"])
def test_of_nothing_nothing_is_said(editor, marked):
    assert editor.ask("textDocument/hover", editor.open("a.bicep", marked)) is None


# ---------------------------------------------------------------- signatures


@pytest.mark.parametrize(
    ("marked", "label", "parameter"),
    [
        ("var x = padLeft(¦", "padLeft(value: bool | int | string, length: int, filler?: string): string", 0),
        ("var x = padLeft('a', ¦", "padLeft(value: bool | int | string, length: int, filler?: string): string", 1),
        (
            "var x = padLeft(toLower('a'), 1¦)",
            "padLeft(value: bool | int | string, length: int, filler?: string): string",
            1,
        ),
        ("var x = padLeft(toLower(¦))", "toLower(text: string): string", 0),
        ("var x = sys.toLower(¦)", "toLower(text: string): string", 0),
        ("@minLength(¦)\nparam p string", "minLength(length: int)", 0),
        ("func f(a string, b int) string => a\nvar x = f('a',¦", "f(a string, b int) string", 1),
        ("import { twice } from 'part.bicep'\nvar x = twice(¦)", "twice(text string) string", 0),
    ],
)
def test_the_call_at_the_cursor_is_explained(editor, marked, label, parameter):
    editor.save("part.bicep", PART)
    found = editor.ask("textDocument/signatureHelp", editor.open("a.bicep", marked))
    assert found["signatures"][found["activeSignature"]]["label"] == label
    assert found["activeParameter"] == parameter


@pytest.mark.parametrize("marked", ["var x = toLower('a')¦", "var x = ¦1", "var x = missing(¦)", "// toLower(¦"])
def test_outside_of_a_call_there_is_no_signature(editor, marked):
    assert editor.ask("textDocument/signatureHelp", editor.open("a.bicep", marked)) is None


# ---------------------------------------------------------------- outline, folding, formatting


def test_what_is_declared_is_listed(editor):
    at = editor.open(
        "a.bicep",
        "param p string\ntype Shape = {\n  name: string\n}\n"
        "resource outer 'Applications.Core/extenders@2023-10-01-preview' = {\n  name: 'o'\n"
        "  resource inner 'c' = {\n    name: 'i'\n  }\n}\noutput o string = p\nvar = 1\nfunc f() string => 'x'",
    )
    found = editor.ask("textDocument/documentSymbol", {"textDocument": at["textDocument"]})
    assert [f["name"] for f in found] == ["p", "Shape", "outer", "o", "f"]
    assert [[i["name"] for i in f.get("children") or ()] for f in found] == [[], ["name"], ["inner"], [], []]
    assert found[0]["detail"] == "string"


def test_blocks_comments_and_imports_fold(editor):
    at = editor.open(
        "a.bicep",
        "import { a } from 'x.bicep'\nimport { b } from 'x.bicep'\n// one\n// two\nvar x = {\n  a: [\n    1\n  ]\n}\nvar y = [\n",
    )
    found = editor.ask("textDocument/foldingRange", {"textDocument": at["textDocument"]})
    folds = {(f["startLine"], f["endLine"], f.get("kind")) for f in found}
    assert {(0, 1, "imports"), (2, 3, "comment"), (4, 7, None), (5, 6, None)} <= folds


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("var   x=1\n", "var x = 1\n"),
        ("var x = 1\n", "var x = 1\n"),
        ("var emoji='😀'", "var emoji = '😀'\n"),
        ("var   x=1\nvar = = 2\n", "var x = 1\nvar = = 2\n"),
    ],
)
def test_a_file_is_formatted_whole(editor, text, formatted):
    at = editor.open("a.bicep", text)
    options = {"tabSize": 2, "insertSpaces": True}
    edits = editor.ask("textDocument/formatting", {"textDocument": at["textDocument"], "options": options})
    assert apply(text, edits) == formatted


# ---------------------------------------------------------------- colours


def colours(editor, text):
    at = editor.open("a.bicep", text)
    data = editor.ask("textDocument/semanticTokens/full", {"textDocument": at["textDocument"]})["data"]
    lines, line, column, found = text.split("\n"), 0, 0, []
    for down, right, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, right + (column if down == 0 else 0)
        piece = lines[line].encode("utf-16-le")[column * 2 : (column + length) * 2].decode("utf-16-le")
        found.append((piece, TYPES[kind], [m for n, m in enumerate(MODIFIERS) if modifiers >> n & 1]))
    return found


def test_words_have_the_colour_of_what_they_mean(editor):
    found = colours(editor, "// note\n@secure()\nparam name string\nvar x = '😀${toLower(name)}'\n")
    assert ("// note", "comment", []) in found
    assert ("secure", "function", ["defaultLibrary"]) in found
    assert ("param", "keyword", []) in found
    assert ("name", "parameter", ["declaration"]) in found and ("name", "parameter", []) in found
    assert ("string", "type", ["defaultLibrary"]) in found
    assert ("'😀${", "string", []) in found and ("}'", "string", []) in found
    assert ("toLower", "function", ["defaultLibrary"]) in found


def test_what_can_be_read_of_a_broken_file_is_coloured(editor):
    found = colours(editor, "var = {\nparam name string\nvar x = '''\nlong\n'''\n")
    assert ("name", "parameter", ["declaration"]) in found or ("param", "keyword", []) in found
    assert ("long", "string", []) in found


# ---------------------------------------------------------------- actions


def offered(editor, text, line, column, **context):
    at = editor.open("a.bicep", text)
    place = {"line": line, "character": column}
    request = {**at, "range": {"start": place, "end": place}, "context": {"diagnostics": [], **context}}
    found = editor.ask("textDocument/codeAction", request)
    return {a["title"]: apply(text, a["edit"]["changes"][editor.uri("a.bicep")]) for a in found}


def test_the_fix_of_a_finding_is_offered(editor):
    found = offered(editor, "param name string\noutput o string = nam\n", 1, 19)
    assert found["Write 'name'"] == "param name string\noutput o string = name\n"


def test_a_rule_can_be_silenced_for_a_line(editor):
    found = offered(editor, "  var 😀x = 1\n  var unused = 1\n", 1, 7)
    silenced = "  var 😀x = 1\n  #disable-next-line no-unused-vars\n  var unused = 1\n"
    assert found["Disable no-unused-vars for this line"] == silenced


def test_one_more_code_goes_where_one_is_silenced(editor):
    found = offered(editor, "#disable-next-line other\nvar unused = 1\n", 1, 5)
    assert found["Disable no-unused-vars for this line"] == "#disable-next-line other no-unused-vars\nvar unused = 1\n"


def test_an_error_of_the_language_cannot_be_silenced(editor):
    assert not [t for t in offered(editor, "output o string = missing\n", 0, 20) if t.startswith("Disable")]


def test_all_safe_fixes_can_be_made_at_once(editor):
    text = "param a string\nvar b = '${a}'\noutput c string = concat(a, b)\noutput d string = '${b}'\n"
    found = offered(editor, text, 0, 0, only=["source.fixAll"])
    assert list(found) == ["Fix all that can be fixed safely"]
    assert "'${b}'" not in found["Fix all that can be fixed safely"]


def test_where_nothing_is_wrong_nothing_is_offered(editor):
    assert offered(editor, "output o string = 'x'\n", 0, 3) == {}


def test_a_module_that_is_not_there_can_be_restored(editor):
    at = editor.open("a.bicep", "module m 'br:localhost:1/some/mod¦ule:1.0' = {}\n")
    request = {**at, "range": {"start": at["position"], "end": at["position"]}, "context": {"diagnostics": []}}
    found = next(a for a in editor.ask("textDocument/codeAction", request) if a.get("command"))
    assert found["title"] == "Restore what is missing" and found["diagnostics"][0]["code"] == "BCP190"
    editor.ask("workspace/executeCommand", found["command"])
    assert "'br:localhost:1/some/module:1.0' could not be restored" in editor.shown[-1]
