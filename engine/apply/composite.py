"""The owner of what its children make up: it has no effect, reports values over theirs, and is as ready as they are."""

from __future__ import annotations

from engine.apply.report import outputs
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Difference,
    Keep,
    Observed,
    Rendering,
    Same,
    Update,
    View,
)
from engine.contract.resource import OUTPUTS, Resource
from engine.contract.value import Properties

NAME = "composite"


def is_composite(resource: Resource) -> bool:
    """Whether a resource was rendered into children."""
    return OUTPUTS in resource.properties


class _Composite:
    """An operator as any other, but for being built in."""

    name = NAME
    effects = False

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It is assigned, and bids for nothing."""
        return None

    def render(self, resource: Resource, view: View) -> Rendering:
        """Its children were rendered already."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """It differs when its body does, or what it reports."""
        if applied is None or applied.properties != body(resource):
            return Update()
        return (
            Same() if applied.outputs == outputs(resource, self.create(resource, "", None))["properties"] else Update()
        )

    def outputs(self, resource: Resource) -> Properties:
        """Nothing is known before the children are there."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """Never called."""
        return None

    def create(self, resource: Resource, token: str, call: Call | None) -> Observed:
        """What the children report, composed."""
        return Observed(str(resource.id), token, {}, resource.properties[OUTPUTS])

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """The same again."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Nothing is left when the children are gone."""


def body(resource: Resource) -> Properties:
    """The properties without what is reported."""
    return {k: v for k, v in resource.properties.items() if k != OUTPUTS}


COMPOSITE = _Composite()
