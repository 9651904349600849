"""What a type answers; all calls go through the client. A wish is the resource's properties, secrets opened where it is made or changed.

A thing is found by its token alone, since what else a resource refers to may be gone or not known when it is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.operator import Health
from engine.contract.value import Properties
from engine.record import Record
from providers.aws.client import Client, Seen


class Verdict(Record):
    """How a thing is: see `Observed`."""

    health: Health = Health.READY
    message: str = ""
    exit_code: int | None = None
    look_again: float | None = None


class Thing:
    """One type; what is not overridden changes nothing, reports nothing, and is ready."""

    type = ""
    forces: tuple[str, ...] = ()
    """Properties that cannot be changed in place."""
    beside = False
    """Whether it lives beside its successor until who uses it has moved: what must be unique of it comes from its token alone."""

    def find(self, client: Client, token: str) -> Seen | None:
        """What exists under a token."""
        raise NotImplementedError

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Make it; only called where nothing was found."""
        raise NotImplementedError

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Make what is there as it is wished; called after `create` too, for what takes more than one call."""
        return seen

    def adopt(self, client: Client, id: str, token: str) -> Seen:
        """Mark what somebody else made, so that `find` has it under the token."""
        help = "Let a deploy make it, or name yours in the environment's compute block, where that has a place for it."
        raise Terminal(f"a resource of type '{self.type}' is never taken over", help)

    def release(self, client: Client, seen: Seen, token: str) -> None:
        """Take off the marks that `adopt` would put on; what is never taken over keeps those that say where it came from."""

    def given(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Of the properties in the wish, those that nobody can change, as they are; for what was taken over."""
        return {}

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Remove it; `Absent` is no failure."""
        raise NotImplementedError

    def gone(self, client: Client, seen: Seen, token: str) -> bool:
        """Whether it has gone, for what takes its time."""
        return True

    def id(self, seen: Seen) -> str:
        """Its native identity."""
        raise NotImplementedError

    def live(self, seen: Seen, wish: Properties) -> Mapping[str, Any]:
        """Of the properties in the wish, those that someone else can have changed, as they are."""
        return {}

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """What it reports."""
        return {}

    def verdict(self, client: Client, seen: Seen, wish: Properties, token: str) -> Verdict:
        """How it is."""
        return Verdict()


def picked(seen: Mapping[str, Any], wish: Properties, *names: str) -> dict[str, Any]:
    """Those of the named properties that are wished for, as they are."""
    return {n: seen[n] for n in names if n in wish and n in seen}


def given(wish: Properties, *names: str) -> dict[str, Any]:
    """Those of the named properties that are wished for."""
    return {n: wish[n] for n in names if wish.get(n) is not None}
