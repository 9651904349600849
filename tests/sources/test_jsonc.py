"""JSON with comments: what plain JSON says it says too, and what is wrong has a place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.diagnostics.source import Source
from engine.sources.jsonc import Malformed, Places, Scanner, load

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_the_scanner_reads_what_json_writes(value: Any) -> None:
    assert Scanner(Source("x", json.dumps(value, ensure_ascii=False, indent=1))).document() == value


def test_comments_and_trailing_commas_are_fine() -> None:
    assert load(Source("x", '/* a */ { "a": [1, 2,], // b\n "c": "//", }')) == {"a": [1, 2], "c": "//"}


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 0, "the text ends"),
        ('{"a" 1}', 5, "colon"),
        ("[1 2]", 3, "comma"),
        ("{a: 1}", 1, "double quotes"),
        ('["x]', 1, "does not end"),
        ("[nul]", 1, "found 'nul'"),
        ("1 2", 2, "follow"),
    ],
)
def test_what_is_wrong_has_a_place(text: str, at: int, words: str) -> None:
    with pytest.raises(Malformed, match=words) as caught:
        load(Source("x", text))
    assert caught.value.span.start == at


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(Malformed, match="deeply"):
        load(Source("x", "[" * 100_000))


def test_pointers_lead_to_places() -> None:
    source = Source("x", '{"a/b": [10, {"c": true}]}')
    places = Places(source)
    assert {p: source.text[v.span.start : v.span.end] for p, v in places.items()} == {
        "": source.text,
        "/a~1b": '[10, {"c": true}]',
        "/a~1b/0": "10",
        "/a~1b/1": '{"c": true}',
        "/a~1b/1/c": "true",
    }
