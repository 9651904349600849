"""Verbs that only look: status, logs, the graph, the native objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from engine.contract.operator import Dated, Logs, Natives, Observed, Operator
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, UlnaError
from engine.expand.vault import MemoryVault
from engine.observe.observer import observe
from engine.pipeline.naming import named, parts_of
from engine.pipeline.planning import Looking
from engine.pipeline.preparing import Prepared, open_store
from engine.pipeline.request import Request, Where
from engine.pipeline.target import choose
from engine.record import Record
from engine.render.native import Native
from engine.render.registry import open_registry
from engine.state.entry import Entry
from engine.state.event import Deployment
from engine.state.fold import State

if TYPE_CHECKING:
    from engine.apply.model import Model


class Seen(Record):
    """An entry of the state with what was live of it just now; `observed` is None where nobody looked or nothing is there."""

    entry: Entry
    observed: Observed | None = None
    gone: bool = False


class Status(Record):
    """The resources of an environment as they are, its deployments, and where people reach it."""

    environment: str
    kind: str
    resources: tuple[Seen, ...]
    deployments: tuple[Deployment, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def status(where: Where) -> Status:
    """The verb: what runs, and how it is."""
    store = open_store(where.state)
    if where.name is None:
        target, name = choose(store, where.environment, None), None
    else:
        from engine.pipeline.destroying import find

        target, name = find(store, where)
    state = store.state(target.partition)
    registry = open_registry(store.folder / target.partition, target.environment)

    def operator(entry: Entry) -> Operator | None:
        return registry.operator(entry.operator, entry.resource)

    entries = [e for e in state.entries.values() if name is None or e.address.partition("/")[0] == name]
    live, unseen = observe(entries, operator, Looking(MemoryVault(store.vault_key)))
    seen = (Seen(e, live.get(e.address), e.address in live and live[e.address] is None) for e in entries)
    kind = target.environment.kind if target.environment else ""
    return Status(target.partition, kind, tuple(seen), tuple(state.deployments.values()), unseen)


def logs(
    where: Where, name: str, follow: bool, tail: int | None = None, since: float | None = None
) -> Iterator[tuple[str, str]]:
    """The verb: the lines of a resource, or of what it is made of, each with its name.

    `name` is an address, the end of one, or a resource's own name. `tail` are so many last ones of each that writes, and what
    comes then; `since` is a moment (Unix seconds) before which nothing is told.
    """
    store = open_store(where.state)
    target = choose(store, where.environment, None)
    entries = store.state(target.partition).entries
    chosen = parts_of(named(name, entries, f"in '{target.partition}'"), entries)
    registry = open_registry(store.folder / target.partition, target.environment)
    sources: list[tuple[Entry, Logs]] = []
    for entry in chosen:
        operator = registry.operator(entry.operator, entry.resource)
        if isinstance(operator, Logs) and entry.token is not None:
            sources.append((entry, operator))
    if not sources:
        raise UlnaError.of(
            "ULN514", f"'{name}' has no logs", "Processes and containers have; 'ulna status' lists them."
        )
    undated = [e.address for e, source in sources if since is not None and not isinstance(source, Dated)]
    if undated:
        message = f"When the lines of '{undated[0]}' were written is known only to a run that saw them"
        raise UlnaError.of("ULN519", message, "Use --tail, or begin a run with 'ulna run FILE'.")

    def read(entry: Entry, source: Logs) -> Iterator[str]:
        def lines(follow: bool) -> Iterator[str]:
            if since is not None and isinstance(source, Dated):
                return source.logs_since(entry.resource, entry.token or "", follow, since)
            return source.logs(entry.resource, entry.token or "", follow)

        return lines(follow) if tail is None else last(lines, tail, follow)

    if len(sources) == 1 or not follow:
        for entry, source in sources:
            yield from ((str(entry.resource.name), line) for line in read(entry, source))
        return
    yield from _together([(str(entry.resource.name), read(entry, source)) for entry, source in sources])


def last(lines: Callable[[bool], Iterator[str]], tail: int, follow: bool) -> Iterator[str]:
    """The last lines of a log, and what comes then if it is followed: as it is told from its beginning, what is there is counted."""
    if not follow:
        return iter(deque(lines(False), maxlen=tail))
    there = sum(1 for _ in lines(False))
    return islice(lines(True), max(0, there - tail), None)


def _together(sources: Sequence[tuple[str, Iterator[str]]]) -> Iterator[tuple[str, str]]:
    """The lines of several as they come, each with its name; ends when all have."""
    import queue
    import threading

    lines: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()

    def read(name: str, source: Iterator[str]) -> None:
        try:
            for line in source:
                lines.put((name, line))
        finally:
            lines.put(None)

    for source in sources:
        threading.Thread(target=read, args=source, daemon=True).start()
    left = len(sources)
    while left:
        line = lines.get()
        if line is None:
            left -= 1
        else:
            yield line


class Rendered(Record):
    """A native object as its platform would get it, with the address of its resource."""

    address: str
    type: str
    document: Mapping[str, Value]


def native(request: Request) -> tuple[tuple[Rendered, ...], tuple[Diagnostic, ...]]:
    """The verb: the native objects of a file, for GitOps. What only run time knows stays a reference."""
    prepared = Prepared(request)
    graph, diagnostics = prepared.native({})
    rendered: list[Rendered] = []
    for resource in graph.resources:
        name = graph.nominations[resource.address].operator
        operator = prepared.registry.operator(name, resource)
        if isinstance(operator, Natives):
            rendered.append(Rendered(resource.address, resource.type, operator.native(resource)))
    return tuple(rendered), diagnostics


def graph(request: Request) -> tuple[Native, tuple[Diagnostic, ...]]:
    """The verb: the graph of a file, without touching anything."""
    return Prepared(request).native({})


def deployed(where: Where) -> tuple[str, tuple[Entry, ...]]:
    """The entries of an environment, from the state alone: for `state list`, `state show` and the graph of what runs."""
    store = open_store(where.state)
    target = choose(store, where.environment, None)
    entries = store.state(target.partition).entries.values()
    wanted = (e for e in entries if where.name is None or e.address.partition("/")[0] == where.name)
    return target.partition, tuple(wanted)


def why(where: Where, name: str) -> tuple[str, ...]:
    """The verb: why a resource is not what it is meant to be, as far as the state alone can tell."""
    from engine.apply.why import why as reasons

    store = open_store(where.state)
    target = choose(store, where.environment, None)
    state = store.state(target.partition)
    return reasons(named(name, state.entries, f"in '{target.partition}'"), stored_model(state))


def stored_model(state: State) -> Model:
    """The model of a state that nobody runs: to ask questions of, and to change nothing."""
    from time import time

    from engine.apply.model import Model
    from engine.expand.resolve import resolve
    from engine.render.native import Nomination

    model = Model(state, {}, lambda _: Nomination(None), lambda value, known: resolve(value, known.get, None))
    model.now = time
    return model
