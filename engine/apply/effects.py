"""What a pass asks for: the only words between the core, which does nothing, and the runner, which does it."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Protocol

from engine.apply.rollup import Told
from engine.contract.operator import Call, Observed, Operator, Readies, Releases
from engine.contract.resource import Resource
from engine.contract.value import Properties
from engine.record import Record
from engine.render.native import Nomination
from engine.state.entry import Entry
from engine.state.event import Kind


class Write(Record):
    """Append an event about the resource, if it changes anything; the answer is the entry as it is now, None once it is gone."""

    kind: Kind
    changes: Mapping[str, Any] = {}


class Observe(Record):
    """Look for what exists under a token; the answer is an `Observed` or None."""

    operator: Operator
    resource: Resource
    token: str


class Create(Record):
    """Make it exist; the answer is an `Observed`."""

    operator: Operator
    resource: Resource
    token: str


class Update(Record):
    """Change it in place; the answer is an `Observed`."""

    operator: Operator
    resource: Resource
    token: str
    observed: Observed | None


class Delete(Record):
    """Make it go; there is no answer."""

    operator: Operator
    resource: Resource
    token: str


class Retire(Record):
    """Make the one before go, now that the new one is in its place; there is no answer."""

    operator: Operator
    resource: Resource
    token: str


class Release(Record):
    """Take the marks off what is to stay; there is no answer."""

    operator: Operator
    resource: Resource
    token: str


class MakeReady(Record):
    """Make ready what a replacement needs, before the old one goes; there is no answer."""

    operator: Operator
    resource: Resource
    token: str


Effect = Observe | Create | Update | Delete | Retire | Release | MakeReady
"""A call of an operator."""


def perform(effect: Effect, call: Call) -> Observed | None:
    """Make the call; blocks as long as the operator does, and raises what it raises."""
    match effect:
        case Observe(operator, resource, token):
            return operator.observe(resource, token, call)
        case Create(operator, resource, token):
            return operator.create(resource, token, call)
        case Update(operator, resource, token, observed):
            return operator.update(resource, token, observed, call)
        case Delete(operator, resource, token) | Retire(operator, resource, token):
            operator.delete(resource, token, call)
            return None
        case Release(operator, resource, token):
            if isinstance(operator, Releases):
                operator.release(resource, token, call)
            return None
        case MakeReady(operator, resource):
            if isinstance(operator, Readies):
                operator.make_ready(resource, call)
            return None


class ProviderBug(Exception):
    """What an operator raised that is none of the contract's errors, in words."""

    @classmethod
    def of(cls, error: BaseException) -> ProviderBug:
        """The bug that an error shows."""
        return cls.saying(f"{type(error).__name__}: {error}")

    @classmethod
    def saying(cls, text: str) -> ProviderBug:
        """A bug in these words."""
        return cls(f"provider bug: {text}")


class Later(Record):
    """How a pass ends that wants another: after so many seconds; `idle` if nobody waits for it."""

    after: float
    idle: bool = False


class Retry(Record):
    """How a pass ends that was put off by the outside: with back-off, not before `at_least` seconds."""

    at_least: float | None = None


class Again(Record):
    """How a pass ends that made another one possible at once."""


class Done(Record):
    """How a pass ends that has nothing to do until something else happens."""


End = Later | Retry | Again | Done

Pass = Generator["Write | Effect", Any, End]
"""A pass under way."""


class Surroundings(Protocol):
    """What a pass may look at: the model as it is at this moment. Pure."""

    @property
    def operators(self) -> Mapping[str, Operator]:
        """Those that take part, by name."""

    def find(self, address: str) -> Entry | None:
        """An entry."""

    def nominate(self, resource: Resource) -> Nomination:
        """Who would own it, as the bids are now."""

    def resolved(self, entry: Entry) -> tuple[Resource, tuple[str, ...]]:
        """The wish with the outputs of others filled in, and the addresses of those that are not known yet."""

    def in_the_way(self, address: str) -> str | None:
        """An address that was wired to this one and has to go or to stop before it may, or None."""

    def left_behind(self, address: str) -> str | None:
        """An address that was wired to this one and may still use the life before, or None."""

    def dependencies(self, address: str) -> tuple[str, ...]:
        """What the entry waits for and whose outputs it reads, in order."""

    def existing(self, resource: Resource) -> Properties | None:
        """What is known of an existing resource that lives in the log alone."""

    def failing(self, whole: Entry) -> Told | None:
        """What is told of an entry where it has failed because of a part."""

    def resting(self, whole: Entry) -> Entry | None:
        """The part of an entry for which it is not there though it is wanted: one that is not to run."""

    def begun(self, whole: Entry) -> bool:
        """Whether all parts of an entry were started, ready or not."""

    def lives(self, address: str) -> Mapping[str, int]:
        """Which life of a resource this is, by its address; of what is made of parts, which of each of them."""

    def now(self) -> float:
        """Unix seconds."""

    def gives_up(self, error: BaseException) -> bool:
        """Whether this run tries again in vain, after such a failure."""

    @property
    def held_back(self) -> bool:
        """Whether the engine stops: nothing new may begin."""
