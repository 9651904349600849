"""What is declared and not started until people ask for it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.contract.resource import OUTPUTS, Resource
from engine.state.entry import Entry


def asleep(
    added: Iterable[Resource], children: Callable[[str], Iterable[Entry]], runs: Callable[[Resource], bool]
) -> set[str]:
    """Of what is added, what rests: of what is made of parts, those that run, else all that act outside.

    A part that comes to others which were started already is started as they were.
    """
    together: dict[tuple[str | None, str], list[Resource]] = {}
    for resource in added:
        if resource.explicit and not resource.existing and OUTPUTS not in resource.properties:
            whole = (resource.owner, "" if resource.owner is not None else resource.address)
            together.setdefault(whole, []).append(resource)
    found: set[str] = set()
    for (owner, _), parts in together.items():
        there = [e for e in children(owner) if e.resource.explicit] if owner is not None else []
        if any(e.run and runs(e.resource) for e in there):
            continue
        running = {r.address for r in parts if runs(r)}
        some = running or any(runs(e.resource) for e in there)
        found |= running if some else {r.address for r in parts}
    return found
