"""The rules about how many of a thing a template may have, with files that are too long for a page."""

from __future__ import annotations

import pytest

from engine.check.check import check
from engine.lint.run import lint
from engine.sources.memory import MemorySources


@pytest.mark.parametrize(
    ("rule", "most", "line"),
    [
        ("max-params", 256, "param a{} string"),
        ("max-variables", 512, "var a{} = 1"),
        ("max-outputs", 64, "output a{} int = 1"),
        ("max-asserts", 32, "assert a{} = true"),
        ("max-resources", 800, "resource a{} 'A.B/c@1' = {{ name: 'a' }}"),
    ],
)
def test_one_more_than_allowed_is_an_error(rule: str, most: int, line: str) -> None:
    def found(count: int) -> list[tuple[str, str, str]]:
        text = "\n".join(line.format(i) for i in range(count))
        model = check("main.bicep", MemorySources({"main.bicep": text}))
        found = [d for d in lint(model) if d.code == rule]
        return [(d.code, d.severity, text[d.primary.span.start : d.primary.span.end]) for d in found if d.primary]

    assert found(most) == []
    assert found(most + 1) == [(rule, "error", "a0")], "told of the first"
