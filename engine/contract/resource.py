"""A resource as it is wanted: the unit that is planned, owned and kept.

An *address* is a text, unique within an environment: `deployment/module…/symbol`, with `[3]` behind a segment that is
one of a loop: `app/network/subnet[3]`. What an operator renders as a child adds a segment: `app/web/web-0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import Label
from engine.record import Record


class Condition(StrEnum):
    """What a gate waits for in another resource."""

    EXISTS = "exists"
    STARTED = "started"
    READY = "ready"
    COMPLETED = "completed"


class OnBroken(StrEnum):
    """What a gate does when its condition can no longer come true."""

    HOLD = "hold"
    FAIL = "fail"


class Reaction(StrEnum):
    """What a resource does when one that it waited for lives anew."""

    RESTART = "restart"
    STOP = "stop"


class Drift(StrEnum):
    """What is done about a change that somebody else made: put right, told, or neither."""

    HEAL = "heal"
    REPORT = "report"
    IGNORE = "ignore"


class Wait(Record):
    """A gate: create only once the resource at `address` meets `condition` (`completed`: with `exit_code`).

    It is broken if that takes more than `deadline` seconds. Gates act before the start; what they lead to is left alone
    afterwards, unless `keep` says what to do once the other has been replaced or restarted, and meets the condition again.
    """

    address: str
    condition: Condition = Condition.READY
    exit_code: int = 0
    on_broken: OnBroken = OnBroken.HOLD
    deadline: float | None = None
    keep: Reaction | None = None


def wait_of(address: str, properties: Properties, default: Condition = Condition.READY) -> Wait:
    """The wait that these keys say: of a gate, or of the `waitFor` of a connection."""
    condition, code, deadline = (properties.get(k) for k in ("condition", "exitCode", "deadlineSeconds"))
    broken, keep = properties.get("onBroken"), properties.get("keep")
    return Wait(
        address,
        Condition(condition) if isinstance(condition, str) else default,
        code if isinstance(code, int) else 0,
        OnBroken(broken) if isinstance(broken, str) else OnBroken.HOLD,
        float(deadline) if isinstance(deadline, int | float) else None,
        Reaction(keep) if isinstance(keep, str) else None,
    )


class Resource(Record):
    """One resource of the desired model.

    `name` is the resource's own name, `id` its full resource id; both may be deferred values, rarely.
    `properties` is the body as written, without type, apiVersion, name, dependsOn and scope: for ARM-style types
    `{"properties": {...}, "location": ..., "tags": ...}`.
    `waits` come from dependsOn and references, in order; `owner` is the address of the resource that rendered it.
    `pin` names an operator; `existing` resources are only read. `origin` is its place in the template's source.
    `place` is the environment it goes to, as far as that says where it is reached, if it is not the one that it is deployed
    to: an environment's own infrastructure is in the partition `global`, and must be found again when all else is gone.
    `lists` are the list functions whose answers others read, such as `listKeys` (see `contract/listing.py`). What is
    `explicit` is made, but not started until people ask for that.
    """

    address: str
    type: str
    api_version: str
    name: Value
    id: Value
    properties: Properties
    waits: tuple[Wait, ...] = ()
    scope: str = ""
    existing: bool = False
    owner: str | None = None
    pin: str | None = None
    origin: Label | None = None
    place: Properties | None = None
    drift: Drift = Drift.HEAL
    lists: tuple[str, ...] = ()
    explicit: bool = False

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The addresses it waits for."""
        return tuple(w.address for w in self.waits)


def join(*segments: str) -> str:
    """An address from its segments."""
    return "/".join(s for s in segments if s)


def deployment_of(address: str) -> str:
    """The deployment an address belongs to: its first segment."""
    return address.partition("/")[0]


OUTPUTS = "$outputs"
"""Where a composite resource keeps what it reports: beside its body, as values over its children's outputs."""


def body(resource: Resource) -> Properties:
    """The properties proper of a resource, whether they stand under `properties` or bare."""
    inner = resource.properties.get("properties")
    return inner if isinstance(inner, Mapping) else resource.properties


def short(id: Value) -> str:
    """The last segment of an id: the name of what it identifies."""
    return id.rstrip("/").rpartition("/")[2] if isinstance(id, str) else ""
