"""Parameter files: made for a template, and turned from JSON into Bicep."""

from __future__ import annotations

import json
from pathlib import Path

TEMPLATE = """\
type point = { x: int, label: string?, side: 'left' | 'right' }
param name string
@allowed(['one', 'two'])
param pick string
@minValue(3)
param count int
param at point
param note string?
param place string = resourceGroup().location
param size int = 5
output all string = '${name}${pick}${count}${at.x}${note}${place}${size}'
"""
REQUIRED = """\
using './main.bicep'

param name = ''
param pick = 'one'
param count = 3
param at = {
  x: 0
  side: 'left'
}
"""
ALL = REQUIRED + "param note = null\nparam place = '' // the default is resourceGroup().location\nparam size = 5\n"


def template() -> None:
    Path("main.bicep").write_text(TEMPLATE)


def test_what_must_be_given_is_asked_for(ulna):
    template()
    assert ulna("generate-params", "main.bicep", "--output-format", "bicepparam", "--stdout") == (0, REQUIRED, "")
    asked = ("--output-format", "bicepparam", "--include-params", "required-only", "--stdout")
    assert ulna("generate-params", "main.bicep", *asked) == (0, REQUIRED, "")
    result = ulna("generate-params", "main.bicep", "--output-format", "BicepParam", "--include-params", "All")
    assert result == (0, "", "wrote main.bicepparam\n")
    assert Path("main.bicepparam").read_text() == ALL
    assert ulna("build-params", "main.bicepparam", "--stdout").code == 0


def test_the_name_of_the_file_says_the_form(ulna):
    template()
    existing = "using './main.bicep'\nparam name = 'kept'\n"
    Path("dev.bicepparam").write_text(existing)
    assert ulna("generate-params", "main.bicep", "--outfile", "dev.bicepparam").err == "wrote dev.bicepparam\n"
    assert Path("dev.bicepparam").read_text().startswith(existing)
    ulna("generate-params", "main.bicep", "--outfile", "dev.json")
    assert json.loads(Path("dev.json").read_text())["contentVersion"] == "1.0.0.0"
    ulna("generate-params", "main.bicep", "--output-format", "json", "--outfile", "asked.bicepparam")
    assert Path("asked.bicepparam").read_text().startswith("{")


def test_json_is_the_other_form(ulna):
    template()
    assert ulna("generate-params", "main.bicep").err == "wrote main.parameters.json\n"
    made = json.loads(Path("main.parameters.json").read_text())
    assert made["$schema"].endswith("deploymentParameters.json#") and made["contentVersion"] == "1.0.0.0"
    values = {"name": "", "pick": "one", "count": 3, "at": {"x": 0, "side": "left"}}
    assert made["parameters"] == {k: {"value": v} for k, v in values.items()}


def test_what_is_filled_in_is_kept(ulna):
    template()
    existing = "using './main.bicep' // ours\nvar x = 1\nparam name = 'n${x}'\nparam size = 7\n"
    Path("main.bicepparam").write_text(existing)
    ulna("generate-params", "main.bicep", "--output-format", "bicepparam")
    text = Path("main.bicepparam").read_text()
    assert text.startswith(existing) and "param pick = 'one'" in text and text.count("param name") == 1
    ulna("generate-params", "main.bicep", "--output-format", "bicepparam")
    assert Path("main.bicepparam").read_text() == text
    document = {"contentVersion": "2.0.0.0", "parameters": {"size": {"value": 9}, "gone": {"value": 1}}}
    Path("main.parameters.json").write_text(json.dumps(document))
    ulna("generate-params", "main.bicep")
    made = json.loads(Path("main.parameters.json").read_text())
    assert made["contentVersion"] == "2.0.0.0" and made["parameters"]["size"] == {"value": 9}
    assert "gone" not in made["parameters"] and "name" in made["parameters"]


def test_a_type_that_contains_itself_ends(ulna):
    Path("main.bicep").write_text("type t = { a: int, next: t?, all: t[] }\nparam p t\noutput o int = p.a\n")
    result = ulna("generate-params", "main.bicep", "--stdout")
    assert json.loads(result.out)["parameters"] == {"p": {"value": {"a": 0, "all": []}}}


def test_templates_with_errors_and_other_files_are_refused(ulna):
    Path("main.bicep").write_text("param a nothing\n")
    result = ulna("generate-params", "main.bicep")
    assert result.code == 1 and "BCP302" in result.err
    assert ulna("generate-params", "main.json").code == 2
    template()
    Path("main.bicepparam").write_bytes(b"\xff\xfe\x00")
    result = ulna("generate-params", "main.bicep", "--output-format", "bicepparam")
    assert result.code == 1 and "ULN714" in result.err


VAULT = "/subscriptions/s-1/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv"


def test_json_parameters_become_bicep(ulna):
    secret = {"reference": {"keyVault": {"id": VAULT}, "secretName": "pass", "secretVersion": "7"}}
    values = {"a": "[it's]", "b": [1.5, True, None, {"copy": [1], "o-k": -1}], "c": {}}
    document = {"parameters": {**{k: {"value": v} for k, v in values.items()}, "d": secret}}
    Path("main.parameters.json").write_text(json.dumps(document))
    Path("main.bicep").write_text(
        "param a string\nparam b array\nparam c object\n@secure()\nparam d string\noutput o string = '${a}${b}${c}${d}'\n"
    )
    assert ulna("decompile-params", "main.parameters.json", "--bicep-file", "main.bicep") == (
        0,
        "",
        "wrote main.parameters.bicepparam\n",
    )
    text = Path("main.parameters.bicepparam").read_text()
    assert text.startswith("using './main.bicep'\n\nparam a = '[it\\'s]'\n")
    assert "param d = az.getSecret('s-1', 'rg', 'kv', 'pass', '7')" in text
    built = json.loads(json.loads(ulna("build-params", "main.parameters.bicepparam", "--stdout").out)["parametersJson"])
    assert built["parameters"] == document["parameters"]
    assert ulna("decompile-params", "main.parameters.json").code == 1
    assert ulna("decompile-params", "main.parameters.json", "--force", "--outdir", "out").code == 0
    assert "name the template" in Path("out/main.parameters.bicepparam").read_text()


def test_what_is_no_parameter_file_is_refused(ulna):
    for text, says in (
        ("{", "ULN010"),
        ("[]", "ULN012"),
        ('{"parameters": {"a": {}}}', "'a'"),
        ('{"parameters": {"a-b": {"value": 1}}}', "a-b"),
        ('{"parameters": {"a": {"reference": {"keyVault": {"id": "x"}}}}}', "key vault"),
        ('{"parameters": {"a": {"value": ' + "[" * 90 + "]" * 90 + "}}}", "deeply"),
    ):
        Path("p.json").write_text(text)
        result = ulna("decompile-params", "p.json", "--stdout")
        assert (result.code, result.out) == (1, "") and says in result.err, result
    assert ulna("decompile-params", "p.bicepparam").code == 2
    assert ulna("decompile-params", "none.json").code == 1
