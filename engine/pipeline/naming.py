"""Which resource people mean by a name, and what it is made of. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.state.entry import Entry


def named(name: str, entries: Mapping[str, Entry], place: str) -> Entry:
    """The resource of a name: its address, the end of that, or its own name. Raises `UlnaError` for none or several.

    `place` says where it was looked for, in words: `here`, `in 'dev'`.
    """
    found = [a for a, e in entries.items() if name in (a, str(e.resource.name)) or a.endswith(f"/{name}")]
    tops = [a for a in found if not any(a.startswith(f"{b}/") for b in found)]
    if len(tops) > 1:
        help = f"Say which: {', '.join(sorted(tops))}."
        raise UlnaError.of("ULN513", f"'{name}' could be any of {len(tops)} resources", help, exit_code=2)
    if not tops:
        names = {*entries, *(str(e.resource.name) for e in entries.values())}
        help = did_you_mean(name, names) or "'ulna status' lists what there is."
        raise UlnaError.of("ULN515", f"There is no resource '{name}' {place}", help)
    return entries[tops[0]]


def parts_of(whole: Entry, entries: Mapping[str, Entry]) -> list[Entry]:
    """A resource with all that it is made of: a job that somebody launched for it is no part."""
    address = whole.address
    below = [e for a, e in entries.items() if a == address or a.startswith(f"{address}/")]
    return [e for e in below if e.declared] if whole.declared else below
