"""Lines, columns and suggestions."""

from __future__ import annotations

import pytest

from engine.diagnostics.source import Source
from engine.diagnostics.suggest import did_you_mean, nearest


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_of_three_ways(end: str) -> None:
    source = Source("a", f"one{end}two\u2028\f{end}{end}")
    assert [source.line(n) for n in range(1, 5)] == ["one", "two\u2028\f", "", ""]
    assert source.position(0) == (1, 1)
    assert source.position(source.text.index("two") + 1) == (2, 2)
    assert source.position(len(source.text)) == (4, 1)


def test_an_empty_text_has_one_line() -> None:
    assert (Source("a", "").position(0), Source("a", "").line(1)) == ((1, 1), "")


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    source = Source("a", "\ufeffone\ntwo")
    assert (source.line(1), source.position(0), source.position(1), source.position(2)) == (
        "one",
        (1, 1),
        (1, 1),
        (1, 2),
    )
    assert source.position(5) == (2, 1)
    assert source.line(2) == "two"


def test_the_nearest_name_is_suggested_and_a_far_one_is_not() -> None:
    assert nearest("imgae", ["image", "tag"]) == "image"
    assert nearest("IMAGE", ["image"]) == "image"
    assert did_you_mean("imag", ["image", "tag"]) == "Did you mean 'image'?"
    assert did_you_mean("zzz", ["image", "tag"]) == ""
