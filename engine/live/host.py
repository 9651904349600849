"""The engine in a thread of its own: holds the lease of an environment, makes a deployment so, and keeps it so.

`start` returns as soon as the model is accepted, whatever waits. Everything else may be called from any thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from engine.apply.batch import Batch, edits
from engine.apply.edit import Command
from engine.apply.engine import Engine
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Label, UlnaError
from engine.expand.desired import Desired
from engine.live.overrides import changed, is_container, scaled
from engine.live.stopping import is_session, next_to_stop
from engine.live.tails import Lines, Tails
from engine.live.watching import Watching
from engine.pipeline.deploying import make_default
from engine.pipeline.preparing import Prepared
from engine.pipeline.request import Control, Endpoint, Request
from engine.pipeline.running import Run, endpoints
from engine.pipeline.tracing import traced
from engine.render.native import Native
from engine.render.render import render
from engine.state.entry import Entry

GRACE = 30.0
"""Seconds that stopping in order may take before the rest is left to the next run."""


class Host:
    """See the module; a context that lets go of the lease at its end."""

    def __init__(self, request: Request, control: Control | None = None, lines: Lines | None = None) -> None:
        self.prepared = Prepared(request)
        self.prepared.patient = True
        self.control = control or Control()
        if self.prepared.target.invented:
            make_default(self.prepared, self.control)
        prepared = self.prepared
        self._trace = traced("run", prepared.target.partition, prepared.deployment, self.control)
        self.run = self._open()
        self.tails = Tails(lambda address: self.engine.model.find(address), self.operator, lines) if lines else None
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, name="engine", daemon=True)
        self._replicas: dict[str, int] = {}
        self._changes: dict[str, Mapping[str, Value]] = {}
        self._said: frozenset[str] = frozenset()
        self._watching = Watching(lambda address: self.engine.look(address), self._outside)
        self.prepared.revise = self._revised
        self._ended = threading.Event()

    def _open(self) -> Run:
        prepared = self.prepared
        return Run(
            prepared.store,
            prepared.target.partition,
            prepared.deployment,
            prepared.registry,
            prepared.vault,
            self.control,
            again=lambda known: self.prepared.native(known)[0],
            trace=self._trace.passed,
        )

    @property
    def engine(self) -> Engine:
        """The engine."""
        return self.run.engine

    # ---------------------------------------------------------------- life

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Take the lease, want what the file says, and let the engine run."""
        self.run.start(self.prepared.request.wait, stays=True)
        if self.tails is not None:
            self.engine.feed.watch(self.tails.look)
        self._want(self.prepared.native(self.known)[0])
        self._wake_what_slept()
        self._trace.taken()
        if self.tails is not None:
            for entry in tuple(self.engine.state.entries.values()):
                self.tails.follow(entry)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self.engine.serve()
        except BaseException as error:
            self.failure = error
        finally:
            self._ended.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Until the engine has ended, at most so many seconds; whether it has."""
        return self._ended.wait(seconds)

    def stop(self, keep: bool = False) -> None:
        """The first stage: nothing new begins, what runs is stopped, users first (or kept), then the engine ends."""
        self._watching.end()
        if not keep and not self._ended.is_set():
            self.wanted("stop")
            self._stop_session()
        self.engine.stop()

    def close(self) -> None:
        """Let go of the lease."""
        self._watching.end()
        if self._thread.is_alive():
            self.engine.stop()
            self._thread.join(GRACE)
        self.run.__exit__()
        self._trace.__exit__(None, None, None)

    # ---------------------------------------------------------------- questions

    @property
    def folder(self) -> Path:
        """The folder of the environment."""
        return self.prepared.store.folder / self.prepared.target.partition

    @property
    def known(self) -> Mapping[str, Mapping[str, Value]]:
        """What the resources report."""
        return {a: e.outputs for a, e in self.engine.state.entries.items() if e.outputs}

    def operator(self, entry: Entry) -> Operator | None:
        """The operator that owns an entry."""
        return self.engine.model.operators.get(entry.operator) if entry.operator else None

    def entries(self) -> tuple[Entry, ...]:
        """What there is of this deployment."""
        return tuple(e for a, e in tuple(self.engine.state.entries.items()) if self.prepared.owns(a))

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Where people reach it."""
        return endpoints(self.entries())

    # ---------------------------------------------------------------- changes

    def wanted(self, verb: str, what: str = "") -> None:
        """Something is wanted from now on, of an address or of all: for whoever traces what is done for it."""
        self._trace.wanted(verb, what)

    def render(self, resource: Resource) -> tuple[Native, tuple[Diagnostic, ...]]:
        """The native parts of a resource that is to be added, beside all that is there."""
        prepared = self.prepared
        others = tuple(e.resource for e in self.engine.state.entries.values() if not e.deleting)
        desired = Desired((resource,))
        return render(desired, prepared.registry, prepared.target.environment, os.getcwd(), others)  # noqa: PTH109

    def origin(self, address: str) -> Label | None:
        """Where the file declares a resource; relative paths in what is launched for it start from there."""
        return next((r.origin for r in self.run.native.resources if r.address == address), None)

    def add(self, native: Native) -> None:
        """Add resources outside of what the file declares: they live and go with their owners."""
        self._add(native, Batch(self.prepared.deployment, add=native.resources, declared=False))

    def _add(self, native: Native, batch: Batch) -> None:
        self.wanted("add", next((r.address for r in native.resources if r.owner not in native.nominations), ""))
        self.run.added |= native.nominations
        for resource in native.resources:
            self.run.registered(native.nominations[resource.address].operator, resource)
        self.engine.edit(batch)

    def add_file(self, file: str) -> Batch:
        """Add what a file declares, or change what it was added as before; what the deployment's own file declares is that file's.

        Parts that a resource has no longer go in the same step. All else stays when that file changes, and is removed by
        `remove` alone.
        """
        other = Prepared(self.prepared.request.replace(path=file, parameters=(), name=self.prepared.deployment))
        other.registry, other.vault = self.prepared.registry, self.prepared.vault
        other.state = self.engine.state.copy()
        entries = other.state.entries
        native = other.native(self.known)[0]
        ours = [r for r in native.resources if r.address not in entries or not entries[r.address].declared]
        asked = edits(ours, entries, self.prepared.deployment)
        gone = tuple(
            a for a in self._parts_before({r.address for r in ours}) if not any(p.covers(a) for p in native.pending)
        )
        batch = asked.replace(remove=gone, pending=(), declared=False)
        self._add(native.replace(resources=tuple(ours)), batch)
        return batch

    def _parts_before(self, wanted: set[str]) -> Iterator[str]:
        """What was a part of these and is none of them, users first; a job that somebody launched for one is no part."""
        state = self.engine.state
        launched = {a for o in state.operations.values() for a in o.launched}
        for address, entry in reversed(state.entries.items()):
            above = [address[:n] for n, letter in enumerate(f"{address}/") if letter == "/"]
            part = not entry.declared and not wanted.isdisjoint(above) and launched.isdisjoint(above)
            if part and address not in wanted and not entry.deleting:
                yield address

    def remove(self, addresses: tuple[str, ...]) -> Batch:
        """Remove resources with all that was made of them."""
        entries = self.engine.state.entries
        below = [a for a in entries if any(a == top or a.startswith(f"{top}/") for top in addresses)]
        batch = Batch(self.prepared.deployment, remove=tuple(reversed(below)))
        self.wanted("remove", ", ".join(addresses))
        self.engine.edit(batch)
        return batch

    def change(self, address: str, values: Mapping[str, Value]) -> Batch:
        """Set properties of a declared resource, for as long as this run lasts."""
        return self._override(self._changes, address, {**self._changes.get(address, {}), **values})

    def scale(self, address: str, replicas: int) -> None:
        """Another number of replicas of a declared container than its file says, for as long as this run lasts."""
        entry = self.engine.state.entries[address]
        if not is_container(entry.resource):
            help = "'ulna status' lists the containers."
            raise UlnaError.of("ULN423", f"'{address}' has no replicas: it is no container", help)
        self._override(self._replicas, address, replicas)

    def _override(self, overrides: dict[str, Any], address: str, wish: object) -> Batch:
        """Want the file with one more override; without it where that cannot be."""
        before = dict(overrides)
        overrides[address] = wish
        try:
            native = self.prepared.native(self.known)[0]
            if address not in self._said:
                raise self._unsaid(address)
            batch = self.run.batch_of(native)
            self.wanted("change", address)
            self.run.want(native)
        except UlnaError:
            overrides.clear()
            overrides.update(before)
            raise
        return batch

    def _unsaid(self, address: str) -> UlnaError:
        owner = self.engine.state.entries[address].resource.owner
        help = "Remove it, and add it as it is to be." if owner is None else f"'{owner}' is what it was made for."
        return UlnaError.of("ULN423", f"'{address}' cannot be changed: the file does not declare it", help)

    def _revised(self, desired: Desired) -> Desired:
        """What the file declares, with what was scaled since."""
        self._said = frozenset(r.address for r in desired.resources)
        if not self._replicas and not self._changes:
            return desired
        resources = (changed(r, self._changes.get(r.address, {})) for r in desired.resources)
        return desired.replace(resources=tuple(scaled(r, self._replicas.get(r.address)) for r in resources))

    def register(self, operator: Operator, types: Iterable[str]) -> None:
        """Let one more operator bid for these types; what waits and can be served by it is assigned at once."""
        self.prepared.registry.add(types, lambda: operator)
        self.wanted("register", operator.name)
        self._want(self.prepared.native(self.known)[0])

    def discover(self) -> tuple[str, ...]:
        """The providers that were installed meanwhile, which take part from now on; looked for while something waits for one."""
        if all(entry.operator is not None for entry in self.entries()):
            return ()
        found = self.prepared.registry.refresh()
        if found:
            self.wanted("register", ", ".join(found))
            self._want(self.prepared.native(self.known)[0])
        return found

    def reload(self, accept: Callable[[Batch], bool] = lambda batch: True) -> Batch:
        """Take the file as it is now: `accept` sees what that changes, and the model changes in one step or not at all.

        Raises `UlnaError` for a file that is wrong; the model then stays.
        """
        before = self.prepared
        now = Prepared(before.request)
        now.patient = True
        if now.target.partition != before.target.partition or now.deployment != before.deployment:
            message = "The file is now another deployment, or goes to another environment"
            raise UlnaError.of("ULN540", message, "End this run and begin another.")
        now.store, now.registry, now.vault = before.store, before.registry, before.vault
        now.state, now.revise = self.engine.state.copy(), self._revised
        native = now.native(self.known)[0]
        batch = self.run.batch_of(native)
        if not batch.is_empty and accept(batch):
            self.prepared = now
            self.wanted("reload")
            self._want(native)
        return batch

    def _want(self, native: Native) -> None:
        self.run.want(native)
        self.run.remember(self.prepared.place())
        self._watching.over(tuple(self.engine.model.operators.values()))

    # ---------------------------------------------------------------- what stops with the run

    def _outside(self) -> tuple[str, ...]:
        """What is there outside, and may change there."""
        held = (e for e in self.entries() if e.token is not None)
        return tuple(e.address for e in held if (by := self.operator(e)) is not None and by.effects)

    def _session(self) -> set[str]:
        return {e.address for e in self.entries() if is_session(e, self.operator(e))}

    def _stop_session(self) -> None:
        """Stop what runs, users first, each round once the one before has ended."""
        from time import monotonic

        end = monotonic() + GRACE
        session = self._session()
        while session and monotonic() < end and not self._ended.is_set():
            entries = self.engine.state.entries
            for address in next_to_stop(dict(entries), session, self.engine.model.waiters):
                if entries[address].run and not entries[address].deleting:
                    self.engine.command(address, Command.SLEEP)
            self._ended.wait(0.05)
            session = {a for a in session if a in entries and entries[a].held}

    def _wake_what_slept(self) -> None:
        """What was added to an earlier run, and stopped at its end, runs again."""
        for entry in self.entries():
            if entry.sleeps and not entry.deleting:
                self.engine.command(entry.address, Command.START)
