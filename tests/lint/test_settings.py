"""Levels, categories and suppression."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.check.check import check
from engine.lint.rule import Category
from engine.lint.run import all_rules, lint
from engine.lint.settings import DEFAULTS
from engine.sources.memory import MemorySources


def found(text: str, config: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    files = {"main.bicep": text, "bicepconfig.json": json.dumps(config or {})}
    return [(d.code, d.severity) for d in lint(check("main.bicep", MemorySources(files)))]


def rules(**levels: str) -> dict[str, Any]:
    return {"analyzers": {"core": {"rules": {k.replace("_", "-"): {"level": v} for k, v in levels.items()}}}}


def test_the_category_gives_the_level() -> None:
    assert found("param a string") == [("no-unused-params", "warning")]


@pytest.mark.parametrize("level", ["error", "warning", "info", "Error"])
def test_the_configuration_gives_the_level(level: str) -> None:
    assert found("param a string", rules(no_unused_params=level)) == [("no-unused-params", level.lower())]


def test_a_rule_can_be_off_and_so_can_all() -> None:
    assert found("param a string", rules(no_unused_params="off")) == []
    assert found("param a string", {"analyzers": {"core": {"enabled": False}}}) == []


def test_a_rule_that_is_off_by_default_can_be_on() -> None:
    assert found("param a object", rules(no_unused_params="off")) == []
    assert found("param a object", rules(no_unused_params="off", use_user_defined_types="info")) == [
        ("use-user-defined-types", "info")
    ]


def test_pragmas_silence_a_line_or_a_region() -> None:
    assert found("#disable-next-line no-unused-params\nparam a string\nparam b string") == [
        ("no-unused-params", "warning")
    ]
    text = (
        "#disable-diagnostics no-unused-params\nparam a string\n#restore-diagnostics no-unused-params\nparam b string"
    )
    assert found(text) == [("no-unused-params", "warning")]
    assert found("#disable-next-line no-unused-vars\nparam a string") == [("no-unused-params", "warning")]


def test_every_category_has_a_level() -> None:
    assert set(DEFAULTS) == set(Category)
    assert len(all_rules()) >= 40


def test_a_rule_that_is_misspelt_is_told_at_its_place() -> None:
    files = {"main.bicep": "", "bicepconfig.json": json.dumps(rules(no_unused_parms="off", max_params="off"))}
    (told,) = lint(check("main.bicep", MemorySources(files)))
    assert told.code == "ULN020" and told.help == "Did you mean 'no-unused-params'?"
    assert told.primary is not None and told.primary.source.name == "bicepconfig.json"


def test_a_misspelt_rule_of_an_extended_file_is_told_without_a_place() -> None:
    files = {
        "main.bicep": "",
        "bicepconfig.json": '{"extends": "base.json"}',
        "base.json": json.dumps(rules(use_recent_api_versions="off", loud="off")),
    }
    (told,) = lint(check("main.bicep", MemorySources(files)))
    assert "'loud'" in told.message and told.primary is None


@pytest.mark.parametrize(("path", "words"), [("bicepconfig.json", "'bicepconfig.json'"), ("other.json", "defaults")])
def test_which_configuration_holds_is_told_to_those_who_ask(path: str, words: str) -> None:
    from engine.config.config import Config

    settings = {"analyzers": {"core": {"verbose": True}}}
    model = check("main.bicep", MemorySources({"main.bicep": "", path: json.dumps(settings)}))
    config = model.config if path == "bicepconfig.json" else Config(settings)
    (told,) = lint(model, config)
    assert (told.code, told.severity) == ("linter-configuration", "info") and words in told.message


CONTAINER = """\
param application string
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: application
    container: {
      image: 'web'
    }
    runtimes: {
      process: {}
    }
  }
}
"""
STRICT = {"ulna": {"strictBicep": True}}


def test_our_rules_are_on_unless_bicep_is_meant_strictly() -> None:
    assert found(CONTAINER) == [("ulna-missing-probe", "warning"), ("ulna-floating-image", "warning")]
    assert found(CONTAINER, STRICT) == [("ulna-strict-bicep", "warning")]


def test_strictness_beats_the_level_of_our_rules_but_not_that_of_its_own() -> None:
    levels = rules(ulna_floating_image="error", ulna_strict_bicep="error")
    assert ("ulna-strict-bicep", "error") not in found(CONTAINER, levels)
    assert found(CONTAINER, levels | STRICT) == [("ulna-strict-bicep", "error")]
    assert found(CONTAINER, rules(ulna_strict_bicep="off") | STRICT) == []


def test_a_variable_asks_for_strictness() -> None:
    files = {"main.bicep": CONTAINER}
    for value, codes in (("1", ["ulna-strict-bicep"]), ("0", ["ulna-missing-probe", "ulna-floating-image"])):
        model = check("main.bicep", MemorySources(files, {"ULNA_STRICT_BICEP": value}))
        assert [d.code for d in lint(model)] == codes


def test_all_rules_of_our_own_begin_alike_and_are_warnings() -> None:
    ours = [rule for rule in all_rules().values() if rule.ours]
    assert len(ours) >= 7
    assert {rule.category for rule in ours} == {Category.PLATFORM, Category.COMPATIBILITY}
    assert not any(rule.level for rule in ours)
