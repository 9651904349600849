"""What lowering a resource comes to: the record of it, its gates, what it hangs on, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from engine.contract.app import DaprComponent, Gateway, SecretStore, Volume, Workload
from engine.contract.resource import Resource, Wait, wait_of
from engine.contract.value import Properties, Unknown, Value, leaves, needs
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.record import Record

Part = Workload | Gateway | SecretStore | Volume | DaprComponent
"""What the app model lowers to."""


class Lowered(Record):
    """A record with the gates of its resource; without one where `needs` or problems stand in the way."""

    record: Part | None
    waits: tuple[Wait, ...] = ()
    needs: frozenset[str] = frozenset()
    problems: tuple[Diagnostic, ...] = ()


class Gates:
    """The gates of a resource, as they are collected: one for each other resource."""

    __slots__ = ("_waits",)

    def __init__(self, waits: Iterable[Wait]) -> None:
        self._waits = list(waits)

    def add(self, target: Resource, gate: Properties | None = None) -> None:
        """Wait for it: for readiness, unless something else was said already, or is said now."""
        for index, wait in enumerate(self._waits):
            if wait.address == target.address:
                if gate is not None:
                    self._waits[index] = wait_of(target.address, gate, wait.condition)
                return
        self._waits.append(wait_of(target.address, gate or {}))

    def all(self) -> tuple[Wait, ...]:
        """All of them, in the order they came."""
        return tuple(self._waits)


def open_part(resource: Resource, structure: Value) -> Lowered | None:
    """What stands in the way where a part that decides what is made is not known: it waits for outputs, or hangs on a secret."""
    if not any(True for _ in leaves(structure)):
        return None
    waits_for = needs(structure)
    if waits_for:
        return Lowered(None, needs=waits_for)
    if any(isinstance(leaf, Unknown) for leaf in leaves(structure)):
        return Lowered(None)  # it is only looked at, and nobody can tell
    message = f"What '{resource.name}' consists of hangs on a secret"
    help = "Use secrets as values of environment variables only."
    return Lowered(None, problems=(Diagnostic("ULN321", Severity.ERROR, message, resource.origin, help=help),))
