"""What the log says of one resource: the fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.contract.operator import Applied
from engine.contract.resource import Resource
from engine.contract.value import Properties
from engine.record import Record


class Phase(StrEnum):
    """The one word for the table view; legal transitions are in `apply/lifecycle.py`."""

    PENDING = "Pending"
    WAITING = "Waiting"
    STARTING = "Starting"
    RUNNING = "Running"
    STOPPING = "Stopping"
    STOPPED = "Stopped"
    EXITED = "Exited"
    FAILED = "Failed"
    DELETING = "Deleting"
    GONE = "Gone"


class Intent(Record):
    """An external mutation that was announced and not yet answered.

    It says what it is for, so that an answer found after a crash is recorded as what it was, even if the wish changed since:
    `properties` as sent (secrets as references) for `generation` and `nonce`, leaning on the addresses in `wired`.
    """

    operation: str
    token: str
    generation: int = 0
    nonce: int = 0
    properties: Properties = {}
    wired: tuple[str, ...] = ()


class Retiring(Record):
    """What was replaced and still lives, until whoever uses it has moved to the new one: `applied` under `token`, wired to `wired`."""

    token: str
    applied: Applied
    wired: tuple[str, ...] = ()


COMMAND, SESSION = "command", "session"
"""Who stopped a resource: people, or the end of the run that it was in. Anything else is the address of one that it follows."""

UNASKED = "it is started only when that is asked for"


def resting(why: str, name: str) -> str:
    """Why something rests, with how it is started."""
    return f"{why}; to start it: ulna start {name}"


_CALLED = {"create": "creating", "update": "updating", "delete": "deleting"}


class Entry(Record):
    """One resource in the state of an environment.

    `resource` is the last declared wish; `generation` counts its changes. `applied` is what was last made true (secrets as
    references), at generation `applied_generation` (0: an update whose answer was lost), wired to `wired` (addresses it must be
    deleted before). `token` names the live external object, `external_id` is its native identity; both are None when nothing is
    out there. `outputs` is what `reference(…, 'full')` gives. A resource is ready when `ready_incarnation == incarnation`.
    `lost` is the incarnation that was ready and is not any more. `met` says of those whose new lives it follows (`Wait.keep`)
    which life it was made in. `retiring` is the one before it where the new one is made first.
    `stopped_by` says of what is not to run who stopped it; "" of what was never started.
    `declared` is False for what a command or an operator added at run time: it lives and goes with its owner.
    """

    address: str
    resource: Resource
    generation: int = 1
    run: bool = True
    nonce: int = 0
    forced: int = -1
    deleting: bool = False
    detached: bool = False
    root: str | None = None
    operator: str | None = None
    epoch: int = 0
    owner_generation: int = 0
    hops: tuple[str, ...] = ()
    phase: Phase = Phase.PENDING
    reason: str = ""
    incarnation: int = 0
    ready_incarnation: int = -1
    token: str | None = None
    external_id: str | None = None
    applied: Applied | None = None
    applied_generation: int = 0
    applied_nonce: int = 0
    wired: tuple[str, ...] = ()
    intent: Intent | None = None
    outputs: Properties = {}
    observed_generation: int = 0
    failed_at: tuple[int, int] | None = None
    exit_code: int | None = None
    since: float = 0.0
    declared: bool = True
    met: Mapping[str, int] = {}
    lost: int = -1
    retiring: Retiring | None = None
    stopped_by: str = ""

    @property
    def sleeps(self) -> bool:
        """Whether it is stopped only because the run that it was in has ended: the next deploy or run starts it again."""
        return not self.run and self.stopped_by == SESSION and not self.resource.explicit

    @property
    def unasked(self) -> bool:
        """Whether it is not started because that was not asked for: not at all, or not in a run that lives."""
        never = not self.incarnation or self.stopped_by == SESSION
        return not self.run and self.resource.explicit and never

    def rest(self, name: str) -> str:
        """Why it is not to run, and how what people know by this name is started, in words; "" where it is."""
        if self.run:
            return ""
        if self.unasked:
            return resting(UNASKED, name)
        match self.stopped_by:
            case "" | "command":
                return resting("it was stopped by a command", name)
            case "session":
                return "it was stopped when its run ended; the next run or deploy starts it"
            case other:
                return resting(f"it was stopped because '{other}' lives anew", name)

    @property
    def ready(self) -> bool:
        """Whether the incarnation that lives now was seen ready."""
        return self.ready_incarnation == self.incarnation and self.token is not None

    @property
    def has_failed(self) -> bool:
        """Whether it failed at what is wished now."""
        return self.failed_at == (self.generation, self.nonce)

    @property
    def current(self) -> bool:
        """Whether what is out there was made for the wish of today."""
        return (
            self.token is not None and self.applied_generation == self.generation and self.applied_nonce == self.nonce
        )

    @property
    def word(self) -> str:
        """One word for people for where it is."""
        if self.intent is not None:
            return _CALLED.get(self.intent.operation, self.intent.operation)
        match self.phase:
            case Phase.RUNNING:
                return "ready" if self.ready else "unhealthy" if self.lost == self.incarnation else "starting"
            case Phase.STARTING:
                return "creating"
            case Phase.GONE:
                return "deleted"
            case (
                Phase.PENDING
                | Phase.WAITING
                | Phase.STOPPING
                | Phase.STOPPED
                | Phase.EXITED
                | Phase.FAILED
                | Phase.DELETING
            ):
                return self.phase.lower()

    @property
    def health(self) -> str | None:
        """How what lives was last seen to be: healthy, unhealthy, starting or failed; None where nothing lives."""
        match self.phase:
            case Phase.RUNNING:
                return "healthy" if self.ready else "unhealthy" if self.lost == self.incarnation else "starting"
            case Phase.FAILED:
                return "failed" if self.token is not None else None
            case _:
                return None

    @property
    def made(self) -> Resource:
        """The resource as it was last made, with every value filled in: what is looked for and deleted, whatever is wished since."""
        if self.intent is not None and self.intent.operation == "create":
            return self.resource.replace(properties=self.intent.properties)
        if self.applied is None or self.resource.existing:
            return self.resource
        return self.resource.replace(properties=self.applied.properties, name=self.applied.name or self.resource.name)

    @property
    def held(self) -> bool:
        """Whether something external exists, or may."""
        return self.token is not None or self.intent is not None or self.retiring is not None
