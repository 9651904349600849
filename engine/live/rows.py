"""What a running deployment looks like to a face: plain JSON, secrets masked. Shapes are in `schemas/live.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.apply.model import Model
from engine.apply.rollup import told
from engine.apply.why import why
from engine.contract.resource import OUTPUTS
from engine.contract.value import Leaf, Output, Secret, Value, rewrite
from engine.live.declared import Declared
from engine.live.standing import health, verbs
from engine.state.entry import Entry, Phase
from engine.state.event import Event, Kind, Operation

MASK = "•••"


def row(entry: Entry, model: Model) -> dict[str, Any]:
    """A resource in one line of a table; one with parts is as well as they are."""
    resource = entry.resource
    what = told(entry, model)
    return {
        **identity(entry),
        "hops": list(entry.hops),
        "state": what.state,
        "reason": what.reason,
        "health": health(entry, what),
        "verbs": list(verbs(entry, what, model)),
        "since": entry.since,
        "incarnation": entry.incarnation,
        "exitCode": what.exit_code,
        "declared": entry.declared,
        "existing": resource.existing,
        "waits": [{"address": w.address, "condition": str(w.condition)} for w in resource.waits],
        "endpoints": endpoints(entry),
    }


def identity(entry: Entry) -> dict[str, Any]:
    """Which resource it is, and whose."""
    resource = entry.resource
    return {
        "address": entry.address,
        "name": _text(resource.name),
        "type": resource.type,
        "owner": resource.owner,
        "operator": entry.operator,
    }


def endpoints(entry: Entry) -> dict[str, str]:
    """Where people reach it, by name."""
    properties = entry.outputs.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    found = properties.get("endpoints")
    urls = {n: u for n, u in found.items() if isinstance(u, str)} if isinstance(found, Mapping) else {}
    url = properties.get("url")
    return {**urls, **({"url": url} if isinstance(url, str) else {})}


def detail(entry: Entry, model: Model, commands: Iterable[Declared], events: Iterable[Event]) -> dict[str, Any]:
    """All about one resource."""
    wish = {k: v for k, v in entry.resource.properties.items() if k != OUTPUTS}
    applied = entry.applied.properties if entry.applied is not None else {}
    return {
        **row(entry, model),
        "id": _text(entry.resource.id),
        "apiVersion": entry.resource.api_version,
        "externalId": entry.external_id,
        "generation": entry.generation,
        "epoch": entry.epoch,
        "conditions": conditions(entry),
        "why": list(why(entry, model)),
        "properties": masked(wish),
        "applied": masked(applied),
        "outputs": masked(entry.outputs.get("properties", {})),
        "environment": masked(_variables(applied or wish)),
        "dependencies": list(model.dependencies(entry.address)),
        "users": list(model.waiters(entry.address)),
        "children": list(model.children(entry.address)),
        "commands": [command(c) for c in commands],
        "events": [event(e) for e in events],
    }


def conditions(entry: Entry) -> list[dict[str, Any]]:
    """The conditions beside the phase: each holds or does not."""
    holds = {
        "Assigned": entry.operator is not None,
        "Created": entry.token is not None,
        "Ready": entry.ready or (entry.phase is Phase.EXITED and entry.exit_code == 0),
        "Synced": entry.observed_generation == entry.generation and entry.current,
        "Deleting": entry.deleting,
    }
    return [{"name": name, "holds": held} for name, held in holds.items()]


def command(declared: Declared) -> dict[str, Any]:
    """A command that the template declares, with what it asks for."""
    plain = {
        f: getattr(declared, f) for f in ("name", "target", "title", "action", "description", "icon", "confirmation")
    }
    inputs = [{f: getattr(i, f) for f in i.__fields__} | {"allowed": list(i.allowed)} for i in declared.inputs]
    return plain | {"inputs": [i | {"default": None} if i["secure"] else i for i in inputs]}


def operation(done: Operation) -> dict[str, Any]:
    """An operation."""
    plain = {f: getattr(done, f) for f in done.__fields__ if f not in ("goal", "inputs", "result")}
    plain |= {"launched": list(done.launched), "progress": str(done.progress)}
    return plain | {"inputs": masked(done.inputs), "result": masked(done.result)}


def event(fact: Event) -> dict[str, Any]:
    """An event of the log, in short: what it changed, without the values."""
    shown = {k: str(v) for k, v in fact.data.items() if k in _SHOWN}
    plain = {"seq": fact.seq, "time": fact.time, "kind": str(fact.kind), "key": fact.key, "epoch": fact.epoch}
    return plain | {"data": shown, "fields": sorted(fact.data)}


_SHOWN = frozenset(
    {
        "phase",
        "reason",
        "operator",
        "incarnation",
        "ready_incarnation",
        "exit_code",
        "external_id",
        "generation",
        "progress",
        "message",
    }
)


def changes(facts: Sequence[Event], model: Model, operations: Mapping[str, Operation]) -> list[dict[str, Any]]:
    """Events as the feed tells them.

    The last one of a resource or an operation has its row as it is now, null where that is gone; the last one of a part has
    the rows of what it is a part of beside it, where they have no event of their own here.
    """
    told: set[str] = set()
    keys = {fact.key for fact in facts}
    found: list[dict[str, Any]] = []
    for fact in reversed(facts):
        plain = event(fact)
        if fact.kind is Kind.OPERATION:
            if fact.key not in told:
                known = operations.get(fact.key)
                plain["operation"] = operation(known) if known is not None else None
        elif fact.kind not in _OF_DEPLOYMENTS and fact.key not in told:
            entry = model.find(fact.key)
            plain["resource"] = row(entry, model) if entry is not None else None
            if above := [row(e, model) for e in _owners(fact.key, model) if e.address not in keys | told]:
                plain["owners"] = above
                told |= {r["address"] for r in above}
        told.add(fact.key)
        found.append(plain)
    found.reverse()
    return found


_OF_DEPLOYMENTS = (Kind.DEPLOYED, Kind.UNDEPLOYED)


def _owners(address: str, model: Model) -> Iterator[Entry]:
    """What a resource is a part of, also once it is gone."""
    entry = model.find(address)
    above = entry.resource.owner if entry is not None else address.rpartition("/")[0]
    while above and (owner := model.find(above)) is not None:
        yield owner
        above = owner.resource.owner


def masked(value: Value) -> Any:
    """A value as it may be shown: secrets as dots, what is not known yet in words."""

    def show(leaf: Leaf) -> Value:
        match leaf:
            case Secret():
                return MASK
            case Output(address, path):
                return f"(what {'.'.join((address, *map(str, path)))} will be)"
            case _:
                return "(known later)"

    return rewrite(dict(value) if isinstance(value, Mapping) else value, show)


def _variables(properties: Mapping[str, Value]) -> dict[str, Value]:
    """The environment variables in a native body, as far as it has any: an object, or a list of NAME=VALUE or name and value."""
    inner = properties.get("properties", properties)
    env: Value = next(
        (inner[k] for k in ("env", "Env", "environment") if isinstance(inner, Mapping) and inner.get(k)), {}
    )
    if isinstance(env, Mapping):
        return dict(env)
    pairs: dict[str, Value] = {}
    for item in env if isinstance(env, list | tuple) else ():
        if isinstance(item, str):
            name, _, value = item.partition("=")
            pairs[name] = value
        elif isinstance(item, Mapping):
            pairs[str(item.get("name"))] = item.get("value", MASK)
    return pairs


def _text(value: Value) -> str:
    return value if isinstance(value, str) else str(masked(value))
