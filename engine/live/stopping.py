"""In which order what runs is stopped: users before what they use. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.contract.operator import Operator
from engine.state.entry import Entry


def is_session(entry: Entry, operator: Operator | None) -> bool:
    """Whether a resource runs only while somebody runs it: a process or a container, not the volume or network it uses."""
    return bool(getattr(operator, "session", False)) and entry.held


def next_to_stop(
    entries: Mapping[str, Entry], session: Iterable[str], waiters: Callable[[str], Iterable[str]]
) -> tuple[str, ...]:
    """Those of `session` that may be stopped now: nobody of it that still holds something leans on them, at any remove."""
    running = {a for a in session if a in entries and entries[a].held}
    ready = []
    for address in running:
        seen = {address}
        todo = list(waiters(address))
        leaned_on = False
        while todo and not leaned_on:
            user = todo.pop()
            if user in seen:
                continue
            seen.add(user)
            leaned_on = user in running
            todo.extend(waiters(user))
        if not leaned_on:
            ready.append(address)
    return tuple(sorted(ready)) or tuple(sorted(running))  # a circle of users is stopped at once
