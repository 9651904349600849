"""Small templates that would never come to an end, or grow beyond the memory, are refused."""

from __future__ import annotations

import pytest

from engine.build.emit.yamlcontent import MalformedYaml, parse_yaml
from engine.build.parameters import build_parameters
from engine.check.check import check
from engine.expand import budget
from engine.expand.constant import constant
from engine.sources.memory import MemorySources
from tests.expand.test_places import problems

DOUBLED = "var v0 = 1\n" + "".join(f"var v{n} = [v{n - 1}, v{n - 1}]\n" for n in range(1, 60))
LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


def told(program: str) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in problems({"main.bicep": program})]


def test_variables_that_double_are_refused_before_they_are_written_out() -> None:
    [(code, message)] = told(DOUBLED + "output o array = v59")
    assert code == "ULN204"
    assert "grows to more than 2,000,000 parts" in message


def test_a_loop_in_a_loop_runs_out_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "STEPS", 5_000)
    loop = "output o array = map(range(0, {0}), i => map(range(0, {0}), j => i + j))"
    assert told(loop.format(20)) == []
    [(code, message)] = told(loop.format(100))
    assert code == "ULN204"
    assert "takes more than 5,000 steps" in message


def test_parameters_that_double_are_refused() -> None:
    sources = MemorySources({"main.bicepparam": f"using none\n{DOUBLED}param p = v59"})
    _, found = build_parameters(check("main.bicepparam", sources), constant)
    assert [d.code for d in found] == ["BCP338"]


def test_yaml_whose_aliases_multiply_is_no_content() -> None:
    with pytest.raises(MalformedYaml, match="aliases make it grow"):
        parse_yaml(LAUGHS)
    assert parse_yaml("a: &a [1]\nb: *a") == {"a": [1], "b": [1]}
