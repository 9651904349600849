"""`Ulna.Core/values`: `input` is kept in the state and comes back as `output`; a change of `triggers` replaces it.

It has no effect outside, which makes it the pure unit of tests and benchmarks. `Ulna.Core/gates` and `commands` are kept in
the same way: what they say is for the engine and for people, see `render/gates.py` and `live/declared.py`.
"""

from __future__ import annotations

from engine.contract.difference import compare
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties

VALUES = "ulna.core/values"
_TYPES = frozenset({VALUES, "ulna.core/gates", "ulna.core/commands"})
_BID = Bid(100, "Ulna's own type")
_KEEP = Keep()
_FORCES = ("properties.triggers", "triggers")


class ValuesOperator:
    """See the module."""

    name = "core"
    effects = False

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits values."""
        return _BID if resource.type.lower() in _TYPES else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """A value is native as it is."""
        return _KEEP

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """Other triggers make another value; the rest changes in place."""
        return compare(resource, applied, None, forces=_FORCES)

    def outputs(self, resource: Resource) -> Properties:
        """What it will report is known as soon as its input is."""
        return {"output": body(resource).get("input")} if resource.type.lower() == VALUES else {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """It is as it was last declared."""
        return self.create(resource, token, call)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Nothing to do outside."""
        return Observed(resource.address, token, resource.properties, self.outputs(resource))

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Nothing to do outside."""
        return self.create(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Nothing to do outside."""
