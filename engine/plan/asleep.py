"""What is added and not started: until people ask for it, or as what it is a part of was stopped. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.contract.resource import OUTPUTS, Resource
from engine.state.entry import Entry


def asleep(
    added: Iterable[Resource],
    find: Callable[[str], Entry | None],
    children: Callable[[str], Iterable[Entry]],
    runs: Callable[[Resource], bool],
) -> dict[str, str]:
    """What rests of what is added, with who stopped it: "" for what was never asked for.

    Of what is explicit and made of parts, those that run, else all that act outside. A part that comes to others is started or
    stopped as they were.
    """
    together: dict[tuple[str, str], list[Resource]] = {}
    for resource in added:
        if not resource.existing and OUTPUTS not in resource.properties:
            key = ("", resource.address) if resource.owner is None else (resource.owner, "")
            together.setdefault(key, []).append(resource)
    found: dict[str, str] = {}
    for (owner, _), parts in together.items():
        whole = find(owner) if owner else None
        there = [e for e in children(owner) if not e.deleting] if owner else []
        explicit = [r for r in parts if r.explicit]
        if not explicit and (whole is None or (whole.run and all(e.run for e in there))):
            continue
        running = [r.address for r in parts if runs(r)]
        others = [e for e in there if runs(e.resource)]
        deciding = [whole] if whole is not None and not whole.run else others
        if deciding and all(not e.run and not e.unasked for e in deciding):
            if not deciding[0].sleeps:
                found |= dict.fromkeys(running, deciding[0].stopped_by)
        elif explicit and not any(e.run for e in others if e.resource.explicit):
            chosen = running or ([] if others else [r.address for r in explicit])
            found |= dict.fromkeys(chosen, "")
    return found
