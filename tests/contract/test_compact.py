"""Compact JSON is what `json` writes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract.compact import compact

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_it_is_what_json_writes(value: object) -> None:
    assert compact(value) == json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize("value", [{1}, [object()], {"a": b"b"}])
def test_what_is_no_json_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match="is no JSON"):
        compact(value)
