"""An event: one line of the log. `data` holds the fields of the entry that it changes, as values, not as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from engine.contract.value import Properties
from engine.record import Record


class Kind(StrEnum):
    """What happened. The first group is what people asked for, the second what passes found and did, the third is of deployments."""

    ADDED = "added"
    SPEC = "spec"
    DESIRED = "desired"
    RETRY = "retry"
    DELETING = "deleting"

    ASSIGNED = "assigned"
    UNASSIGNED = "unassigned"
    HANDOFF = "handoff"
    INTENT = "intent"
    STATUS = "status"
    GONE = "gone"

    DEPLOYED = "deployed"
    UNDEPLOYED = "undeployed"


class Event(Record):
    """One fact: the `seq`-th of its environment, written at `time` (Unix seconds) under the lease number `writer`.

    `key` is an address (a deployment's name for the last group); `epoch` counts the owners of the resource.
    """

    seq: int
    time: float
    writer: int
    kind: Kind
    key: str
    epoch: int = 0
    data: Mapping[str, Any] = {}


class Deployment(Record):
    """What is known of a deployment: the file it came from, when it last settled, and the outputs of its root file."""

    name: str
    file: str = ""
    time: float = 0.0
    outputs: Properties = {}
