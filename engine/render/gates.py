"""`Ulna.Core/gates`: what one resource waits for in another, said from outside of both. Pure."""

from __future__ import annotations

from engine.contract.resource import Condition, Resource, Wait, body, wait_of
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import did_you_mean
from engine.render.graph import Graph

GATES = "ulna.core/gates"
_CONDITIONS = frozenset(map(str, Condition))


class Gates:
    """The gates of a graph: `waits` by the address of who waits, `problems` with those that lead nowhere."""

    __slots__ = ("_first", "problems", "waits")

    def __init__(self, graph: Graph) -> None:
        self.waits: dict[str, list[Wait]] = {}
        self.problems: list[Diagnostic] = []
        self._first: dict[tuple[str, str], tuple[Resource, Wait]] = {}
        for resource in graph.declared:
            if resource.type.lower() == GATES and not resource.existing:
                self._add(resource, body(resource), graph)

    def of(self, resource: Resource) -> Resource:
        """The resource with the gates that stand before it."""
        waits = self.waits.get(resource.address)
        if not waits:
            return resource
        addresses = {w.address for w in waits}
        return resource.replace(waits=(*waits, *(w for w in resource.waits if w.address not in addresses)))

    def _add(self, gate: Resource, properties: Properties, graph: Graph) -> None:
        target, other = (self._end(gate, key, properties.get(key), graph) for key in ("target", "waitFor"))
        if target is None or other is None:
            return
        wait = wait_of(other.address, properties)
        first = self._first.setdefault((target.address, other.address), (gate, wait))
        if first[0] is gate:
            self.waits.setdefault(target.address, []).append(wait)
        elif first[1] != wait:
            message = f"The gates '{first[0].name}' and '{gate.name}' make '{target.name}' wait for '{other.name}' in different ways"
            related = (
                () if first[0].origin is None else (first[0].origin.replace(text=f"here '{first[0].name}' says it"),)
            )
            help = "Keep one of them, and say all of it there."
            self.problems.append(Diagnostic("ULN339", Severity.ERROR, message, gate.origin, related, help))

    def _end(self, gate: Resource, key: str, id: object, graph: Graph) -> Resource | None:
        found = graph.find(id) if isinstance(id, str) else None
        if found is not None and found.address in graph.addresses:
            return found
        message = f"The {key} of the gate '{gate.name}' is not declared in this deployment"
        known = [str(r.id) for r in graph.declared]
        help = did_you_mean(str(id), known) or "Take the id from its symbol: api.id."
        if isinstance(id, str) and id in _CONDITIONS:
            help = f"'{key}' is the id of a resource, such as api.id; how it is waited for is said beside it: condition: '{id}'."
        self.problems.append(Diagnostic("ULN334", Severity.ERROR, message, gate.origin, help=help))
        return None
