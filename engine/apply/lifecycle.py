"""The legal transitions of a resource, one table, asserted at every change; and what each phase says of the entry."""

from __future__ import annotations

from engine.state.entry import Entry, Phase

P = Phase

LEGAL: dict[Phase, frozenset[Phase]] = {
    P.PENDING: frozenset({P.WAITING, P.STARTING, P.RUNNING, P.EXITED, P.FAILED, P.STOPPED, P.DELETING, P.GONE}),
    P.WAITING: frozenset({P.PENDING, P.STARTING, P.RUNNING, P.EXITED, P.FAILED, P.STOPPED, P.DELETING, P.GONE}),
    P.STARTING: frozenset(
        {P.PENDING, P.WAITING, P.RUNNING, P.EXITED, P.FAILED, P.STOPPING, P.STOPPED, P.DELETING, P.GONE}
    ),
    P.RUNNING: frozenset(
        {P.PENDING, P.WAITING, P.STARTING, P.EXITED, P.FAILED, P.STOPPING, P.STOPPED, P.DELETING, P.GONE}
    ),
    P.STOPPING: frozenset(
        {P.PENDING, P.WAITING, P.STARTING, P.RUNNING, P.EXITED, P.FAILED, P.STOPPED, P.DELETING, P.GONE}
    ),
    P.STOPPED: frozenset({P.PENDING, P.WAITING, P.STARTING, P.RUNNING, P.FAILED, P.DELETING, P.GONE}),
    P.EXITED: frozenset(
        {P.PENDING, P.WAITING, P.STARTING, P.RUNNING, P.FAILED, P.STOPPING, P.STOPPED, P.DELETING, P.GONE}
    ),
    P.FAILED: frozenset(
        {P.PENDING, P.WAITING, P.STARTING, P.RUNNING, P.EXITED, P.STOPPING, P.STOPPED, P.DELETING, P.GONE}
    ),
    # back from here leads a redeploy of what was being deleted
    P.DELETING: frozenset(
        {P.PENDING, P.WAITING, P.STARTING, P.RUNNING, P.EXITED, P.FAILED, P.STOPPING, P.STOPPED, P.GONE}
    ),
    P.GONE: frozenset(),
}
"""From each phase, the others it may turn into."""

EMPTY = frozenset({P.PENDING, P.WAITING, P.STOPPED})
"""Phases in which nothing external is held."""

HELD = frozenset({P.RUNNING, P.EXITED})
"""Phases in which something external lives."""


def check(before: Entry | None, after: Entry | None) -> None:
    """Assert that an entry may become another; None is before it was added, and after it is gone."""
    if before is None:
        assert after is None or after.phase is P.PENDING, f"{after.address} is born {after.phase}"
        return
    if after is None:
        assert P.GONE in LEGAL[before.phase]
        assert before.deleting, f"{before.address} goes unasked"
        left = before.intent or before.retiring
        assert before.detached or left is None, f"{before.address} goes and leaves {left}"
        return
    assert after.phase is before.phase or after.phase in LEGAL[before.phase], (
        f"{after.address} went from {before.phase} to {after.phase}"
    )
    for counter in ("epoch", "generation", "incarnation", "nonce"):
        assert getattr(after, counter) >= getattr(before, counter), f"the {counter} of {after.address} went back"
    assert after.observed_generation <= after.generation
    assert after.ready_incarnation <= after.incarnation
    if after.phase in EMPTY:
        assert after.token is None, f"{after.address} is {after.phase} and holds {after.token}"
    elif after.phase in HELD:
        assert after.token is not None, f"{after.address} is {after.phase} and holds nothing"
    if after.intent is not None:
        assert after.operator is not None, f"{after.address} acts without an owner"
