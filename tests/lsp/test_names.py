"""From a name to its declaration, to its uses, and to another name."""

import pytest
from client import CURSOR, apply

PART = """\
param size int
output url string = '${size}'
@export()
type Shape = { name: string }
@export()
func twice(text string) string => text
"""
MAIN = """\
import { Shape, twice as double } from 'part.bicep'
import * as part from 'part.bicep'
module made 'part.bicep' = {
  params: {
    size: 1
  }
}
param shape Shape
param other part.Shape
var text = double('😀${shape.name}${other.name}')
output url string = '${made.outputs.url}${text}'
output all array = [for item in [text]: item]
"""


def at(text, before, after=""):
    """The text with the cursor between two pieces of it."""
    index = text.index(before + after) + len(before)
    return text[:index] + CURSOR + text[index:]


def place(editor, location):
    name = location["uri"].rpartition("/")[2]
    text = {"part.bicep": PART, "main.bicep": MAIN}.get(name, "")
    start, end = location["range"]["start"], location["range"]["end"]
    line = text.split("\n")[start["line"]].encode("utf-16-le")
    return name, start["line"], line[start["character"] * 2 : end["character"] * 2].decode("utf-16-le")


@pytest.fixture
def files(editor):
    editor.save("part.bicep", PART)
    editor.save("main.bicep", MAIN)
    return editor


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("param shape ", "Shape", ("part.bicep", 3, "Shape")),
        ("part.", "Shape", ("part.bicep", 3, "Shape")),
        ("import { ", "Shape", ("part.bicep", 3, "Shape")),
        ("= ", "double", ("main.bicep", 0, "double")),
        ("twi", "ce as", ("part.bicep", 5, "twice")),
        ("    ", "size", ("part.bicep", 0, "size")),
        ("outputs.", "url", ("part.bicep", 1, "url")),
        ("${", "made", ("main.bicep", 2, "made")),
        ("[text]: ", "item", ("main.bicep", 11, "item")),
        ("param other ", "part", ("main.bicep", 1, "part")),
        ("module made 'pa", "rt", ("part.bicep", 0, "")),
        ("from 'pa", "rt", ("part.bicep", 0, "")),
        ("}${", "other", ("main.bicep", 8, "other")),
    ],
)
def test_a_name_leads_to_its_declaration(files, before, after, found):
    answer = files.ask("textDocument/definition", files.open("main.bicep", at(MAIN, before, after)))
    assert place(files, answer) == found


@pytest.mark.parametrize(
    "marked", ["var x = miss¦ing", "var x = ¦1", "module m 'no¦where.bicep' = {}", "var x = to¦Lower('a')"]
)
def test_what_is_declared_nowhere_leads_nowhere(editor, marked):
    assert editor.ask("textDocument/definition", editor.open("a.bicep", marked)) is None


def test_a_nested_resource_is_found(editor):
    text = (
        "resource a 'Applications.Core/extenders@2023-10-01-preview' = {\n  name: 'a'\n"
        "  resource inner 'c' = {\n    name: 'b'\n  }\n}\nvar x = a::in¦ner.id\nvar = \n"
    )
    answer = editor.ask("textDocument/definition", editor.open("a.bicep", text))
    assert answer["range"]["start"] == {"line": 2, "character": 11}


def test_a_file_that_is_loaded_is_found(editor):
    editor.save("words.txt", "words")
    answer = editor.ask("textDocument/definition", editor.open("a.bicep", "var x = loadTextContent('wor¦ds.txt')"))
    assert answer["uri"] == editor.uri("words.txt")


def test_uses_are_found_in_every_file(files):
    request = files.open("part.bicep", at(PART, "type ", "Shape"))
    found = files.ask("textDocument/references", {**request, "context": {"includeDeclaration": True}})
    assert [place(files, f) for f in found] == [
        ("main.bicep", 0, "Shape"),
        ("main.bicep", 7, "Shape"),
        ("main.bicep", 8, "Shape"),
        ("part.bicep", 3, "Shape"),
    ]
    found = files.ask("textDocument/references", {**request, "context": {"includeDeclaration": False}})
    assert len(found) == 3


def test_uses_in_the_file_are_highlighted(files):
    found = files.ask("textDocument/documentHighlight", files.open("main.bicep", at(MAIN, "var ", "text")))
    assert [(f["range"]["start"]["line"], f["kind"]) for f in found] == [(9, 3), (10, 2), (11, 2)]


def rename(editor, request, name):
    found = editor.ask("textDocument/rename", {**request, "newName": name})["changes"]
    return {uri.rpartition("/")[2]: edits for uri, edits in found.items()}


def test_a_type_is_renamed_in_both_files(files):
    changes = rename(files, files.open("main.bicep", at(MAIN, "param shape ", "Shape")), "Form")
    assert apply(PART, changes["part.bicep"]) == PART.replace("Shape", "Form")
    assert apply(MAIN, changes["main.bicep"]) == MAIN.replace("Shape", "Form")


def test_a_parameter_is_renamed_where_a_module_and_a_parameter_file_give_it(files):
    files.save("part.bicepparam", "using 'part.bicep'\nparam size = 1\n")
    changes = rename(files, files.open("part.bicep", at(PART, "param ", "size")), "length")
    assert apply(PART, changes["part.bicep"]) == PART.replace("size", "length")
    assert apply(MAIN, changes["main.bicep"]) == MAIN.replace("size", "length")
    assert apply("using 'part.bicep'\nparam size = 1\n", changes["part.bicepparam"]).endswith("param length = 1\n")


def test_an_output_is_renamed_with_its_uses(files):
    changes = rename(files, files.open("main.bicep", at(MAIN, "outputs.", "url")), "link")
    assert apply(PART, changes["part.bicep"]) == PART.replace("output url", "output link")
    assert apply(MAIN, changes["main.bicep"]) == MAIN.replace("outputs.url", "outputs.link")


def test_an_alias_is_renamed_without_what_it_stands_for(files):
    changes = rename(files, files.open("main.bicep", at(MAIN, "= ", "double")), "again")
    assert list(changes) == ["main.bicep"]
    assert apply(MAIN, changes["main.bicep"]) == MAIN.replace("double", "again")


def test_a_local_behind_an_emoji_is_renamed_to_the_unit(editor):
    text = "var all = [for one in ['😀']: '😀${one}😀${one}']\n"
    changes = rename(editor, editor.open("a.bicep", text.replace("${one}😀", "${o¦ne}😀")), "each")
    assert apply(text, changes["a.bicep"]) == text.replace("one", "each")


def test_a_name_is_shown_before_it_is_renamed(files):
    found = files.ask("textDocument/prepareRename", files.open("main.bicep", at(MAIN, "var te", "xt")))
    assert found["placeholder"] == "text"
    assert found["range"] == {"start": {"line": 9, "character": 4}, "end": {"line": 9, "character": 8}}


@pytest.mark.parametrize(
    "marked", ["var x = to¦Lower('a')", "var x = miss¦ing", "par¦am p string", "var x = 'te¦xt'", "= }¦"]
)
def test_what_has_no_name_of_ours_is_not_renamed(editor, marked):
    request = editor.open("a.bicep", marked)
    assert editor.ask("textDocument/prepareRename", request) is None
    answer = editor.answer("textDocument/rename", {**request, "newName": "x"})
    assert answer["error"]["message"] == "There is no name here that can be changed"


@pytest.mark.parametrize(
    ("name", "says"),
    [("2nd", "'2nd' is no name"), ("b", "'b' is declared in 'a.bicep' already"), ("a b", "is no name")],
)
def test_a_name_that_cannot_be_is_refused(editor, name, says):
    request = editor.open("a.bicep", "var ¦a = 1\nvar b = a\n")
    assert says in editor.answer("textDocument/rename", {**request, "newName": name})["error"]["message"]


def test_a_broken_file_is_renamed_as_far_as_it_can_be_read(editor):
    text = "var na¦me = 1\nvar = {\nvar x = name\noutput o int = name +\n"
    changes = rename(editor, editor.open("a.bicep", text), "title")
    assert apply(text.replace("¦", ""), changes["a.bicep"]).count("title") >= 2


def test_what_came_from_elsewhere_keeps_its_name(editor):
    editor.save("bicepconfig.json", '{"cacheRootDirectory": "cache"}')
    editor.save("cache/part.bicep", PART)
    request = editor.open("a.bicep", "module m 'cache/part.bicep' = {\n  params: {\n    si¦ze: 1\n  }\n}\n")
    assert (
        "from elsewhere" in editor.answer("textDocument/rename", {**request, "newName": "length"})["error"]["message"]
    )


def test_files_in_a_circle_know_each_other_as_far_as_can_be(editor):
    editor.save("b.bicep", "module a 'a.bicep' = {}\nparam size int\n")
    request = editor.open("a.bicep", "module b 'b.bicep' = {}\nvar na¦me = 1\noutput o int = name\n")
    assert set(rename(editor, request, "title")) == {"a.bicep"}
    assert "param size int" in editor.ask("textDocument/hover", editor.at("b.bicep", 1, 8))["contents"]["value"]
