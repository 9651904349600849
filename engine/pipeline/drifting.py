"""What is out there and is not as it was deployed: looked at, and nothing is done about it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract.difference import dotted, drifted
from engine.contract.operator import Observed, Operator, Replace, Same, Update
from engine.contract.resource import deployment_of
from engine.diagnostics.diagnostic import Diagnostic
from engine.expand.vault import MemoryVault
from engine.observe.observer import observe
from engine.pipeline.planning import Looking
from engine.pipeline.preparing import open_store
from engine.pipeline.request import Where
from engine.pipeline.target import GLOBAL, Target, choose
from engine.plan.text import lines_of, nested, on_one_line, scalar
from engine.record import Record
from engine.render.registry import open_registry
from engine.state.entry import Entry, Phase
from engine.state.store import Store


class Drifted(Record):
    """A resource that somebody else changed or removed; `changes` are lines of `path: was → is`, `policy` what is done about it."""

    address: str
    type: str
    what: str
    policy: str
    changes: tuple[str, ...] = ()


class Report(Record):
    """What was found in an environment, of how many resources; `diagnostics` tell what could not be looked at."""

    environment: str
    looked: int
    drifted: tuple[Drifted, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def drift(where: Where) -> Report:
    """The verb: every resource of an environment, or of one deployment, against what was last applied to it.

    Where neither is named, what needs no environment is looked at as well.
    """
    store = open_store(where.state)
    if where.name is not None:
        from engine.pipeline.destroying import find

        target, name = find(store, where)
        return _look(store, target, name)
    report = _look(store, choose(store, where.environment, None), None)
    if where.environment is not None or report.environment == GLOBAL:
        return report
    more = _look(store, Target(GLOBAL), None)
    return report.replace(
        looked=report.looked + more.looked,
        drifted=(*report.drifted, *more.drifted),
        diagnostics=(*report.diagnostics, *more.diagnostics),
    )


def _look(store: Store, target: Target, name: str | None) -> Report:
    registry = open_registry(store.folder / target.partition, target.environment)

    def operator(entry: Entry) -> Operator | None:
        return registry.operator(entry.operator, entry.resource)

    entries = [
        e
        for e in store.state(target.partition).entries.values()
        if e.applied is not None and not e.resource.existing and name in (None, deployment_of(e.address))
    ]
    seen, problems = observe(entries, operator, Looking(MemoryVault(store.vault_key)))
    looked = [e for e in entries if e.address in seen]
    found = (d for e in looked for d in _drift(e, seen[e.address], operator(e)))
    return Report(target.partition, len(looked), tuple(found), problems)


def _drift(entry: Entry, live: Observed | None, operator: Operator | None) -> Iterator[Drifted]:
    applied = entry.applied
    assert applied is not None
    policy = str(entry.resource.drift)
    if live is None:
        if entry.phase is not Phase.STOPPED:
            yield Drifted(entry.address, entry.resource.type, "gone", policy)
        return
    if operator is None:
        return
    as_applied = entry.resource.replace(properties=applied.properties)
    match operator.diff(as_applied, applied, live):
        case Same():
            return
        case Update(paths) | Replace(paths, _, _):
            lines = tuple(
                _line(path, applied.properties, live) for path in drifted(applied.properties, live.properties)
            )
            yield Drifted(entry.address, entry.resource.type, "changed", policy, lines or paths)


def _line(path: tuple[str | int, ...], applied: object, live: Observed) -> str:
    return f"{dotted(path)}: {_at(applied, path)} → {_at(live.properties, path)}"


def _at(value: object, path: tuple[str | int, ...]) -> str:
    for key in path:
        try:
            value = value[key]  # type: ignore[index]
        except (LookupError, TypeError):
            return "(nothing)"
    return on_one_line("\n".join(lines_of(value, 0))) if nested(value) else scalar(value)
