"""What the template leaves open until something runs, and when it is time to expand it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.apply.batch import Batch
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic
from engine.expand.desired import Known, Pending

ExpandAgain = Callable[[Known], Batch | None]
"""Expands the template again with more outputs known, and gives what follows from it."""


class Undecided:
    """The undecided parts of each deployment; a part is asked about once for what it needs."""

    __slots__ = ("_asked", "_parts", "problems")

    def __init__(self) -> None:
        self._parts: dict[str, tuple[Pending, ...]] = {}
        self._asked: set[tuple[str, str, frozenset[str]]] = set()
        self.problems: tuple[Diagnostic, ...] = ()
        """What was wrong with parts when they were expanded."""

    def with_those_of(self, batch: Batch) -> tuple[Pending, ...]:
        """All parts, as they are once a batch is accepted."""
        return tuple(p for parts in (self._parts | {batch.deployment: batch.pending}).values() for p in parts)

    def accept(self, batch: Batch) -> None:
        """The batch was accepted: what it leaves open replaces what its deployment left open."""
        self._parts[batch.deployment] = batch.pending

    def of(self, deployment: str | None) -> Iterator[Pending]:
        """The parts of a deployment, of all for None."""
        return (p for name, parts in self._parts.items() if deployment in (None, name) for p in parts)

    def are_due(self, outputs: Mapping[str, Properties]) -> bool:
        """Whether there is a part whose needs are known now, and that was not asked about yet."""
        due = {
            (p.address, str(p.unit), p.needs)
            for parts in self._parts.values()
            for p in parts
            if all(n in outputs for n in p.needs)
        }
        new = due - self._asked
        self._asked |= new
        return bool(new)
