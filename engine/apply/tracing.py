"""A pass that is over, as it is told to whoever traces a deployment. Pure; costs nothing where nobody does."""

from __future__ import annotations

from collections.abc import Callable

from engine.apply.effects import Effect, End, Retry
from engine.apply.settlement import deed, own_failure
from engine.record import Record
from engine.state.entry import Entry


class Steps:
    """What a pass that goes on has done so far: `calls` with the Unix seconds at which each was wanted."""

    __slots__ = ("attempt", "before", "began", "calls", "error")

    def __init__(self, before: Entry, began: float, attempt: int) -> None:
        self.before = before
        self.began = began
        self.attempt = attempt
        self.calls: list[tuple[Effect, float]] = []
        self.error: BaseException | None = None


class Passed(Record):
    """One pass of a resource, from what it meant to do to what came of it.

    `action` is what was done: create, replace, update, delete, or "look" for a pass that only found something out; `outcome` the word
    for where the resource is now, "retrying" if the pass is tried again, "unfinished" if it was given up. `problem` is why it is not
    well, as the log has it: secrets are masked there; `error` names the kind of error. `calls` are those of the operator, each with
    the Unix seconds of its beginning. `news` says whether anything came of it.
    """

    entry: Entry
    action: str
    outcome: str
    began: float
    ended: float
    attempt: int = 1
    problem: str = ""
    error: str = ""
    calls: tuple[tuple[str, float], ...] = ()
    news: bool = True

    @classmethod
    def of(cls, steps: Steps, after: Entry | None, end: End | None, ended: float) -> Passed:
        """The pass that went through these steps, and left the resource like this; `end` is None for one that was given up."""
        before, entry = steps.before, after or steps.before
        action = ""
        for effect, _ in steps.calls:
            action = deed(action, effect)
        outcome, problem = after.word if after is not None else "deleted", ""
        if end is None:
            outcome = problem = "unfinished"
        elif isinstance(end, Retry):
            outcome, problem = "retrying", entry.reason
        elif after is not None:
            problem = own_failure(after) or ""
        return cls(
            entry,
            action or "look",
            outcome,
            steps.began,
            ended,
            steps.attempt,
            problem,
            type(steps.error).__name__ if steps.error is not None else "",
            tuple((type(effect).__name__.lower(), at) for effect, at in steps.calls),
            bool(action) or outcome != before.word or problem != (own_failure(before) or ""),
        )


Trace = Callable[[Passed], None]
"""Told of every pass that is over, in the engine's thread, so it must be quick."""
