"""What a deploy, apply or destroy came to: for people and for programs, and as an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.cli.console import Console
from engine.cli.guard import INTERRUPTED
from engine.diagnostics.diagnostic import Label
from engine.pipeline.request import Failure, Outcome
from engine.plan.report import shown

_DONE = {
    "create": ("+", "created", "38;5;77"),
    "modify": ("~", "changed", "38;5;141"),
    "replace": ("±", "replaced", "38;5;203"),
    "delete": ("-", "deleted", "38;5;208"),
    "detach": ("^", "detached", "38;5;208"),
}

MANY = 4
"""So many addresses are named that failed for the same reason."""


def code_of(outcome: Outcome) -> int:
    """0 if all is as wanted, 130 if it was interrupted, else 1."""
    if outcome.interrupted:
        return INTERRUPTED
    return 0 if outcome.ok else 1


def tell(outcome: Outcome, console: Console, what: str = "Deployment") -> int:
    """Shows the outcome and gives its exit code."""
    if console.json:
        from engine.cli.progress import emit
        from engine.pipeline.summary import summary

        emit(console, "summary", **summary(outcome))
        return code_of(outcome)
    console.diagnostics(outcome.diagnostics)
    console.write(_text(outcome, console, what))
    return code_of(outcome)


def _text(outcome: Outcome, console: Console, what: str) -> str:
    lines = []
    for address, operation in outcome.changed.items():
        symbol, word, colour = _DONE.get(operation, ("~", operation, "0"))
        lines.append(console.paint(f"  {symbol} {word:<9} {address}", colour))
    if lines:
        lines.append("")
    lines.append(_headline(outcome, console, what))
    if outcome.failed:
        lines += ["", console.paint("Failed:", "1;31")]
        for (reason, help), failures in _alike(outcome.failed).items():
            addresses = [f.address for f in failures]
            more = f" and {len(addresses) - MANY} more" if len(addresses) > MANY else ""
            lines.append(f"  {', '.join(addresses[:MANY])}{more}: {reason}".replace("\n", "\n    "))
            places = dict.fromkeys(place_of(f.origin) for f in failures if f.origin is not None)
            lines += [f"    at {place}" for place in places]
            if help:
                lines.append(f"    help: {help}")
    if outcome.skipped:
        lines += ["", console.paint("Skipped:", "1;33")]
        lines += [f"  {skip.address}: {skip.why}" for skip in outcome.skipped]
    if outcome.resting:
        lines += ["", "At rest:"]
        lines += [f"  {address}: {why}" for address, why in outcome.resting.items()]
    if outcome.outputs:
        lines += ["", "Outputs:"]
        lines += [f"  {name}: {_value(value)}" for name, value in outcome.outputs.items()]
    if outcome.endpoints:
        width = max(len(e.name) for e in outcome.endpoints)
        lines += ["", "Public endpoints:"]
        lines += [f"  {e.name:<{width}}  {e.type}  {console.paint(e.url, '4')}" for e in outcome.endpoints]
    return "\n".join(lines) + "\n"


def _alike(failed: Iterable[Failure]) -> dict[tuple[str, str], list[Failure]]:
    """What failed for the same reason: missing credentials, say, are one error, however many need them."""
    found: dict[tuple[str, str], list[Failure]] = {}
    for failure in failed:
        found.setdefault((failure.reason, failure.help), []).append(failure)
    return found


def _headline(outcome: Outcome, console: Console, what: str) -> str:
    where = f"{what} '{outcome.deployment}' in environment '{outcome.environment}'"
    if outcome.environment == "global":
        where = f"{what} '{outcome.deployment}'"
    took = f"({outcome.seconds:.1f} s)"
    if outcome.interrupted:
        return console.paint(f"{where} was interrupted; the next one goes on from here {took}", "1;33")
    if not outcome.ok:
        return console.paint(f"{where} failed: {_count(outcome)} {took}", "1;31")
    if not outcome.changed:
        return f"{where}: no changes, {_resources(outcome.unchanged)} as wanted {took}"
    return console.paint(f"{where} is complete: {_count(outcome)} {took}", "1;32")


def _count(outcome: Outcome) -> str:
    counts: dict[str, int] = {}
    for operation in outcome.changed.values():
        word = _DONE.get(operation, ("", operation))[1]
        counts[word] = counts.get(word, 0) + 1
    parts = [f"{n} {word}" for word, n in counts.items()]
    parts += [
        f"{len(found)} {word}" for found, word in ((outcome.failed, "failed"), (outcome.skipped, "skipped")) if found
    ]
    if outcome.unchanged:
        parts.append(f"{outcome.unchanged} unchanged")
    return ", ".join(parts) or "nothing was done"


def _resources(n: int) -> str:
    return "all is" if n == 0 else f"{n} resource is" if n == 1 else f"{n} resources are"


def _value(value: Any) -> str:
    import json

    seen = shown(value)
    return seen if isinstance(seen, str) else json.dumps(seen, ensure_ascii=False)


def place_of(label: Label) -> str:
    """Where something is declared, in one line: `net.bicep:4:11, in module 'net' (main.bicep:12:8)`."""
    called = [f"{call.text} ({_spot(call)})" for call in label.calls]
    return ", ".join([_spot(label), *called])


def _spot(label: Label) -> str:
    line, column = label.source.position(label.span.start)
    return f"{label.source.name}:{line}:{column}"
