"""What is offered at the cursor, which the texts mark."""

import pytest
from client import apply

CONTAINER = "resource web 'Applications.Core/containers@2023-10-01-preview' = "

PART = """\
@description('How many.')
param size int
param kind 'a' | 'b' = 'a'
output url string = 'x'
@export()
type Shape = { name: string }
@export()
func twice(text string) string => '${text}${text}'
"""


@pytest.fixture
def offers(editor):
    def ask(marked, name="a.bicep"):
        found = editor.ask("textDocument/completion", editor.open(name, marked))["items"]
        return {item["label"]: item for item in found}

    return ask


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        (
            "¦",
            ["param", "resource", "module", "container", "application", "environment", "module-loop", "param-secure"],
        ),
        ("var a = 1\nre¦", ["resource", "resource-existing"]),
        ("param first string\nvar x = f¦", ["first", "format", "filter", "az", "sys"]),
        ("var x = ¦", ["true", "concat", "resourceGroup"]),
        ("var x = [for item in [1]: i¦]", ["item"]),
        ("var x = map([1], each => e¦)", ["each"]),
        ("func f(arg string) string => a¦", ["arg"]),
        ("var part = 'x'\nvar whole = 'a ${p¦}'", ["part"]),
        ("var o = { one: 1, two: { three: 3 } }\nvar x = o.¦", ["one", "two"]),
        ("var o = { one: 1, two: { three: 3 } }\nvar x = o.two.t¦", ["three"]),
        ("var x = sys.¦", ["concat", "toLower"]),
        ("var x = az.r¦", ["resourceGroup"]),
        ("param p ¦", ["string", "int", "bool", "object", "array"]),
        ("type Shape = string\nparam p S¦", ["Shape"]),
        ("type A = {\n  inner: ¦\n}", ["string"]),
        ("func f(a ¦", ["string"]),
        ("@¦\nparam p string", ["description", "secure", "allowed", "minLength"]),
        ("@sys.¦\nparam p string", ["description"]),
        ("targetScope = '¦'", ["subscription", "tenant"]),
        ("resource r '¦'", ["Applications.Core/containers@2023-10-01-preview"]),
        ("resource r 'App¦", ["Applications.Core/applications@2023-10-01-preview"]),
        (CONTAINER + "¦", ["{}", "if", "for"]),
        (CONTAINER + "{\n  ¦\n}", ["name", "properties", "dependsOn", "scope"]),
        (CONTAINER + "{\n  properties: {\n    container: {\n      im¦\n    }\n  }\n}", ["image", "imagePullPolicy"]),
        (CONTAINER + "if (true) {\n  properties: {\n    ¦\n  }\n}", ["container", "connections"]),
        (CONTAINER + "[for i in [1]: {\n  properties: {\n    ¦\n  }\n}]", ["container", "connections"]),
        (CONTAINER + "{\n  properties: {\n    container: {\n      imagePullPolicy: ¦\n", ["'Always'", "'Never'"]),
        (CONTAINER + "{\n  properties: {\n    container: {\n      imagePullPolicy: '¦\n", ["Always", "Never"]),
        (CONTAINER + "{}\noutput o object = web.properties.¦", ["container", "connections"]),
        ("#disable-next-line ¦\nvar a = 1", ["no-unused-vars", "no-hardcoded-location"]),
        ("module part '¦'", ["part.bicep"]),
        ("module part ¦", ["'part.bicep'"]),
        ("import { Shape } from ¦", ["'part.bicep'"]),
        ("resource web ¦", ["'Applications.Core/containers@2023-10-01-preview'"]),
        ("extension ¦", ["radius", "kubernetes"]),
        ("extension radius\nextension k¦", ["kubernetes"]),
        ("module part 'part.bicep' = {\n  params: {\n    ¦\n  }\n}", ["size", "kind"]),
        ("module part 'part.bicep' = {\n  params: {\n    kind: ¦\n  }\n}", ["'a'", "'b'"]),
        ("module part 'part.bicep' = {}\noutput o string = part.outputs.¦", ["url"]),
        ("import { ¦ } from 'part.bicep'", ["Shape", "twice"]),
        ("import * as p from 'part.bicep'\nparam s p.¦", ["Shape"]),
        ("import * as p from 'part.bicep'\nvar s = p.¦", ["twice"]),
        ("var x = loadTextContent('¦')", ["part.bicep"]),
        (CONTAINER + "{\n  properties: {\n    runtimes: {\n      ¦\n    }\n  }\n}", ["process", "docker"]),
        (CONTAINER + "{\n  properties: {\n    runtimes: {\n      process: {\n        ¦\n", ["command", "args"]),
        (
            CONTAINER.replace("containers", "environments") + "{\n  properties: {\n    compute: {\n      kind: '¦\n",
            ["process"],
        ),
        (CONTAINER.replace("containers", "environments") + "{\n  properties: {\n    compute: {\n      ¦\n", ["kind"]),
        ("type Shape = {\n  name: string\n}\nparam s Shape = {\n  ¦\n}", ["name"]),
        ("type Shape = {\n  inner: { deep: string }[]\n}\nvar s Shape = {\n  inner: [\n    {\n      ¦\n", ["deep"]),
        ("func f(o { part: 'a' | 'b' }) string => o.part\nvar x = f({ ¦ })", ["part"]),
        ("func f(o { part: 'a' | 'b' }) string => o.part\nvar x = f({ part: ¦ })", ["'a'", "'b'"]),
        ("param p 'a' | 'b'\nvar x = p == ¦", ["'a'", "'b'"]),
        ("param p 'a' | 'b'\nvar x = p == '¦'", ["a", "b"]),
        (
            "@discriminator('kind')\ntype T = { kind: 'a', one: int } | { kind: 'b', two: int }\nvar t T = {\n  kind: 'b'\n  ¦\n}",
            ["two"],
        ),
        ("param p object\nvar x = p.?¦\nvar y = { a: 1 }\nvar z = y.?¦".replace("¦", "", 1), ["a"]),
        ("output o array = [for (item, index) in [1]: in¦]", ["index"]),
        ("module part 'part.bicep' = [for n in [1]: {\n  params: {\n    ¦\n  }\n}]", ["size"]),
        ("module part 'part.bicep' = [for n in [1]: {}]\noutput o string = part[0].outputs.¦", ["url"]),
        (
            "resource a 'Applications.Core/extenders@2023-10-01-preview' = {\n  name: 'a'\n"
            "  resource inner 'c' = {\n    name: 'b'\n  }\n}\nvar x = a::¦",
            ["inner"],
        ),
        ("type point = { x: { deep: int } }\nparam p point.¦\n", ["x"]),
        ("type point = { x: { deep: int } }\nparam p point.x.¦\n", ["deep"]),
    ],
)
def test_what_fits_is_offered(editor, offers, marked, words):
    editor.save("part.bicep", PART)
    found = offers(marked)
    assert set(words) <= set(found), sorted(found)


@pytest.mark.parametrize(
    ("marked", "word"),
    [
        ("@¦\nvar x = 1", "secure"),
        ("@¦\noutput o int = 1", "export"),
        ("var one = one¦", "one"),
        ("param p string\nfunc f(a string) string => ¦", "p"),
        ("var x = [for item in [1]: item]\nvar y = ¦", "item"),
        ("var x = ¦", "newGuid"),
        ("param p ¦", "concat"),
        ("var o = { one: 1 }\nvar x = o.¦", "concat"),
        (CONTAINER + "{\n  name: 'web'\n  ¦\n}", "name"),
        (CONTAINER + "{\n  ¦\n}", "id"),
        ("import { Shape, ¦ } from 'part.bicep'", "Shape"),
        ("extension radius\nextension ¦", "radius"),
        ("targetScope = ¦", "concat"),
        (CONTAINER + "if (¦", "{}"),
        ("resource ¦", "'Applications.Core/containers@2023-10-01-preview'"),
    ],
)
def test_what_does_not_fit_is_not_offered(editor, offers, marked, word):
    editor.save("part.bicep", PART)
    assert word not in offers(marked)


@pytest.mark.parametrize("marked", ["// p¦", "var x = 'some text ¦'", "var ¦", "/* a\n¦ */", "var x = '''\n¦\n'''"])
def test_where_nothing_belongs_nothing_is_offered(offers, marked):
    assert not offers(marked)


def test_what_fits_best_comes_first(offers):
    found = offers("param count int\nparam text string\noutput o int = ¦")
    assert found["count"]["sortText"] < found["text"]["sortText"] < found["concat"]["sortText"]


def test_a_resource_is_offered_by_its_id_where_that_is_wanted(offers):
    app = "param p string\nresource app 'Applications.Core/applications@2023-10-01-preview' = {}\n"
    found = offers(app + CONTAINER + "{\n  properties: {\n    application: ¦\n  }\n}")
    assert found["app.id"]["sortText"] < found["concat"]["sortText"]
    found = offers(app + CONTAINER + "{\n  properties: {\n    connections: {\n      a: {\n        source: ¦\n")
    assert "app.id" in found
    found = offers(app + CONTAINER + "{\n  dependsOn: [\n    ¦\n  ]\n}")
    assert found["app"]["sortText"] < found["p"]["sortText"] and "app.id" not in found


def test_an_offer_says_what_it_is_and_what_it_is_for(offers):
    found = offers("@description('How many.')\nparam count int\nvar x = c¦")
    assert found["count"]["detail"] == "param count int"
    assert found["count"]["documentation"]["value"] == "How many."
    assert found["concat"]["detail"] == "concat(...first: array): array"


def test_a_body_has_all_that_it_must_have(editor, offers):
    found = offers(CONTAINER + "¦")
    body = found["{}"]["textEdit"]["newText"]
    assert body == (
        "{\n  name: '$1'\n  properties: {\n    application: $2\n    container: {\n      image: '$3'\n    }\n  }\n}"
    )
    editor.save("part.bicep", PART)
    found = offers("module part 'part.bicep' = ¦")
    assert found["{}"]["textEdit"]["newText"] == "{\n  params: {\n    size: $1\n  }\n}"
    assert "for ${1:item} in ${2:items}" in found["for"]["textEdit"]["newText"]
    assert "size: $3" in found["for"]["textEdit"]["newText"]


def test_a_word_is_replaced_from_where_it_begins_in_utf_16_units(offers):
    found = offers("param name string\nvar x = '😀${na¦}'")
    assert found["name"]["textEdit"]["range"] == {
        "start": {"line": 1, "character": 13},
        "end": {"line": 1, "character": 15},
    }
    text = "var x = '😀${na}'"
    assert apply(text, [{**found["name"]["textEdit"], "range": _line(found["name"]["textEdit"]["range"], -1)}]) == (
        "var x = '😀${name}'"
    )


def _line(range, by):
    return {end: {**place, "line": place["line"] + by} for end, place in range.items()}


def test_the_type_in_quotes_is_replaced_whole(offers):
    found = offers("resource r 'Applications.C¦ore/old@1' = {}")
    assert found["Applications.Core/containers@2023-10-01-preview"]["textEdit"]["range"] == {
        "start": {"line": 0, "character": 12},
        "end": {"line": 0, "character": 35},
    }


def test_a_parameter_file_offers_the_parameters_that_have_no_value(editor, offers):
    editor.save("part.bicep", PART)
    assert set(offers("using 'part.bicep'\nparam size = 1\nparam ¦", "p.bicepparam")) == {"kind"}
    assert {"'a'", "'b'"} <= set(offers("using 'part.bicep'\nparam kind = ¦", "p.bicepparam"))
    assert {"using", "param"} <= set(offers("¦", "p.bicepparam"))
    assert "resource" not in offers("¦", "p.bicepparam")


def test_a_module_that_is_not_saved_is_known(editor, offers):
    editor.open("fresh.bicep", "param unsaved string\n")
    assert "fresh.bicep" in offers("module m '¦'")
    assert "unsaved" in offers("module m 'fresh.bicep' = {\n  params: {\n    ¦\n  }\n}")


@pytest.mark.parametrize(
    "rest", ["\nvar = = =\n", "\nresource {{{\n", "\nmodule m 'x", "\noutput o string = '${'\n", "\n@@@\n", "\n]])}\n"]
)
def test_a_file_that_is_broken_elsewhere_is_no_hindrance(offers, rest):
    assert {"first", "format"} <= set(offers("param first string\nvar x = f¦" + rest))
    assert "image" in offers(CONTAINER + "{\n  properties: {\n    container: {\n      im¦\n    }\n  }\n}" + rest)
