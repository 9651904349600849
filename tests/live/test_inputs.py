"""What a command is given: read as its inputs' types say, and put into its words."""

from __future__ import annotations

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.live.actions import words_of
from engine.live.declared import Declared, Input, accept
from engine.live.launching import summary_of


def command(type: str) -> Declared:
    return Declared("c", "app/api", "C", "exec", {"command": ["say", "$(x)", "=$(x)"]}, inputs=(Input("x", type),))


@pytest.mark.parametrize(
    ("type", "given", "value", "word"),
    [
        ("int", "3", 3, "3"),
        ("int", "1e0", 1, "1"),
        ("int", "9007199254740993", 9007199254740993, "9007199254740993"),
        ("number", "0.5", 0.5, "0.5"),
        ("bool", "TRUE", True, "true"),
        ("bool", False, False, "false"),
        ("string", "", "", ""),
        ("string", "$(x) `id`", "$(x) `id`", "$(x) `id`"),
    ],
)
def test_it_is_read_and_written_as_its_type_says(type, given, value, word):
    values = accept(command(type), {"x": given})
    assert values == {"x": value} and isinstance(values["x"], value.__class__)
    assert words_of(command(type), values) == ("say", word, f"={word}")


@pytest.mark.parametrize("type", ["int", "number"])
@pytest.mark.parametrize("given", ["nan", "inf", "-Infinity", "1e400", "", "x", float("nan"), True, None])
def test_what_is_no_number_is_refused(type, given):
    with pytest.raises(UlnaError, match="must be of type"):
        accept(command(type), {"x": given})


def test_what_is_no_json_is_none_in_a_summary():
    assert summary_of(['{"p95": NaN, "most": -Infinity, "n": 1}', "the end"]) == {"p95": None, "most": None, "n": 1}
