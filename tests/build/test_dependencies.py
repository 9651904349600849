"""`dependsOn` through variables: each is followed once, however many lead to it and in whatever order they stand."""

from __future__ import annotations

from typing import Any

import pytest

from engine.build.emit.dependencies import Dependencies

HEAD = "resource r 'My.Rp/things@2023-01-01' = {\n  name: 'r'\n}\n"
TAIL = "resource s 'My.Rp/things@2023-01-01' = {{\n  name: 's'\n  properties: {{\n    x: {}\n  }}\n}}\n"
COUNT = 60


def chain(n: int) -> list[str]:
    return ["var a0 = r.id", *(f"var a{i} = a{i - 1}" for i in range(1, n))]


def lattice(n: int) -> list[str]:
    """Twice as many ways through each level as through the one before."""
    levels = (f"var a{i} = '${{a{i - 1}}}${{b{i - 1}}}'\nvar b{i} = '${{b{i - 1}}}${{a{i - 1}}}'" for i in range(1, n))
    return ["var a0 = r.id\nvar b0 = r.name", *levels]


def loops(n: int) -> list[str]:
    each = "var a{} = [for x in range(0, 2): '{}']"
    return [each.format(0, "${r.id}"), *(each.format(i, f"${{a{i - 1}[0]}}${{a{i - 1}[0]}}") for i in range(1, n))]


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("lines", "used", "variables"),
    [(chain, f"a{COUNT - 1}", COUNT), (lattice, f"a{COUNT - 1}", 2 * COUNT - 1), (loops, f"a{COUNT - 1}[1]", COUNT)],
)
def test_a_variable_is_followed_once(
    compile_: Any, monkeypatch: pytest.MonkeyPatch, lines: Any, used: str, variables: int, backwards: bool
) -> None:
    asked = []

    def counted(self: Dependencies, *arguments: Any, original: Any = Dependencies._elements) -> Any:
        asked.append(1)
        assert len(asked) < 1000  # or it would take for ever
        return original(self, *arguments)

    monkeypatch.setattr(Dependencies, "_elements", counted)
    parts = lines(COUNT)
    program = HEAD + "\n".join(reversed(parts) if backwards else parts) + "\n" + TAIL.format(used)
    resources = compile_(program).document["resources"]
    assert resources[1]["dependsOn"] == ["[resourceId('My.Rp/things', 'r')]"]
    assert len(asked) == variables + 1
