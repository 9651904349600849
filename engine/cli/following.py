"""What the verbs share that speak to a server: finding it, following a deployment, and telling how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cli.console import Console
from engine.pipeline.request import Endpoint, Failure, Outcome, Skip
from engine.server.client import Client, diagnostics
from engine.server.client import found as found_in

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace


def found(options: Namespace) -> Client:
    """The server that is meant."""
    import os
    from pathlib import Path

    from engine.pipeline.preparing import nearest

    state = options.state or os.environ.get("ULNA_STATE") or ""
    folder = nearest(Path.cwd()) if not state or "://" in str(state) else Path(state)
    return found_in(options.server, folder)


def follow(client: Client, id: str, console: Console) -> int:
    """Show what happens until it ends; Ctrl-C ends the showing, not the deployment."""
    from engine.cli.progress import emit
    from engine.plan.text import excerpt

    began = None
    for event in client.events(id):
        began = event["time"] if began is None else began
        if event["event"] == "summary":
            continue
        if console.json:
            fields = {k: v for k, v in event.items() if k not in ("event", "time")}
            emit(console, event["event"], **fields)
        elif event["event"] == "resource":
            reason = f"  {excerpt(event['reason'])}" if event["reason"] else ""
            seconds = f"{event['time'] - began:6.1f}s"
            console.say(f"{seconds}  {event['state']:<9} {event['address']}  {event['type']}{reason}")
        else:
            console.say(event.get("text", ""))
    return tell(client.show(id), console, line=True)


def tell(shown: Mapping[str, Any], console: Console, line: bool = False) -> int:
    """How it ended, as a deploy would say it; 1 if that was not well. `line`: as the last line of a stream of JSON."""
    summary = shown.get("summary")
    if console.json:
        if line:
            from engine.cli.progress import emit

            emit(console, "summary", **(summary or {}) | {"id": shown["id"], "state": shown["state"]})
        else:
            console.document(shown)
        return 1 if shown["state"] in ("failed", "cancelled") else 0
    if summary is None or "deployment" not in summary:
        console.diagnostics(diagnostics(summary or {}))
        console.line(f"{shown['id']}: {shown['state']}")
        return 1 if shown["state"] in ("failed", "cancelled") else 0
    from engine.cli.outcome import tell as tell_outcome

    return tell_outcome(_outcome(summary), console)


def _outcome(summary: Mapping[str, Any]) -> Outcome:
    """The outcome that a summary was made of, without places in files."""
    return Outcome(
        summary["environment"],
        summary["deployment"],
        summary["changed"],
        summary["unchanged"],
        tuple(Failure(f["address"], f["reason"], f.get("help", "")) for f in summary["failed"]),
        tuple(Skip(s["address"], s["why"]) for s in summary["skipped"]),
        summary["outputs"],
        tuple(Endpoint(e["name"], e["type"], e["url"]) for e in summary["endpoints"]),
        diagnostics(summary),
        summary["interrupted"],
        summary["seconds"],
        {r["address"]: r["why"] for r in summary.get("resting", ())},
    )
