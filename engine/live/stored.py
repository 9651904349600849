"""What a dashboard shows of an environment that nobody runs now: its state, as the log tells it, to be looked at only.

It answers as a `Session` does, takes no lease, and follows what a deploy or another run writes meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from engine.apply.feed import KEPT
from engine.apply.why import why
from engine.contract.operator import Logs
from engine.diagnostics.diagnostic import UlnaError
from engine.live import rows
from engine.live.book import Book
from engine.live.declared import declared
from engine.live.session import HISTORY, SCANNED, Session
from engine.pipeline.looking import stored_model
from engine.pipeline.naming import named
from engine.pipeline.target import Target
from engine.render.registry import open_registry
from engine.state.entry import Entry
from engine.state.event import Event
from engine.state.fold import advance
from engine.state.store import Store

LOOK = 0.5
"""Seconds between two looks at the log, however many readers there are."""


class Stored(Session):
    """See the module; may be used from any thread."""

    def __init__(self, store: Store, target: Target) -> None:
        self.book = Book()
        self.stopping = threading.Event()
        self.keep = False
        self._target = target
        self._log = store.log(target.partition)
        self._registry = open_registry(store.folder / target.partition, target.environment)
        self._state = self._log.state()
        self._model = stored_model(self._state)
        self._tail: deque[Event] = deque(maxlen=KEPT)
        self._looked = time.monotonic()
        self._guard = threading.RLock()
        self._read: set[str] = set()

    def _look(self) -> None:
        """Take what was written since the last look, if that is long enough ago."""
        with self._guard:
            if time.monotonic() - self._looked < LOOK:
                return
            fresh = list(self._log.events(self._state.seq))
            for event in fresh:
                advance(self._state, event)
            self._tail.extend(fresh)
            if fresh:
                self._model = stored_model(self._state)
            self._looked = time.monotonic()

    # ---------------------------------------------------------------- questions

    def state(self) -> dict[str, Any]:
        """See `Session`."""
        self._look()
        with self._guard:
            state, environment = self._state, self._target.environment
            names = sorted(state.deployments)
            return {
                "seq": state.seq,
                "environment": self._target.partition,
                "kind": environment.kind if environment is not None else "",
                "deployment": names[0] if len(names) == 1 else "",
                "file": state.deployments[names[0]].file if len(names) == 1 else "",
                "readOnly": True,
                "resources": [rows.row(e, self._model) for e in state.entries.values()],
                "operations": [rows.operation(o) for o in state.operations.values()],
                "commands": [rows.command(c) for c in declared(state.entries.values())],
            }

    def events(self, after: int) -> list[dict[str, Any]]:
        """See `Session`."""
        self._look()
        with self._guard:
            if after >= self._state.seq:
                return []
            known = self._tail and self._tail[0].seq <= after + 1
            found = list(self._tail) if known else list(self._log.events(after))
            fresh = [e for e in found if after < e.seq <= self._state.seq]
            return rows.changes(fresh, self._model, self._state.operations)

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """See `Session`; nobody tells of what others write, so readers look."""
        return lambda: None

    def _find(self, name: str) -> Entry:
        return named(name, self._state.entries, "here")

    def address(self, name: str) -> str:
        """See `Session`; what it wrote is read now."""
        with self._guard:
            entry = self._find(name)
            self._take(entry.address)
            return entry.address

    def resource(self, name: str) -> dict[str, Any]:
        """See `Session`."""
        with self._guard:
            entry = self._find(name)
            told = self._log.events(max(0, self._state.seq - SCANNED))
            history = [e for e in told if e.key == entry.address][-HISTORY:]
            return rows.detail(entry, self._model, (), history)

    def why(self, name: str) -> tuple[str, ...]:
        """See `Session`; as far as the state alone can tell."""
        with self._guard:
            return why(self._find(name), self._model)

    def lines(self, after: int, address: str | None = None, since: float = 0.0) -> list[dict[str, object]]:
        """See `Session`: what was written up to the moment when it was first asked for."""
        if address is None and "" not in self._read:
            with self._guard:
                self._read.add("")
                self._take("")
        return super().lines(after, address, since)

    def _take(self, address: str) -> None:
        """Read the logs of a resource and what is below it, of all for ""; each once."""
        below = [a for a in self._state.entries if not address or a == address or a.startswith(f"{address}/")]
        for entry in (self._state.entries[a] for a in below if a not in self._read):
            self._read.add(entry.address)
            operator = self._registry.operator(entry.operator, entry.resource)
            if entry.token is None or not isinstance(operator, Logs):
                continue
            try:
                for line in operator.logs(entry.resource, entry.token, False):
                    self.book.write(entry, line)
            except Exception as error:  # logs that cannot be read are no reason to show nothing
                self.book.write(entry, f"(its log cannot be read: {error})")

    def plan(self) -> dict[str, Any]:
        """Needs a run, which knows the file's parameters."""
        raise _nobody("'ulna plan FILE' shows what a deploy would change.")

    def operation(self, id: str, seconds: float = 0.0) -> dict[str, Any]:
        """See `Session`; nobody judges it."""
        self._look()
        if id not in self._state.operations:
            raise UlnaError.of("ULN553", f"There is no operation '{id}'", "The last ones are kept.", exit_code=2)
        return rows.operation(self._state.operations[id])

    # ---------------------------------------------------------------- changes, which need a run

    def command(self, body: dict[str, Any]) -> dict[str, Any]:
        """Refused."""
        raise _nobody()

    def edit(self, body: dict[str, Any]) -> dict[str, Any]:
        """Refused."""
        raise _nobody()

    def reload(self) -> dict[str, Any]:
        """Refused."""
        raise _nobody()

    def stop(self, keep: bool) -> None:
        """Refused."""
        raise _nobody()


def _nobody(help: str = "Begin a run with 'ulna run FILE'.") -> UlnaError:
    return UlnaError.of("ULN563", "Nobody runs this environment now", help)
