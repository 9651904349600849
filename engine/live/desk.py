"""Where people ask a running deployment for something: commands, edits, and why something waits.

Every command is an operation with an id, kept in the log; it is done when what is observed says so, also after a crash in
between. May be used from any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.apply.batch import Batch
from engine.apply.composite import is_composite
from engine.apply.edit import Command
from engine.apply.rollup import below, is_launched
from engine.apply.why import why
from engine.contract.operator import Logs, runs
from engine.contract.value import Properties, Value
from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean
from engine.live.actions import Action, Ended, action_of
from engine.live.declared import Declared, accept, declared, shown
from engine.live.goal import goal, reached
from engine.live.host import Host
from engine.live.launching import launch, summary_of
from engine.pipeline.naming import named, parts_of
from engine.state.entry import Entry
from engine.state.event import Event, Operation, Progress

TICK = 0.25
"""Seconds between two looks at what runs, at most; events make it look at once."""

LINES = 60
"""Lines of a job's log that are kept with its result."""

VERBS = {"start": Command.START, "stop": Command.STOP, "restart": Command.RESTART, "force": Command.FORCE}
_WANT = {"start": "ready", "stop": "stopped", "restart": "ready", "force": "ready"}


class Desk:
    """See the module; `open` begins to watch, `close` ends that."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._changed = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._watch, name="desk", daemon=True)
        self._unwatch: Callable[[], None] = lambda: None

    def open(self) -> None:
        """Begin to judge operations, those of earlier runs too."""
        self._unwatch = self.host.engine.feed.watch(self._look)
        self._thread.start()

    def close(self) -> None:
        """Operations that run are judged by the next run."""
        self._closed = True
        self._unwatch()
        self._changed.set()

    # ---------------------------------------------------------------- questions

    def find(self, name: str) -> Entry:
        """The resource of a name: its address, the end of it, or its own name. Raises `UlnaError` for none or several."""
        return named(name, self._entries(), "here")

    def parts(self, address: str) -> tuple[str, ...]:
        """What a command for this resource acts on: what runs of it, and what rests; itself where nothing of it does."""
        entries = self._entries()
        parts = parts_of(entries[address], entries)
        return tuple(sorted(e.address for e in parts if not e.run or self._runs(e))) or (address,)

    def _runs(self, entry: Entry) -> bool:
        """Whether something runs in it, or may once it has an operator."""
        operator = self.host.operator(entry)
        return runs(operator, entry.resource) if operator is not None else not entry.held

    def why(self, name: str) -> tuple[str, ...]:
        """Why a resource is not what it is meant to be, by the functions that decide it; () where it is."""
        engine, entry = self.host.engine, self.find(name)
        return why(entry, engine.model)

    def commands(self, address: str | None = None) -> tuple[Declared, ...]:
        """The commands that the template declares, of one resource or of all."""
        found = declared(self._entries().values())
        return tuple(c for c in found if address in (None, c.target))

    def operations(self) -> tuple[Operation, ...]:
        """The last operations, oldest first."""
        return tuple(self.host.engine.state.operations.values())

    # ---------------------------------------------------------------- commands

    def act(self, name: str, verb: str, with_dependants: bool = False) -> Operation:
        """Start, stop, restart or force a resource, and what depends on it if that is wanted."""
        entry = self.find(name)
        parts = list(self.parts(entry.address))
        if with_dependants:
            parts += [p for p in self._dependants(entry.address, parts) if p not in parts]
        if verb == "force":
            parts = [*self._wholes(entry, parts), *parts]
        engine = self.host.engine
        self.host.wanted(verb, entry.address)
        for part in parts:
            engine.command(part, VERBS[verb])
        # only now: who judges it must not see what was before the command
        id = self._begin(entry, verb, verb.capitalize(), goal(_WANT[verb], parts))
        self._changed.set()
        return self._now(id)

    def scale(self, name: str, replicas: int) -> Operation:
        """Another number of replicas, for as long as this run lasts or until the file says another."""
        entry = self.find(name)
        self.host.scale(entry.address, replicas)
        id = self._begin(
            entry, "scale", f"Scale to {replicas}", goal("ready", (entry.address,)), {"replicas": replicas}
        )
        self._changed.set()
        return self._now(id)

    def command(self, name: str, word: str, given: Mapping[str, Value]) -> Operation:
        """A command that the template declares, with its inputs."""
        entry = self.find(name)
        known = {c.name: c for c in self.commands(entry.address)}
        if word not in known:
            help = did_you_mean(word, known) or (
                f"It has: {', '.join(known)}." if known else "No Ulna.Core/commands in the file has it as its target."
            )
            raise UlnaError.of("ULN550", f"'{entry.address}' has no command '{word}'", help, exit_code=2)
        command = known[word]
        values = accept(command, given)
        if command.action == "launch":
            return self._launch(entry, command, values)
        action = action_of(command, entry, self.host, values)
        id = self._begin(entry, word, command.title, goal("answer", ()), shown(command, values))
        threading.Thread(target=self._perform, args=(id, action), name=id, daemon=True).start()
        return self._now(id)

    # ---------------------------------------------------------------- edits

    def add(self, file: str) -> Batch:
        """Add what a file declares, outside of what the deployment's own file does."""
        return self.host.add_file(file)

    def remove(self, names: Iterable[str]) -> Batch:
        """Remove resources with all that was made of them."""
        return self.host.remove(tuple(self.find(n).address for n in names))

    def change(self, name: str, values: Mapping[str, Value]) -> Batch:
        """Set properties of a resource, by dotted paths, until its file says another."""
        return self.host.change(self.find(name).address, values)

    def wait(self, id: str, seconds: float | None = None) -> Operation:
        """The operation once it has ended, or as it is after so many seconds."""
        end = None if seconds is None else time.monotonic() + seconds
        while (operation := self._now(id)).progress is Progress.RUNNING:
            if end is not None and time.monotonic() > end:
                break
            time.sleep(0.05)
        return operation

    # ---------------------------------------------------------------- inside

    def _entries(self) -> dict[str, Entry]:
        return dict(self.host.engine.state.entries)

    def _now(self, id: str) -> Operation:
        return self.host.engine.state.operations[id]

    def _begin(
        self, entry: Entry, command: str, title: str, wanted: Properties, inputs: Properties | None = None, **more: Any
    ) -> str:
        begun = self.host.engine.operate(
            None, target=entry.address, command=command, title=title, goal=wanted, inputs=inputs or {}, **more
        )
        return begun.id

    def _launch(self, entry: Entry, command: Declared, values: Mapping[str, Value]) -> Operation:
        launched = launch(self.host, entry, command, values)
        wanted = {**goal("completed", launched.jobs), "ttl": command.details.get("timeToLiveSeconds", 3600)}
        id = self._begin(
            entry, command.name, command.title, wanted, shown(command, values), launched=(launched.address,)
        )
        self._changed.set()
        return self._now(id)

    def _perform(self, id: str, action: Action) -> None:
        try:
            ended = action()
        except Exception as error:  # whatever it is, the operation has ended
            ended = Ended(False, str(error) or type(error).__name__)
        self._end(id, ended.ok, ended.message, ended.result)

    def _end(self, id: str, ok: bool, message: str = "", result: Properties | None = None) -> None:
        progress = Progress.SUCCEEDED if ok else Progress.FAILED
        self.host.engine.operate(id, progress=progress, message=message, result=result or {})

    def _wholes(self, entry: Entry, parts: Sequence[str]) -> list[str]:
        """What these are parts of, up to the resource itself: it has a gate too, and is only ready once that lets it be."""
        within = [e for e in parts_of(entry, self._entries()) if is_composite(e.resource)]
        return [e.address for e in within if any(p.startswith(f"{e.address}/") for p in parts)]

    def _dependants(self, address: str, parts: Iterable[str]) -> list[str]:
        """What runs and waits for these, at any remove; a job that somebody launched does its work once."""
        model, found = self.host.engine.model, dict.fromkeys((address, *parts))
        todo = list(found)
        while todo:
            for user in model.waiters(todo.pop()):
                if user not in found:
                    found[user] = None
                    todo.append(user)
        entries = self._entries()
        there = [e for a in found if (e := entries.get(a)) is not None and not is_launched(e, entries.get)]
        return [e.address for e in there if runs(self.host.operator(e), e.resource)]

    # ---------------------------------------------------------------- what becomes of operations

    def _look(self, events: Sequence[Event]) -> None:
        self._changed.set()

    def _watch(self) -> None:
        while not self._closed:
            self._changed.wait(TICK if self._is_busy() else None)
            self._changed.clear()
            if self._closed or self.host.failure is not None:
                return
            for operation in self.operations():
                try:
                    self._judge(operation)
                except UlnaError:  # the engine has ended: the next run judges
                    return

    def _is_busy(self) -> bool:
        entries = self.host.engine.state.entries
        return any(o.progress is Progress.RUNNING or any(a in entries for a in o.launched) for o in self.operations())

    def _judge(self, operation: Operation) -> None:
        engine = self.host.engine
        if operation.progress is not Progress.RUNNING:
            self._expire(operation)
            return
        model = engine.model
        verdict = reached(operation.goal, model.find, lambda whole: below(whole, model))
        if verdict is not None:
            self._end(operation.id, verdict.ok, verdict.message, self._result(operation))

    def _result(self, operation: Operation) -> Properties:
        """What a job brought: how it ended, its summary where it wrote one, and the end of what it wrote."""
        if not operation.launched:
            return {}
        result: dict[str, Value] = {}
        for address in operation.goal.get("of", ()):
            entry = self.host.engine.model.find(address)
            operator = self.host.operator(entry) if entry is not None else None
            if entry is None or entry.token is None or not isinstance(operator, Logs):
                continue
            lines = list(operator.logs(entry.resource, entry.token, False))
            brought = summary_of(lines)
            result[str(entry.resource.name)] = {
                "exitCode": entry.exit_code,
                **({"summary": brought} if brought else {}),
                "log": lines[-LINES:],
            }
        return result

    def _expire(self, operation: Operation) -> None:
        """What an operation launched goes some time after it has ended."""
        ttl = operation.goal.get("ttl")
        if ttl is None or time.time() < operation.ended + ttl:
            return
        entries = self.host.engine.state.entries
        there = tuple(a for a in operation.launched if a in entries and not entries[a].deleting)
        if there:
            self.host.remove(there)
