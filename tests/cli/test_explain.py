from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = sorted(
    {
        code
        for folder in ("cli", "plan", "pipeline")
        for path in (ROOT / "engine" / folder).rglob("*.py")
        for code in re.findall(r'"(ULN\d{3})"', path.read_text())
    }
)


@pytest.mark.parametrize("code", ["BCP057", "bcp057", "ULN605"])
def test_a_code_is_explained(ulna, code):
    result = ulna("explain", code)
    assert result.code == 0 and result.out.startswith(f"{code.upper()}: ")


def test_a_rule_explains_itself(ulna):
    result = ulna("explain", "no-unused-params")
    assert result.code == 0 and result.out.startswith("no-unused-params (best practice, warning by default): ")


def test_an_explanation_may_be_json(ulna):
    assert json.loads(ulna("explain", "BCP057", "--format", "json").out)["code"] == "BCP057"


def test_rules_are_listed_without_a_code(ulna):
    result = ulna("explain")
    assert result.code == 0 and "\nno-unused-params " in result.out and "warning" in result.out
    rules = json.loads(ulna("explain", "--format", "json").out)["rules"]
    assert {"name": "max-params", "level": "error", "finds": "More parameters than a template may have: 256."} in rules


def test_a_page_has_a_bad_and_a_good_example(ulna):
    said = ulna("explain", "no-unused-params").out
    assert said.index("Bad:") < said.index("Good:")
    assert ulna("explain", "linter-configuration").code == 0


@pytest.mark.parametrize(
    ("code", "help"), [("BCP05", "Did you mean"), ("BCP57", "Did you mean 'BCP057'?"), ("xyz", "Codes look like")]
)
def test_what_is_no_code_is_said(ulna, code, help):
    result = ulna("explain", code)
    assert result.code == 2 and "ULN707" in result.err and help in result.err


@pytest.mark.parametrize("code", OURS)
def test_every_code_of_ours_is_explained(ulna, code):
    assert ulna("explain", code).code == 0
