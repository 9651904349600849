"""Asks operators what exists, many at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping

from engine.contract.errors import OperatorError
from engine.contract.operator import Call, Observed, Operator
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.state.entry import Entry

WORKERS = 16

Seen = Mapping[str, Observed | None]
"""By address, what an operator saw; an address is missing where nobody could look."""


def observe(
    entries: Iterable[Entry], operator: Callable[[Entry], Operator | None], call: Call
) -> tuple[Seen, tuple[Diagnostic, ...]]:
    """What the operators of these entries see of them, and a warning for each that could not be seen.

    Only entries that have something outside are asked about; operators without effects are not.
    """
    todo = [(e, o) for e in entries if e.token is not None and (o := operator(e)) is not None and o.effects]
    seen: dict[str, Observed | None] = {}
    problems: list[Diagnostic] = []
    waiting = iter(todo)
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                entry, owner = next(waiting, (None, None))
            if entry is None or owner is None:
                return
            try:
                seen[entry.address] = owner.observe(entry.made, entry.token or "", call)
            except OperatorError as error:
                problems.append(_unseen(entry, error.reason, error.help))
            except Exception as error:  # a provider's bug must not end the plan of the others
                problems.append(_unseen(entry, f"provider bug: {error!r}", "Report it to the provider's authors."))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(WORKERS, len(todo)) - 1)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    return seen, tuple(sorted(problems, key=lambda d: d.message))


def _unseen(entry: Entry, reason: str, help: str) -> Diagnostic:
    message = f"'{entry.address}' could not be looked at: {reason}"
    return Diagnostic("ULN520", Severity.WARNING, message, entry.resource.origin, help=help)
