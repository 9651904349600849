from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract.value import Deferred, Output
from engine.diagnostics.diagnostic import UlnaError
from engine.plan.graph import cycle, leans_on, order

names = st.sampled_from([f"n{i}" for i in range(8)])
graphs = st.dictionaries(names, st.lists(names, max_size=3), max_size=8)


@given(graphs)
def test_an_order_respects_needs_or_a_cycle_is_found(graph):
    circle = cycle(graph)
    if circle:
        assert circle[0] == circle[-1]
        assert all(later in graph[earlier] for earlier, later in itertools.pairwise(circle))
        with pytest.raises(UlnaError):
            order(graph)
        return
    ordered = order(graph)
    assert sorted(ordered) == sorted(graph)
    place = {name: n for n, name in enumerate(ordered)}
    assert all(place[need] < place[name] for name in graph for need in graph[name] if need in graph)


def test_what_needs_nothing_stays_as_written():
    assert order({"c": [], "a": [], "b": []}) == ["c", "a", "b"]


def test_what_is_not_in_the_graph_counts_as_met():
    assert order({"a": ["elsewhere"]}) == ["a"]


def test_a_cycle_is_told_with_its_path():
    with pytest.raises(UlnaError) as caught:
        order({"a": ["b"], "b": ["c"], "c": ["a"], "d": []})
    assert caught.value.diagnostics[0].message == "'a' needs itself: a → b → c → a"


def test_a_resource_leans_on_waits_and_on_what_its_values_read(world):
    resource = world.resource("x", {"p": Deferred("concat", (Output("app/y", ("id",)),))}, ("w",))
    resource = resource.replace(name=Output("app/z", ("name",)))
    assert leans_on(resource) == {"app/w", "app/y", "app/z"}


def test_a_chain_as_long_as_a_file_may_be_is_no_problem():
    graph = {f"n{i}": [f"n{i - 1}"] for i in range(1, 5000)}
    assert order(graph)[-1] == "n4999"
    assert cycle(graph) == ()
