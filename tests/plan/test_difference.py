from __future__ import annotations

import pytest

from engine.contract.difference import compare, differing, dotted, drifted, same
from engine.contract.operator import Applied, Observed, Order, Replace, Same, Update
from engine.contract.resource import Resource
from engine.contract.value import Deferred, Output, Secret, Unknown


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (1, True, False),
        (True, 1, False),
        (0, False, False),
        (None, False, False),
        ("a", "a", True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ([1, 2], (1, 2), True),
        ([1], [1, 2], False),
        (Secret("password", "d1"), Secret("renamed", "d1"), True),
        (Secret("password", "d1"), Secret("password", "d2"), False),
        (Secret("password", "d1"), "d1", False),
        (Unknown(), Unknown(), False),
        (Output("a", ("x",)), Output("a", ("x",)), True),
        (Deferred("f", (1,)), Deferred("f", (2,)), False),
    ],
)
def test_values_are_the_same_as_json_is(before, after, expected):
    assert same(before, after) is expected


def test_one_unknown_is_not_even_the_same_as_itself():
    unknown = Unknown()
    assert not same(unknown, unknown)


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, ["a.c"]),
        ({"a": 1}, {"b": 1}, ["a", "b"]),
        ({"ports": [{"p": 1}, {"p": 2}]}, {"ports": [{"p": 1}, {"p": 3}]}, ["ports[1].p"]),
        ({"ports": [1]}, {"ports": [1, 2]}, ["ports"]),
        (
            {"labels": {"app.kubernetes.io/name": 1}},
            {"labels": {"app.kubernetes.io/name": 2}},
            ["labels['app.kubernetes.io/name']"],
        ),
        ({"a": {}}, {"a": None}, ["a"]),
        ({"a": [1]}, {"a": [1]}, []),
    ],
)
def test_differences_are_named_by_their_deepest_path(before, after, paths):
    assert [dotted(p) for p in differing(before, after)] == paths


@pytest.mark.parametrize(
    ("desired", "live", "paths"),
    [
        ({"a": 1}, {"a": 1, "default": 5}, []),
        ({"a": 1, "b": 2}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["a"]),
        ({"a": [{"x": 1}]}, {"a": [{"x": 2, "default": 1}]}, ["a[0].x"]),
        ({"a": [1]}, {"a": []}, ["a"]),
        ({"a": Secret("s", "d")}, {"a": "hunter2"}, []),
        ({"a": Unknown()}, {"a": "x"}, []),
    ],
)
def test_only_what_both_sides_say_can_drift(desired, live, paths):
    assert [dotted(p) for p in drifted(desired, live)] == paths


def resource(**properties) -> Resource:
    return Resource("app/x", "T/x", "1", "x", "/x", {"properties": properties})


def applied(**properties) -> Applied:
    return Applied({"properties": properties})


@pytest.mark.parametrize(
    ("wanted", "last", "live", "expected"),
    [
        (resource(a=1), applied(a=1), None, Same()),
        (resource(a=1), applied(a=1), {"a": 1, "added": 2}, Same()),
        (resource(a=2), applied(a=1), None, Update(("properties.a",))),
        (resource(a=1), applied(a=1), {"a": 9}, Update(("properties.a",))),
        (resource(a=1), applied(a=1, b=2), None, Update(("properties.b",))),
        (
            resource(key=2),
            applied(key=1),
            None,
            Replace(("properties.key",), "'properties.key' cannot be changed in place"),
        ),
        (
            resource(at={"x": 2}),
            applied(at={"x": 1}),
            None,
            Replace(("properties.at.x",), "'properties.at.x' cannot be changed in place"),
        ),
        (
            resource(l=[{"n": 2, "m": 1}]),
            applied(l=[{"n": 1, "m": 1}]),
            None,
            Replace(("properties.l[0].n",), "'properties.l[0].n' cannot be changed in place"),
        ),
        (resource(l=[{"n": 1, "m": 2}]), applied(l=[{"n": 1, "m": 1}]), None, Update(("properties.l[0].m",))),
    ],
)
def test_the_usual_diff_is_three_way(wanted, last, live, expected):
    observed = Observed("1", "t", {"properties": live}) if live is not None else None
    forces = ("properties.key", "properties.at", "properties.l.*.n")
    assert compare(wanted, last, observed, forces=forces) == expected


def test_what_was_never_applied_is_updated():
    assert compare(resource(a=1), None, None) == Update()


def test_the_order_of_a_replacement_is_the_operators_choice():
    found = compare(resource(a=2), applied(a=1), None, forces=("properties",), order=Order.CREATE_FIRST)
    assert isinstance(found, Replace) and found.order is Order.CREATE_FIRST


def test_several_reasons_read_as_a_sentence():
    found = compare(resource(a=2, b=2, c=2), applied(a=1, b=1, c=1), None, forces=("properties",))
    assert isinstance(found, Replace)
    assert found.why == "'properties.a', 'properties.b' and 'properties.c' cannot be changed in place"
