"""`Ulna.Core/gates`: whoever it is about waits, and what it is made of; one that leads nowhere is told."""

from __future__ import annotations

import pytest

from engine.contract.resource import Condition, OnBroken, Reaction, Resource, Wait
from engine.diagnostics.diagnostic import Diagnostic, Label
from engine.diagnostics.source import Source, Span
from engine.expand.desired import Desired
from engine.render.render import render
from tests.render.test_bids import Fake, Registry


def thing(name: str) -> Resource:
    return Resource(f"app/{name}", "Test.T/things", "2026-01-01", name, f"/things/{name}", {"properties": {}})


def gate(**properties: object) -> Resource:
    return Resource(
        "app/gate",
        "Ulna.Core/gates",
        "2026-12-01",
        "gate",
        "/gates/gate",
        {"properties": {"target": "/things/a", "waitFor": "/things/b", **properties}},
    )


def waits(one: Resource) -> tuple[tuple[Wait, ...], list[str]]:
    native, problems = render(Desired((thing("a"), thing("b"), one)), Registry(Fake("fake", 100)))
    return next(r.waits for r in native.resources if r.address == "app/a"), [
        f"{p.code}: {p.message}" for p in problems if p.code != "ULN301"
    ]


@pytest.mark.parametrize(
    ("properties", "wait"),
    [
        ({}, Wait("app/b")),
        ({"condition": "started"}, Wait("app/b", Condition.STARTED)),
        ({"condition": "completed", "exitCode": 3}, Wait("app/b", Condition.COMPLETED, 3)),
        ({"deadlineSeconds": 30, "onBroken": "fail"}, Wait("app/b", on_broken=OnBroken.FAIL, deadline=30.0)),
        ({"keep": "restart"}, Wait("app/b", keep=Reaction.RESTART)),
    ],
)
def test_a_gate_makes_its_target_wait(properties, wait):
    assert waits(gate(**properties)) == ((wait,), [])


@pytest.mark.parametrize("end", ["target", "waitFor"])
def test_a_gate_that_leads_nowhere_is_told(end):
    found, problems = waits(gate(**{end: "/things/c"}))
    assert found == () and problems == [f"ULN334: The {end} of the gate 'gate' is not declared in this deployment"]


@pytest.mark.parametrize("condition", Condition)
def test_a_condition_in_the_place_of_an_id_is_told_its_own_place(condition):
    one = gate(waitFor=str(condition))
    (problem,) = (p for p in render(Desired((thing("a"), one)), Registry(Fake("fake", 100)))[1] if p.code == "ULN334")
    help = f"'waitFor' is the id of a resource, such as api.id; how it is waited for is said beside it: condition: '{condition}'."
    assert problem.help == help


def both(first: dict[str, object], second: dict[str, object]) -> tuple[tuple[Wait, ...], list[Diagnostic]]:
    source = Source("app.bicep", "resource one\nresource two\n")
    one = gate(**first).replace(name="one", origin=Label(source, Span(9, 12)))
    two = gate(**second).replace(address="app/two", name="two", origin=Label(source, Span(22, 25)))
    native, problems = render(Desired((thing("a"), thing("b"), one, two)), Registry(Fake("fake", 100)))
    found = next(r.waits for r in native.resources if r.address == "app/a")
    return found, [p for p in problems if p.code != "ULN301"]


def test_two_gates_that_say_the_same_are_one():
    assert both({"condition": "ready"}, {}) == ((Wait("app/b"),), [])


@pytest.mark.parametrize(
    "other", [{"condition": "started"}, {"deadlineSeconds": 5}, {"keep": "stop"}, {"onBroken": "fail"}]
)
def test_two_gates_that_say_different_things_are_refused_with_both_lines(other):
    _, (problem,) = both({}, other)
    assert problem.code == "ULN339"
    assert problem.message == "The gates 'one' and 'two' make 'a' wait for 'b' in different ways"
    assert problem.primary is not None and problem.primary.span.start == 22
    assert [(r.span.start, r.text) for r in problem.related] == [(9, "here 'one' says it")]
