"""What a face asks of the pipeline, and what it gets back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic
from engine.record import Record
from engine.state.entry import Entry


class OnUnmanage(StrEnum):
    """What happens to a resource that left the file: deleted, or kept alive and forgotten."""

    DELETE = "delete"
    DETACH = "detach"


class Request(Record):
    """A file and where it should go.

    `path` is a `.bicep`, `.bicepparam` or ARM `.json` file. `parameters` are the texts given with -p, in order:
    `name=value`, `name=@file`, `@file.json`, `@file.bicepparam`. `name` is the deployment's; by default the stem of the
    template's file. `state` is the folder that holds the state; by default the nearest `.ulna` upward, else one made here.
    """

    path: str
    environment: str | None = None
    application: str | None = None
    parameters: tuple[str, ...] = ()
    name: str | None = None
    state: Path | None = None
    on_unmanage: OnUnmanage = OnUnmanage.DELETE
    wait: float = 600.0


class Failure(Record):
    """A resource that could not be made as wanted, and why."""

    address: str
    reason: str
    help: str = ""


class Skip(Record):
    """A resource that was not tried, and because of what."""

    address: str
    why: str


class Endpoint(Record):
    """Where people reach a resource."""

    name: str
    type: str
    url: str


class Outcome(Record):
    """What a deploy, apply or destroy came to.

    `changed` maps addresses to what was done ("create", "modify", "replace", "delete"); `unchanged` counts the rest.
    """

    environment: str
    deployment: str
    changed: Mapping[str, str] = {}
    unchanged: int = 0
    failed: tuple[Failure, ...] = ()
    skipped: tuple[Skip, ...] = ()
    outputs: Mapping[str, Value] = {}
    endpoints: tuple[Endpoint, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    interrupted: bool = False
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether everything is as wanted."""
        return not (self.failed or self.skipped or self.interrupted)


Watch = Callable[[Entry | None, Entry | None], None]
"""Called with a resource's entry before and after each change; runs in the engine's thread, so it must be quick."""
