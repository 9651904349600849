"""What `build` gives beside the template's content: origins, names, form, diagnostics."""

from __future__ import annotations

from typing import Any

import pytest

from engine.build.build import VERSION, build
from engine.build.render import render
from engine.check.check import check
from engine.sources.memory import MemorySources

PROGRAM = """param size int
var twice = size * 2
resource a 'My.Rp/things@2023-01-01' = {
  name: 'a'
}
module part 'part.bicep' = {
  name: 'part'
}
output o int = twice
"""
PART = "param label string = 'x'\nresource b 'My.Rp/things@2023-01-01' = {\n  name: label\n}\n"


def test_every_part_of_a_template_leads_back_to_where_it_was_written(compile_: Any) -> None:
    template = compile_(PROGRAM, {"part.bicep": PART})
    places = {
        pointer: (label.source.name.rpartition("/")[2], *label.source.position(label.span.start))
        for pointer, label in template.origins.items()
    }
    assert places == {
        "/parameters/size": ("main.bicep", 1, 7),
        "/variables/twice": ("main.bicep", 2, 5),
        "/resources/0": ("main.bicep", 3, 10),
        "/resources/1": ("main.bicep", 6, 8),
        "/resources/1/properties/template/parameters/label": ("part.bicep", 1, 7),
        "/resources/1/properties/template/resources/0": ("part.bicep", 2, 10),
        "/outputs/o": ("main.bicep", 9, 8),
    }
    inner = template.origin("/resources/1/properties/template/resources/0/properties/x")
    assert inner is not None and inner.source.name.endswith("part.bicep")


def test_symbolic_names_can_be_asked_for(compile_: Any) -> None:
    template = compile_(PROGRAM, {"part.bicep": PART}, symbolic=True)
    assert template.document["languageVersion"] == "2.0"
    assert list(template.document["resources"]) == ["a", "part"]
    assert list(template.document["resources"]["part"]["properties"]["template"]["resources"]) == ["b"]
    assert "/resources/part/properties/template/resources/b" in template.origins


def test_a_template_is_named_for_its_file_and_says_who_made_it(compile_: Any) -> None:
    template = compile_("")
    assert template.name == "main"
    generator = template.document["metadata"]["_generator"]
    assert (generator["name"], generator["version"]) == ("bicep", VERSION)
    assert generator["templateHash"].isdigit()
    assert "templateHash" not in compile_("", hashed=False).document["metadata"]["_generator"]


def test_a_module_used_often_is_compiled_once(compile_: Any) -> None:
    program = "".join(f"module m{i} 'part.bicep' = {{\n  name: 'm{i}'\n}}\n" for i in range(3))
    resources = compile_(program, {"part.bicep": PART}).document["resources"]
    first, *others = [r["properties"]["template"] for r in resources]
    assert all(each is first for each in others)


def test_the_text_has_two_spaces_a_level_and_no_final_newline(compile_: Any) -> None:
    text = render(compile_("output a array = []"))
    assert text.startswith('{\n  "$schema": ')
    assert text.endswith('"value": []\n    }\n  }\n}')


def test_top_level_keys_stand_in_their_order(compile_: Any) -> None:
    program = "output o t = f()\nextension radius\nvar v = 1\nparam p int\nfunc f() t => 'a'\ntype t = string\nmetadata m = 1\n"
    assert list(compile_(program).document) == [
        "$schema", "languageVersion", "contentVersion", "metadata", "definitions", "functions", "parameters", "variables",
        "imports", "resources", "outputs",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("program", "version"),
    [
        ("var a = 1", None),
        ("param a string", None),
        ("param a 'x'", None),
        ("var a int = 1", "2.0"),
        ("type a = string", "2.0"),
        ("func f() int => 1", "2.0"),
        ("param a string?", "2.0"),
        ("param a string[]", "2.0"),
        ("param a { b: int }", "2.0"),
        ("param a 'x' | 'y'", "2.0"),
        ("output a [string] = ['x']", "2.0"),
        ("@secure()\noutput a string = 'x'", "2.0"),
        ("extension radius", "2.0"),
        ("module a 'part.bicep' = {\n  name: 'a'\n}", None),
        ("module a 'part.bicep' = {}", "2.0"),
        ("module a 'secret.bicep' = {\n  name: 'a'\n}", "2.0"),
        ("import { x } from 'exports.bicep'", "2.0"),
        ("resource a 'My.Rp/t@2023-01-01' existing = {\n  name: 'a'\n}", None),
        ("resource a 'My.Rp/t@2023-01-01' = [for i in [1]: {\n  name: 'a${i}'\n}]\noutput o object = a[0]", None),
        ("resource a 'My.Rp/t@2023-01-01' = [for i in [1]: {\n  name: 'a${i}'\n}]\noutput o array = a", "2.0"),
        ("@onlyIfNotExists()\nresource a 'My.Rp/t@2023-01-01' = {\n  name: 'a'\n}", "2.0"),
        (
            "resource a 'My.Rp/t@2023-01-01' = {\n  name: 'a'\n  properties: {\n    x: this.exists()\n  }\n}",
            "2.1-experimental",
        ),
    ],
)
def test_a_file_gets_the_form_of_template_that_it_needs(program: str, version: str | None, compile_: Any) -> None:
    files = {
        "part.bicep": PART,
        "secret.bicep": "@secure()\noutput s string = 'x'",
        "exports.bicep": "@export()\nvar x = 1",
    }
    document = compile_(program, files).document
    assert document.get("languageVersion") == version
    assert isinstance(document["resources"], list if version is None else dict)


def test_assertions_are_experimental(compile_: Any) -> None:
    document = compile_("param a int\nassert positive = a > 0", features=["assertions"]).document
    assert document["languageVersion"] == "2.1-experimental"
    assert document["metadata"]["_EXPERIMENTAL_FEATURES_ENABLED"] == ["Asserts"]
    assert document["asserts"] == {"positive": "[greater(parameters('a'), 0)]"}


def test_a_long_name_of_a_module_is_cut(compile_: Any) -> None:
    name = "m" * 70
    template = compile_(f"module {name} 'part.bicep' = {{}}", {"part.bicep": PART})
    made_up = template.document["resources"][name]["name"]
    assert made_up == f"[format('{'m' * 50}-{{0}}', uniqueString('{name}', deployment().name))]"


def test_the_hundreds_of_contents_sort_by_their_names(compile_: Any) -> None:
    program = "\n".join(f"var v{i} = [loadTextContent('a.txt')]" for i in range(12))
    names = list(compile_(program, {"a.txt": "x"}).document["variables"])
    assert names[:4] == ["$fxv#0", "$fxv#1", "$fxv#10", "$fxv#11"]


def test_a_file_that_cannot_be_loaded_is_a_diagnostic() -> None:
    model = check("/app/main.bicep", MemorySources({"/app/main.bicep": "var a = [loadJsonContent('none.json')]"}))
    _, diagnostics = build(model)
    assert [d.code for d in diagnostics] == ["BCP091"]


def test_a_parameter_file_that_cannot_be_evaluated_is_a_diagnostic(evaluate_parameters: Any) -> None:
    files = {
        "main.bicepparam": "using none\nparam a = readEnvironmentVariable('NOT_SET')\nparam b = int('x')\nparam c = 1\n"
    }
    found = evaluate_parameters(files, problems=True)
    assert [(d.code, d.primary.source.position(d.primary.span.start)) for d in found] == [
        ("BCP427", (2, 35)),
        ("BCP338", (3, 11)),
    ]


def test_a_parameter_file_takes_over_what_it_extends(evaluate_parameters: Any) -> None:
    files = {
        "main.bicepparam": "using none\nextends 'base.bicepparam'\nparam a = 1\n",
        "base.bicepparam": "using none\nparam a = 2\nparam b = 3\n",
    }
    assert evaluate_parameters(files)["parameters"] == {"a": {"value": 1}, "b": {"value": 3}}
