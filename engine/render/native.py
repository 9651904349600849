"""What `render` gives: the graph in which every resource has an operator or a reason why not."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.resource import Resource
from engine.contract.value import Value
from engine.expand.desired import Pending
from engine.record import Record


class Nomination(Record):
    """Who owns a resource: `operator`, reached by `hops` from the one that was asked first; or None and the `reason`."""

    operator: str | None
    reason: str = ""
    hops: tuple[str, ...] = ()


class Native(Record):
    """The flat graph after rendering.

    `resources` hold the composites and their children (those have `owner`), dependencies first. A composite waits for its
    children and carries its outputs under `contract.resource.OUTPUTS`. `nominations` has one entry for each address.
    """

    resources: tuple[Resource, ...]
    nominations: Mapping[str, Nomination] = {}
    outputs: Mapping[str, Value] = {}
    pending: tuple[Pending, ...] = ()
