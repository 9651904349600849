"""A small world to plan in: resources in a line, entries as they are after a deployment, an operator that compares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.contract.difference import compare
from engine.contract.operator import Applied, Bid, Difference, Keep, Observed, Update
from engine.contract.resource import Resource, Wait
from engine.contract.value import Properties, Value
from engine.expand.resolve import resolve as evaluate
from engine.plan.known import Foresight, body
from engine.plan.plan import Basis, Plan
from engine.plan.planner import plan
from engine.render.native import Native, Nomination
from engine.state.entry import Entry, Phase


class FakeOperator:
    """Compares three-way; a change of `image`, and of anything in `fixed`, replaces. Foresees what `foreseen` says."""

    effects = True

    def __init__(self, name: str = "fake", foreseen: Properties | None = None) -> None:
        self.name = name
        self.foreseen = foreseen or {}

    def bid(self, resource: Resource, view: Any) -> Bid | None:
        return Bid(100)

    def render(self, resource: Resource, view: Any) -> Keep:
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        found = compare(resource, applied, observed, forces=("properties.image", "properties.fixed"))
        if observed is not None and observed.message and not isinstance(found, Update):
            return Update()
        return found

    def outputs(self, resource: Resource) -> Properties:
        return self.foreseen


def resolve(value: Value, known: Mapping[str, Properties]) -> Value:
    """As the deployment does."""
    return evaluate(value, known.get)


class World:
    """Builds what a plan is made from; addresses are `app/<name>`."""

    FakeOperator = FakeOperator
    resolve = staticmethod(resolve)
    basis = Basis("local", "app", sequence=7)

    @staticmethod
    def resource(name: str, properties: Any = None, waits: tuple[str, ...] = (), **more: Any) -> Resource:
        type = more.pop("type", "Test/things")
        deployment = more.pop("deployment", "app")
        return Resource(
            f"{deployment}/{name}",
            type,
            more.pop("api_version", "2026-01-01"),
            name,
            more.pop("id", f"/planes/radius/local/resourceGroups/default/providers/{type}/{name}"),
            {"properties": properties or {}},
            tuple(Wait(f"app/{w}") for w in waits),
            **more,
        )

    @staticmethod
    def entry(resource: Resource, outputs: Any = None, **more: Any) -> Entry:
        """The entry of a resource that was deployed as it is."""
        applied = {"applied": Applied(resource.properties, body(resource, outputs or {})["properties"])} | more
        state = {
            "operator": "fake",
            "phase": Phase.RUNNING,
            "token": f"{resource.address}#1",
            "incarnation": 1,
            "applied_generation": 1,
        } | applied
        return Entry(resource.address, resource, outputs=body(resource, outputs or {}), **state)

    def plan(
        self,
        resources: list[Resource],
        entries: list[Entry] | None = None,
        *,
        operator: FakeOperator | None = None,
        nominations: Mapping[str, Nomination] | None = None,
        pending: Any = (),
        seen: Any = None,
        basis: Basis | None = None,
        foresight: Foresight | None = None,
    ) -> Plan:
        who = operator or FakeOperator()
        chosen = {r.address: Nomination(who.name) for r in resources} | dict(nominations or {})
        state = {e.address: e for e in entries or []}
        native = Native(tuple(resources), chosen, pending=tuple(pending))
        return plan(basis or self.basis, native, state, lambda name, type: who, resolve, seen or {}, foresight)


@pytest.fixture
def world() -> World:
    return World()
