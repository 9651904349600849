"""An operator: owns resources for their whole life, decides purely, acts in four calls.

`bid`, `render` and `diff` are pure, so that a plan can ask them too. `observe`, `create`, `update` and `delete` are the only
effects: plain blocking calls, run in threads, idempotent by `token`. The engine owns the pass; an operator answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from engine.contract.resource import Resource, Wait
from engine.contract.value import Properties, Secret, Value
from engine.diagnostics.diagnostic import Diagnostic
from engine.record import Record


class Bid(Record):
    """How well an operator suits a resource: 0–99 fallback, 100 type match, 200 special case. Highest wins."""

    score: int
    reason: str = ""


# ---------------------------------------------------------------- render


class Keep(Record):
    """The resource is native already: the operator creates it as it is."""


class Children(Record):
    """The resource is composite: these resources make it up, and its own outputs are these values.

    Children carry `owner` (this resource) and addresses below it. The engine lets children wait for what the
    parent waits for, and the parent for its children. Those whose addresses are in `early` wait for nothing of the
    parent's: they only allocate what others refer to, a port say, so that two workloads may name each other.
    A resource with problems alone is `Children((), {}, diagnostics)`. `waits` replaces the parent's own where it is given.
    The children in `ending` are meant to end: the parent waits for their start, and who waits for the parent's completion
    waits for theirs.
    """

    resources: tuple[Resource, ...]
    outputs: Properties
    diagnostics: tuple[Diagnostic, ...] = ()
    early: frozenset[str] = frozenset()
    waits: tuple[Wait, ...] | None = None
    ending: frozenset[str] = frozenset()


class Undecided(Record):
    """What it becomes hangs on outputs of the resources at `needs`, which nobody knows yet."""

    needs: frozenset[str]


class HandOff(Record):
    """Another operator should own it, and why; allowed while nothing external is held."""

    operator: str
    why: str


Rendering = Keep | Children | HandOff | Undecided


# ---------------------------------------------------------------- diff


class Same(Record):
    """Nothing to do."""


class Update(Record):
    """Can be changed in place; `paths` are the properties that differ, dotted."""

    paths: tuple[str, ...] = ()


class Order(StrEnum):
    """Which comes first when a resource is replaced.

    `CREATE_FIRST` is for what can be there twice, since nothing that must be unique comes from the wish alone: its name holds the
    token, or the platform gives it one. The old one then lives until the new one is ready and all who use it have moved.
    """

    DELETE_FIRST = "delete-first"
    CREATE_FIRST = "create-first"


class Replace(Record):
    """Cannot be changed in place: `paths` force a new one, and `why` says so to people."""

    paths: tuple[str, ...]
    why: str = ""
    order: Order = Order.DELETE_FIRST


Difference = Same | Update | Replace


# ---------------------------------------------------------------- observe


class Health(StrEnum):
    """Readiness as last measured on this incarnation."""

    STARTING = "starting"
    READY = "ready"
    NOT_READY = "not-ready"
    FAILED = "failed"


class Observed(Record):
    """What is out there now.

    `id` is the native identity (a container id, a pid with its start time); `token` the one it was created under;
    `properties` the live ones in the shape of the resource's own; `outputs` what `reference()` shows besides.
    `exit_code` is set once a process or job has ended. `message` says why it is not ready. `look_again` asks for
    another observation after so many seconds. `mends` is for what failed and yet is put right in place: the next deployment
    updates it, where others are made anew.
    """

    id: str
    token: str
    properties: Properties
    outputs: Properties = {}
    health: Health = Health.READY
    exit_code: int | None = None
    message: str = ""
    look_again: float | None = None
    mends: bool = False


class Applied(Record):
    """What was last applied to a resource, resolved: `properties` as sent (secrets as references), and its outputs.

    This is the "last applied" of the three-way difference; provider defaults show up only in `Observed`.
    """

    properties: Properties
    outputs: Properties = {}
    name: Value = ""


class Call(Protocol):
    """What the engine hands to an effect: whom it acts for, and the only way to a secret's value."""

    @property
    def fence(self) -> int:
        """The number of this engine's lease; the outside may refuse lower ones."""

    def reveal(self, secret: Secret) -> Value:
        """The value of a secret; never log or store it."""

    def seal(self, value: Value, name: str) -> Secret:
        """A reference to a value that nobody may see, for what the operator answers: the value itself is in no output,
        message or property, and is forgotten with the run. The next one seals it again when it looks.
        """

    def stopping(self) -> bool:
        """Whether the engine was asked to stop; long waits inside a call look at it."""


class Operator(Protocol):
    """See the module. `effects` is False for what lives in the log alone: no call but the pure ones is made twice,
    `create` and `update` run inline, no intent is written, and `observe` is not called.

    An attribute `concurrency` bounds its calls at the same time. With `session = True` its resources run only while somebody
    runs them, as processes and containers do: `ulna run` stops them when it ends.
    """

    name: str
    effects: bool

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """Whether, and how well, it suits. Pure and cheap."""

    def render(self, resource: Resource, view: View) -> Rendering:
        """What the resource becomes. Pure."""

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """What has to happen to what is there. Pure; planner and running pass both call it.

        `resource.properties` may hold `Unknown` in a plan: differ, unless the operator knows better.
        """

    def outputs(self, resource: Resource) -> Properties:
        """The outputs that are known before it is created (may hold `Unknown`); {} where nothing is."""

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """What exists under this token, or None; for an `existing` resource, what has its name.

        `resource` is as it was made, or was going to be, with every value filled in; `diff` is told what is wished now.
        """

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Make it exist; again under the same token gives the same object."""

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Change it in place."""

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Make it go; no error if it is gone. `resource` is as it was made."""


@runtime_checkable
class Runs(Protocol):
    """An operator in some of whose resources something runs, also when nobody is there: those are what `ulna stop` stops."""

    def runs(self, resource: Resource) -> bool:
        """Whether something runs in it: in a task or a deployment, not in what they use. Pure."""


def runs(operator: Operator | None, resource: Resource) -> bool:
    """Whether something runs in a resource, so that it can be stopped and started."""
    return bool(getattr(operator, "session", False)) or (isinstance(operator, Runs) and operator.runs(resource))


@runtime_checkable
class Logs(Protocol):
    """An operator whose resources have logs."""

    def logs(self, resource: Resource, token: str, follow: bool) -> Iterator[str]:
        """Lines, oldest first, without their ends; `follow` waits for more until the resource is gone."""


@runtime_checkable
class Dated(Protocol):
    """An operator whose logs know when each line was written."""

    def logs_since(self, resource: Resource, token: str, follow: bool, since: float) -> Iterator[str]:
        """As `logs`, of the lines that were written at `since` (Unix seconds) or later."""


@runtime_checkable
class Readies(Protocol):
    """An operator that can tell, while the old one still runs, whether a replacement can be made."""

    def make_ready(self, resource: Resource, call: Call) -> None:
        """Make ready what `create` will need: fetch an image, look for a program. Raises what `create` would."""


class Execution(Record):
    """How a program ended that was run inside of something: its exit code, and what it wrote to both streams."""

    exit_code: int
    output: str


@runtime_checkable
class Executes(Protocol):
    """An operator in whose resources programs can be run: a container, a process's surroundings.

    One that owns other things as well says with `can_execute(resource)` in which of them.
    """

    def execute(self, resource: Resource, token: str, command: tuple[str, ...], timeout: float) -> Execution:
        """Run a program to its end, `timeout` seconds at most; raises `Terminal` where it cannot be run."""


@runtime_checkable
class Watches(Protocol):
    """An operator whose platform says by itself when something changes, so that a run need not wait for its next look.

    Those with the same attribute `source` hear the same, and one of them is listened to; without one it is the name.
    """

    def watch(self, wake: Callable[[str], None], stopping: Callable[[], bool]) -> None:
        """Call `wake` with the token of whatever changed outside, until `stopping` or until the platform can tell no more.

        Runs in a thread of its own and looks at `stopping` every few seconds. May raise: it is then begun again later.
        """


@runtime_checkable
class Natives(Protocol):
    """An operator that can print the native object it would send, for `ulna render`."""

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The object in the platform's own words; secrets stay references."""


@runtime_checkable
class Adopts(Protocol):
    """An operator that can take over what somebody else made, for `ulna import`."""

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Mark what the platform calls `id` as ours, so that `observe` finds it under `token`; again gives the same.

        Nothing else of it is changed. Raises `Terminal` where there is no such thing, it is of another kind than `resource`,
        or another owner has it. `Observed.properties` are the live ones, in the shape of the resource's own.
        """


@runtime_checkable
class Releases(Protocol):
    """An operator that marks what it owns, so that one owner alone can have it."""

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Take the marks off what exists under a token: it stays as it is, and whoever wants it may have it; no error if it is gone."""


# ---------------------------------------------------------------- surroundings


class Environment(Record):
    """Where a deployment goes: a name, a compute kind, and the environment resource's own properties.

    `outputs` is what it reports of the infrastructure it owns: deferred values where it is made in the same deployment.
    """

    name: str
    kind: str
    id: str = ""
    properties: Properties = {}
    outputs: Properties = {}

    @property
    def place(self) -> Properties:
        """What says where it is reached, as a resource keeps it: name, kind, id, compute block and accounts."""
        reach = {k: v for k, v in self.properties.items() if k in ("compute", "providers")}
        return {"name": self.name, "kind": self.kind, "id": self.id, "properties": reach}


def at_place(place: Properties) -> Environment:
    """The environment that a resource keeps as its `place`."""
    return Environment(place["name"], place["kind"], place["id"], place["properties"])


class View(Protocol):
    """What a pure question may look at: the environment of a resource and the other resources by id."""

    @property
    def environment(self) -> Environment | None:
        """The environment, or None for a resource outside of any."""

    def find(self, id: str) -> Resource | None:
        """The desired resource with this id (case does not count)."""

    def resources(self) -> Iterable[Resource]:
        """All desired resources, as declared."""

    def folder(self, resource: Resource) -> str:
        """The folder of the file that declares it: what relative paths in it start from."""


class Site(Record):
    """What an operator is built with: a folder of its own below `.ulna/`, and the environment it serves."""

    folder: Path
    environment: Environment | None
