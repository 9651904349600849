"""A plan: what will change, and what it was made from, so that it can be refused once that has moved on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.plan.change import Action, Change, Undecided
from engine.record import Record


class OnUnmanage(StrEnum):
    """What happens to a resource that left the file: it goes, or it lives on and is forgotten."""

    DELETE = "delete"
    DETACH = "detach"


class Basis(Record):
    """What a plan was made from.

    `path` and `parameters` are as they were called with, secrets left out; `arguments` is a keyed digest of all of them.
    `operators` are the pins that were given.
    `files` has a digest of every file that was read, by its path. `sequence` is the number of the last event of the
    environment's log.
    """

    environment: str
    deployment: str
    path: str = ""
    application: str = ""
    parameters: tuple[str, ...] = ()
    on_unmanage: OnUnmanage = OnUnmanage.DELETE
    sequence: int = 0
    files: Mapping[str, str] = {}
    arguments: str = ""
    operators: tuple[str, ...] = ()


class Plan(Record):
    """The changes in the order they are made, deletions last; and the parts decided only during the deployment."""

    basis: Basis
    changes: tuple[Change, ...]
    undecided: tuple[Undecided, ...] = ()

    @property
    def acts(self) -> bool:
        """Whether applying it does something, or may."""
        return bool(self.undecided) or any(c.action.acts for c in self.changes)

    @property
    def counts(self) -> dict[Action, int]:
        """How many resources an action happens to, for those that it happens to any."""
        counts: dict[Action, int] = {}
        for change in self.changes:
            counts[change.action] = counts.get(change.action, 0) + 1
        return counts


def stale(planned: Basis, now: Basis) -> tuple[Diagnostic, ...]:
    """What has moved on since the plan was made, as errors; none if it still holds."""
    return tuple(_moved(planned, now))


def _moved(planned: Basis, now: Basis) -> Iterator[Diagnostic]:
    again = "Plan again, look at the new plan, and apply that."
    if planned.environment != now.environment:
        message = f"The plan is for environment '{planned.environment}', not for '{now.environment}'"
        yield _error("ULN604", message, f"Call it with '-e {planned.environment}', or plan again.")
        return
    if planned.sequence != now.sequence:
        message = (
            f"The state of environment '{now.environment}' has moved on since the plan was made "
            f"(from event {planned.sequence} to event {now.sequence})"
        )
        yield _error("ULN605", message, again)
    for path in sorted(planned.files.keys() | now.files.keys()):
        match planned.files.get(path), now.files.get(path):
            case None, _:
                yield _error("ULN606", f"'{path}' is read now, and was not when the plan was made", again)
            case _, None:
                yield _error("ULN606", f"'{path}' was read when the plan was made, and is not now", again)
            case before, after if before != after:
                yield _error("ULN606", f"'{path}' has changed since the plan was made", again)
    if planned.arguments != now.arguments:
        message = "The parameters are not those that the plan was made with"
        yield _error("ULN607", message, "Pass the same parameters again; secure ones are not kept in a plan.")


def _error(code: str, message: str, help: str) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, help=help)
