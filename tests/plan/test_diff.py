from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract.difference import same
from engine.contract.value import Secret
from engine.plan.change import PropertyChange, PropertyKind
from engine.plan.diff import baseline, delta, marked, patch, without_effect

scalars = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b"])
keys = st.sampled_from(["name", "a", "b", "c.d", "0"])
values = st.recursive(scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(keys, v, max_size=4), max_leaves=12)
named = st.lists(st.fixed_dictionaries({"name": st.sampled_from("xyz"), "v": values}), max_size=5)


@given(values | named, values | named)
def test_the_before_patched_with_the_delta_is_the_after(before, after):
    assert same(patch(before, delta(before, after)), after)


@given(values | named)
def test_a_value_has_no_delta_to_itself(value):
    assert delta(value, value) == ()


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), max_size=8))
def test_items_that_stay_in_order_are_not_mentioned(before, after):
    changes = delta(before, after)
    children = changes[0].children if changes else ()
    gone = sum(c.kind is PropertyKind.DELETE for c in children)
    new = sum(c.kind is PropertyKind.CREATE for c in children)
    assert len(before) - gone == len(after) - new == longest(before, after)


def longest(a: list[int], b: list[int]) -> int:
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + longest(a[1:], b[1:])
    return max(longest(a[1:], b), longest(a, b[1:]))


def test_changes_come_gone_new_changed_and_by_path():
    changes = delta({"z": 1, "b": 1, "y": 1, "n": {"k": 1}}, {"b": 2, "y": 2, "a": 1, "n": {"k": 2}})
    assert [(c.kind.value, c.path) for c in changes] == [
        ("Delete", ("z",)),
        ("Create", ("a",)),
        ("Modify", ("b",)),
        ("Modify", ("n", "k")),
        ("Modify", ("y",)),
    ]


def test_items_with_a_name_are_the_same_item_wherever_they_stand():
    before = [{"name": "web", "port": 80}, {"name": "admin", "port": 81}]
    after = [{"name": "new", "port": 1}, {"name": "web", "port": 8080}]
    (change,) = delta({"ports": before}, {"ports": after})
    assert change.kind is PropertyKind.ARRAY
    assert [(c.kind.value, c.path) for c in change.children] == [("Delete", (1,)), ("Create", (0,)), ("Modify", (1,))]
    assert change.children[2].children == (PropertyChange(("port",), PropertyKind.MODIFY, 80, 8080),)


def test_items_without_a_name_are_paired_where_they_stand():
    (change,) = delta([{"port": 80, "tls": True}], [{"port": 81, "tls": True}])
    (item,) = change.children
    assert item.children == (PropertyChange(("port",), PropertyKind.MODIFY, 80, 81),)


def test_very_long_lists_are_compared_item_by_item():
    before, after = list(range(1000)), list(range(1, 1001))
    changes = delta(before, after)
    assert patch(before, changes) == after


@pytest.mark.parametrize(
    ("applied", "live", "desired", "expected"),
    [
        ({"a": 1}, {"a": 1, "default": 2}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"a": 5}, {"a": 1}, {"a": 5}),
        ({"a": 1}, {}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "b": 2}),
        ({"l": [{"x": 1}]}, {"l": [{"x": 2, "default": 1}]}, {"l": [{"x": 1}]}, {"l": [{"x": 2}]}),
        ({"l": [1]}, {"l": [1, 2]}, {"l": [1]}, {"l": [1, 2]}),
    ],
)
def test_the_before_is_what_is_live_in_the_terms_of_who_declared_it(applied, live, desired, expected):
    assert baseline(applied, live, desired) == expected


@pytest.mark.parametrize(
    ("applied", "live", "desired"),
    [
        ({"p": Secret("p", "d")}, {"p": "hunter2"}, {"p": "plain"}),
        ({"p": "old"}, {"p": "hunter2"}, {"p": Secret("p", "d")}),
        ({}, {"p": "hunter2"}, {"p": Secret("p", "d")}),
        ({"p": ["x", Secret("p", "d")]}, {"p": ["hunter2"]}, {"p": []}),
        ({"p": {"q": Secret("p", "d")}}, {"p": "hunter2"}, {}),
        ({}, {"p": {"q": "hunter2"}}, {"p": {"q": Secret("p", "d")}}),
    ],
)
def test_a_live_value_never_shows_where_a_secret_was_or_will_be(applied, live, desired):
    assert "hunter2" not in repr(baseline(applied, live, desired))


def test_what_forces_a_replacement_is_marked_in_and_around():
    changes = delta({"a": {"b": 1}, "c": 1}, {"a": {"b": 2}, "c": 2})
    assert [c.forces for c in marked(changes, ["a"])] == [True, False]
    assert [c.forces for c in marked(changes, ["a.b.deeper"])] == [True, False]
    assert [c.forces for c in marked(changes, ["a.bb"])] == [False, False]


def test_what_the_operator_does_not_count_has_no_effect():
    changes = delta({"a": 1, "b": 1}, {"a": 2, "b": 2})
    assert [(c.path, c.kind.value) for c in without_effect(changes, ["b"])] == [
        (("b",), "Modify"),
        (("a",), "NoEffect"),
    ]
    assert without_effect(changes, []) == changes
    assert without_effect(changes, ["other words"]) == changes
