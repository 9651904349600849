"""Reasons where there is room for one line."""

from __future__ import annotations

import pytest

from engine.plan.text import excerpt, on_one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("it ended", "it ended"),
        ("it ended; its last lines:\none\r\n  two", "it ended; its last lines: / one / two"),
        ("its last lines:\nno\nno\n\nno", "its last lines: / no"),
    ],
)
def test_lines_become_one_and_none_is_told_twice(text, line):
    assert on_one_line(text) == excerpt(text) == line


def test_a_table_has_the_beginning_alone():
    assert excerpt("word " * 100, 21) == "word word word word…"
    assert len(excerpt("x" * 1000)) == 120
