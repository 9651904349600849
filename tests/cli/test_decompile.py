from __future__ import annotations

import json
from pathlib import Path

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
    assert ulna("decompile", "main.json") == (0, "", "wrote main.bicep\nwrote nested_inner.bicep\n")
    assert Path("main.bicep").read_text() == MAIN and Path("nested_inner.bicep").read_text() == NESTED
    assert ulna("build", "main.bicep", "--stdout").code == 0


def test_it_prints_them_after_each_other(ulna):
    Path("main.json").write_text(json.dumps(TEMPLATE))
    assert ulna("decompile", "main.json", "--stdout") == (0, MAIN + NESTED, "")


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
