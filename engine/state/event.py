"""An event: one line of the log. `data` holds the fields of the entry that it changes, as values, not as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from engine.contract.value import Properties
from engine.record import Record


class Kind(StrEnum):
    """What happened: what people asked for, what passes found and did, what became of deployments and operations."""

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
    OPERATION = "operation"


class Event(Record):
    """One fact: the `seq`-th of its environment, written at `time` (Unix seconds) under the lease number `writer`.

    `key` is an address (the name of a deployment or an operation for the last group); `epoch` counts the owners of the resource.
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


class Progress(StrEnum):
    """How far an operation is."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Operation(Record):
    """A command that was given: to the resource at `target`, in these words.

    `goal` says what has to be observed for it to be done, see `live/goal.py`; `launched` are the resources it added.
    `inputs` are as given, secret ones masked; `result` is what it brought, JSON.
    """

    id: str
    target: str = ""
    command: str = ""
    title: str = ""
    inputs: Properties = {}
    goal: Properties = {}
    launched: tuple[str, ...] = ()
    progress: Progress = Progress.RUNNING
    message: str = ""
    result: Properties = {}
    began: float = 0.0
    ended: float = 0.0
