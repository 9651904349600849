"""What a face asks of the pipeline, and what it gets back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Label
from engine.plan.plan import OnUnmanage as OnUnmanage
from engine.record import Record
from engine.state.entry import Entry

if TYPE_CHECKING:
    from engine.pipeline.reading import RememberingSources


class Request(Record):
    """A file and where it should go.

    `path` is a `.bicep`, `.bicepparam` or ARM `.json` file. `parameters` are the texts given with -p, in order:
    `name=value`, `name=@file`, `@file.json`, `@file.bicepparam`. `name` is the deployment's; by default the stem of the
    template's file. `state` is the folder that holds the state, or the address of its database; by default the nearest
    `.ulna` upward, else one made here.
    `operators` pin resources, as `name=operator` each, over what the file says.
    Without `restore` nothing that the file names in registries is fetched. `sources` read for it; by default the disk.
    """

    path: str
    environment: str | None = None
    application: str | None = None
    parameters: tuple[str, ...] = ()
    name: str | None = None
    state: Path | str | None = None
    on_unmanage: OnUnmanage = OnUnmanage.DELETE
    wait: float | None = None
    restore: bool = True
    sources: RememberingSources | None = None
    operators: tuple[str, ...] = ()


class Where(Record):
    """A deployment that is there already: `name` is its own, or the path of the file it came from (None: all of them)."""

    name: str | None = None
    environment: str | None = None
    state: Path | str | None = None
    wait: float | None = None


class Failure(Record):
    """A resource that could not be made as wanted, and why; `origin` is the place that declares it."""

    address: str
    reason: str
    help: str = ""
    origin: Label | None = None


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

    `changed` maps addresses to what was done ("create", "modify", "replace", "delete", "detach"); `unchanged` counts the rest.
    `resting` are those that are not to run, and why.
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
    resting: Mapping[str, str] = {}

    @property
    def ok(self) -> bool:
        """Whether everything is as wanted."""
        return not (self.failed or self.skipped or self.interrupted)


Watch = Callable[[Entry | None, Entry | None], None]
"""Called with a resource's entry before and after each change; runs in the engine's thread, so it must be quick."""


class Stoppable(Protocol):
    """What can be asked to stop: once to finish what runs, twice to leave it."""

    def stop(self) -> None:
        """Ask."""


class Control:
    """The handle of a run for whoever started it: `stop` may be called at any time, by a signal handler too.

    `on_wait` is told, in a sentence, whom the run waits for when another holds the environment, and what else is worth a line.
    After `timeout` seconds a run ends whatever
    is not ready by then; what runs goes on, and so does the next deployment.
    """

    __slots__ = ("_run", "on_wait", "stops", "timeout")

    def __init__(self, on_wait: Callable[[str], None] | None = None, timeout: float | None = None) -> None:
        self.on_wait = on_wait
        self.timeout = timeout
        self.stops = 0
        self._run: Stoppable | None = None

    def stop(self) -> None:
        """Ask the run to stop; asked before it began, it ends as soon as it does."""
        self.stops += 1
        if self._run is not None:
            self._run.stop()

    def began(self, run: Stoppable) -> None:
        """The run that is to be stopped from now on."""
        self._run = run
        for _ in range(self.stops):
            run.stop()

    def ended(self) -> None:
        """Nothing is left to stop."""
        self._run = None
