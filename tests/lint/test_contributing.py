"""The rule that CONTRIBUTING adds is one, with its two files as they stand there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from engine.check.check import check
from engine.lint.rule import RULES, Rule
from engine.lint.run import all_rules, lint
from engine.sources.memory import MemorySources

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture
def rule() -> Iterator[Rule]:
    all_rules()
    code = next(b for b in re.findall(r"```python\n(.*?)```", TEXT, re.S) if "@rule(" in b)
    module = ModuleType("engine.lint.rules.no_shouting")
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, "no_shouting.py", "exec"), module.__dict__)
        yield RULES["no-shouting"]
    finally:
        RULES.pop("no-shouting", None)
        del sys.modules[module.__name__]


def found(text: str) -> list[str]:
    model = check("main.bicep", MemorySources({"main.bicep": text}))
    return [d.message for d in lint(model) if d.code == "no-shouting"]


def test_the_rule_finds_what_its_page_says(rule: Rule) -> None:
    (page,) = re.findall(r"````md\n(.*?)````", TEXT, re.S)
    assert page.startswith(f"# {rule.code}\n")
    bad, good = re.findall(r"```bicep\n(.*?)```", page, re.S)
    wanted = re.findall(rf"// warning: {rule.code} (.*)", bad)
    assert len(found(bad)) == len(wanted) == 1 and wanted[0] in found(bad)[0]
    assert found(good) == []


def test_its_docstring_has_words_and_an_example(rule: Rule) -> None:
    example = rule.example
    assert rule.page.startswith("A parameter whose name is all in capitals.\n\nIt reads as a constant")
    assert example is not None and "Example" not in rule.page
    assert found(example.bad) and not found(example.good)


def test_the_rule_is_gone_again() -> None:
    assert "no-shouting" not in RULES
