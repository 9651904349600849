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
