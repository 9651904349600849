"""Every resource of an environment with its state, as its operator sees it now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.cli import options as shared
from engine.cli.console import Console

if TYPE_CHECKING:
    from argparse import Namespace

    from engine.cli.parser import Parser
    from engine.pipeline.looking import Seen
    from engine.state.entry import Entry

EXAMPLES = """\
  ulna status
  ulna status app -e staging                            one deployment of it
  ulna status --format json | jq '.resources[] | select(.ready | not)'
"""

_COLOURS = {
    "ready": "32",
    "exited": "32",
    "failed": "1;31",
    "gone": "1;31",
    "unhealthy": "31",
    "waiting": "33",
    "starting": "36",
}


def arguments(parser: Parser) -> None:
    """Which, and where."""
    parser.add_argument("name", nargs="?", metavar="DEPLOYMENT", help="one deployment only, by its name or its file")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Look and tell."""
    from engine.cli.ordering import owners_first
    from engine.pipeline.looking import status
    from engine.pipeline.request import Where
    from engine.pipeline.running import endpoints
    from engine.pipeline.target import GLOBAL

    found = status(Where(options.name, options.environment, options.state))
    unsaid = options.environment is None and options.name is None
    if unsaid and not found.resources:  # what needs no environment is all there may be
        elsewhere = status(Where(None, GLOBAL, options.state))
        found = elsewhere if elsewhere.resources else found
    console.diagnostics(found.diagnostics)
    states = _states(found.resources)
    reached = [(e, states[s.entry.address][0]) for s in found.resources for e in endpoints((s.entry,))]
    if console.json:
        console.document(
            {
                "environment": found.environment,
                "kind": found.kind,
                "deployments": [{"name": d.name, "file": d.file, "time": d.time} for d in found.deployments],
                "resources": [_document(s, *states[s.entry.address]) for s in found.resources],
                "endpoints": [{"name": e.name, "type": e.type, "url": e.url, "state": state} for e, state in reached],
            }
        )
        return 0
    kind = f", of kind {found.kind}" if found.kind else ""
    console.line(f"Environment '{found.environment}'{kind}")
    if not found.resources:
        console.line("Nothing is deployed.")
        return 0
    console.line()
    listed = owners_first(found.resources, lambda s: s.entry.address, lambda s: s.entry.resource.owner)
    rows = [_row(s, *states[s.entry.address]) for s in listed]
    console.table(("RESOURCE", "TYPE", "STATE", "SINCE", "REASON"), rows, {2: _COLOURS})
    if reached:
        console.line()
        console.line("Public endpoints:")
        width = max(len(e.name) for e, _ in reached)
        for endpoint, state in reached:
            unready = "" if state == "ready" else f"  ({state})"
            console.line(f"  {endpoint.name:<{width}}  {console.paint(endpoint.url, '4')}{unready}")
    return 0


def _row(seen: Seen, state: str, reason: str) -> tuple[str, str, str, str, str]:
    entry = seen.entry
    from engine.plan.text import excerpt

    return entry.address, entry.resource.type, state, age(entry.since), excerpt(reason)


def _states(resources: Sequence[Seen]) -> dict[str, tuple[str, str]]:
    """State and reason by address; what has parts is as well as they are, and a job that somebody launched is no part."""
    from engine.apply.rollup import Told, rolled

    entries = {s.entry.address: s.entry for s in resources}
    parts: dict[str, list[tuple[str, Told]]] = {}
    states: dict[str, tuple[str, str]] = {}
    for seen in sorted(resources, key=lambda s: s.entry.address.count("/"), reverse=True):
        entry = seen.entry
        code = seen.observed.exit_code if seen.observed is not None else entry.exit_code
        told = rolled(Told(_state(seen), _reason(seen), code), parts.get(entry.address, ()))
        states[entry.address] = told.state, told.reason
        owner = entries.get(entry.resource.owner or "")
        if owner is not None and (entry.declared or not owner.declared):
            parts.setdefault(owner.address, []).append((str(entry.resource.name), told))
    return states


def _state(seen: Seen) -> str:
    """One word, from what was seen now where that says more than the state."""
    from engine.cli.progress import state_of
    from engine.contract.operator import Health

    if seen.gone:
        return "gone"
    live = seen.observed
    if live is None or seen.entry.intent is not None:
        return state_of(seen.entry)
    if live.exit_code is not None:
        return "exited"
    match live.health:
        case Health.READY:
            return "ready"
        case Health.STARTING | Health.NOT_READY:
            return "unhealthy" if seen.entry.ready or seen.entry.health == "unhealthy" else "starting"
        case Health.FAILED:
            return "failed"


def _reason(seen: Seen) -> str:
    live = seen.observed
    if live is not None and live.exit_code is not None:
        if "exit code" in live.message:
            return live.message
        return f"exit code {live.exit_code}{f': {live.message}' if live.message else ''}"
    return (live.message if live is not None else "") or seen.entry.reason or _handed(seen.entry)


def _handed(entry: Entry) -> str:
    """By which operators it came to the one that has it."""
    from engine.apply.composite import NAME

    chain = [*entry.hops, *([entry.operator] if entry.operator not in (None, NAME) else [])]
    return f"handed on: {' → '.join(map(str, chain))}" if entry.hops else ""


def _document(seen: Seen, state: str, reason: str) -> dict[str, Any]:
    entry = seen.entry
    return {
        "address": entry.address,
        "name": entry.resource.name if isinstance(entry.resource.name, str) else "",
        "type": entry.resource.type,
        "apiVersion": entry.resource.api_version,
        "resourceId": entry.resource.id if isinstance(entry.resource.id, str) else "",
        "id": (seen.observed.id if seen.observed is not None else None) or entry.external_id,
        "owner": entry.resource.owner,
        "operator": entry.operator,
        "hops": list(entry.hops),
        "state": state,
        "ready": state == "ready",
        "reason": reason,
        "exitCode": seen.observed.exit_code if seen.observed is not None else entry.exit_code,
        "since": entry.since,
    }


def age(since: float) -> str:
    """How long ago a moment is, in one unit."""
    from time import time

    if not since:
        return ""
    seconds = max(0, int(time() - since))
    for unit, length in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length}{unit}"
    return f"{seconds}s"
