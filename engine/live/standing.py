"""How a resource stands: its health, and which verbs it accepts now. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.apply.model import Model
from engine.apply.rollup import Told, parts
from engine.contract.operator import runs as operator_runs
from engine.state.entry import Entry, Phase

_HEALTH = {"failed": "failed", "unhealthy": "unhealthy", "stopped": None, "gone": "failed"}


def health(entry: Entry, what: Told) -> str | None:
    """healthy, unhealthy, starting or failed, as it was last seen; None where nothing lives or nobody can tell."""
    return _HEALTH.get(what.state, entry.health)


def verbs(entry: Entry, what: Told, model: Model) -> Iterator[str]:
    """What people may ask of it now; `commands` of a template are asked for by their names."""
    if entry.deleting or not model.operators:
        return
    if runs(entry, model):
        ended = what.state in ("stopped", "exited", "failed")
        if ended:
            yield "start"
        if what.state not in ("stopped", "stopping") and not (ended and entry.token is None):
            yield "stop"
        if what.state != "stopped":
            yield "restart"
    if entry.phase in (Phase.WAITING, Phase.PENDING, Phase.FAILED) and entry.run:
        yield "force"
    if entry.resource.owner is None and entry.declared and entry.resource.type.lower().endswith("/containers"):
        yield "scale"
    if not entry.declared:
        yield "remove"


def runs(entry: Entry, model: Model) -> bool:
    """Whether it can be started and stopped: it runs, or what it is made of does."""
    operator = model.operators.get(entry.operator or "")
    return operator_runs(operator, entry.resource) or any(runs(part, model) for part in parts(entry, model))
