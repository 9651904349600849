"""What a deploy, apply or destroy came to, as JSON for programs."""

from __future__ import annotations

from typing import Any

from engine.pipeline.request import Failure, Outcome
from engine.plan.report import shown


def _failed(failure: Failure) -> dict[str, Any]:
    from engine.diagnostics.render.json import as_place

    found: dict[str, Any] = {"address": failure.address, "reason": failure.reason}
    if failure.help:
        found["help"] = failure.help
    return found | (as_place(failure.origin) if failure.origin is not None else {})


def summary(outcome: Outcome) -> dict[str, Any]:
    """The shape of the last event, `summary` in `schemas/event.json`."""
    from engine.diagnostics.render.json import as_object

    return {
        "environment": outcome.environment,
        "deployment": outcome.deployment,
        "ok": outcome.ok,
        "changed": dict(outcome.changed),
        "unchanged": outcome.unchanged,
        "failed": [_failed(f) for f in outcome.failed],
        "skipped": [{"address": s.address, "why": s.why} for s in outcome.skipped],
        "resting": [{"address": a, "why": why} for a, why in outcome.resting.items()],
        "endpoints": [{"name": e.name, "type": e.type, "url": e.url} for e in outcome.endpoints],
        "outputs": shown(dict(outcome.outputs)),
        "diagnostics": [as_object(d) for d in outcome.diagnostics],
        "interrupted": outcome.interrupted,
        "seconds": round(outcome.seconds, 3),
    }
