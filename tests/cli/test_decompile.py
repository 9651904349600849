from __future__ import annotations

import json
from pathlib import Path

import pytest

INNER = {"parameters": {}, "outputs": {"o": {"type": "int", "value": 1}}}
TEMPLATE = {
    "variables": {"a": 1},
    "resources": [
        {
            "type": "Microsoft.Resources/deployments",
            "apiVersion": "2020-06-01",
            "name": "inner",
            "properties": {"expressionEvaluationOptions": {"scope": "inner"}, "template": INNER},
        }
    ],
}
MAIN = "var a = 1\n\nmodule inner './nested_inner.bicep' = {\n  name: 'inner'\n  params: {}\n}\n"
NESTED = "output o int = 1\n"


def test_it_writes_the_file_and_its_modules(ulna):
    Path("main.json").write_text(json.dumps(TEMPLATE))
    result = ulna("decompile", "main.json")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("wrote main.bicep\nwrote nested_inner.bicep\nmain.bicep:1:5: warning no-unused-vars")
    assert Path("main.bicep").read_text() == MAIN and Path("nested_inner.bicep").read_text() == NESTED
    assert ulna("build", "main.bicep", "--stdout").code == 0


def test_it_prints_them_after_each_other(ulna):
    Path("main.json").write_text(json.dumps(TEMPLATE))
    result = ulna("decompile", "main.json", "--stdout")
    assert (result.code, result.out) == (0, MAIN + NESTED) and "no-unused-vars" in result.err


def test_it_keeps_what_is_there_unless_forced(ulna):
    Path("main.json").write_text(json.dumps(TEMPLATE))
    Path("nested_inner.bicep").write_text("// mine\n")
    result = ulna("decompile", "main.json")
    assert result.code == 1 and "--force" in result.err and not Path("main.bicep").exists()
    assert ulna("decompile", "main.json", "--outdir", "out").code == 0
    assert ulna("decompile", "main.json", "--force", "--outfile", "other.bicep").code == 0
    assert Path("nested_inner.bicep").read_text() == NESTED and Path("other.bicep").read_text() == MAIN


def test_a_refusal_names_the_place(ulna):
    Path("main.json").write_text('{\n  "parameters": {\n    "p": { "type": "strange" }\n  }\n}\n')
    result = ulna("decompile", "main.json", "--stdout")
    assert (result.code, result.out) == (1, "")
    assert "ULN012" in result.err and "main.json:3" in result.err and "strange" in result.err


@pytest.mark.parametrize("expression", ["parameters('gone')", "concat(variables('gone'), 'x')"])
def test_what_is_not_declared_is_refused_where_it_stands(ulna, expression):
    resource = {"type": "My.Rp/things", "apiVersion": "2020-01-01", "name": f"[{expression}]"}
    Path("main.json").write_text(json.dumps({"parameters": {}, "resources": [resource]}, indent=2))
    result = ulna("decompile", "main.json")
    assert (result.code, result.out) == (1, "") and not Path("main.bicep").exists()
    assert "main.json:7:15: error ULN012: The template has no " in result.err and "'gone'" in result.err


def test_what_does_not_compile_is_written_and_said(ulna):
    outputs = {"o": {"type": "string", "value": "[parameters('p')]"}}
    Path("main.json").write_text(
        json.dumps({"parameters": {"p": {"type": "int"}}, "resources": [], "outputs": outputs})
    )
    result = ulna("decompile", "main.json")
    assert result.code == 1 and "main.bicep:3:19: error BCP033" in result.err
    assert Path("main.bicep").read_text() == "param p int\n\noutput o string = p\n"
    printed = ulna("decompile", "main.json", "--stdout")
    assert (printed.code, printed.out) == (1, Path("main.bicep").read_text()) and "error BCP033" in printed.err


def test_other_files_are_refused(ulna):
    assert ulna("decompile", "main.bicep").code == 2
    assert ulna("decompile", "missing.json").code == 1


def test_what_is_no_template_is_said(ulna):
    Path("package.json").write_text('{"name": "x"}')
    result = ulna("decompile", "package.json", "--stdout")
    assert (result.code, result.out) == (1, "")
    assert "package.json:1:1: error ULN012: This is no deployment template" in result.err


def test_a_long_expression_is_shown_in_part(ulna):
    value = f"[{'concat(' * 900}]"
    Path("main.json").write_text(json.dumps({"resources": [], "outputs": {"o": {"type": "string", "value": value}}}))
    result = ulna("decompile", "main.json", "--stdout")
    assert result.code == 1 and "…' is no expression" in result.err and len(result.err) < 1000
