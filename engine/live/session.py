"""A run as its faces see it: what they may ask, answered in plain JSON."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from engine.apply.batch import Batch
from engine.diagnostics.diagnostic import UlnaError
from engine.live import rows
from engine.live.book import Book
from engine.live.desk import VERBS, Desk
from engine.live.host import Host
from engine.pipeline.request import Request
from engine.state.event import Event

HISTORY = 200
"""Events of a resource that are told."""

SCANNED = 50_000
"""Events of the log, the last ones, in which they are looked for."""

REMEMBERED = 50
"""Resources whose events are at hand, so that asking again reads what is new alone."""


class Session:
    """See the module; may be used from any thread."""

    def __init__(self, host: Host, desk: Desk, book: Book) -> None:
        self.host = host
        self.desk = desk
        self.book = book
        self.stopping = threading.Event()
        self.keep = False
        self._histories: dict[str, tuple[int, deque[Event]]] = {}
        self._lock = threading.Lock()

    # ---------------------------------------------------------------- questions

    def state(self) -> dict[str, Any]:
        """All there is, as of `seq`: the feed goes on from there."""
        snapshot = self.host.engine.subscribe().snapshot
        model = self.host.engine.model
        prepared = self.host.prepared
        environment = prepared.target.environment
        return {
            "seq": snapshot.seq,
            "environment": prepared.target.partition,
            "kind": environment.kind if environment is not None else "",
            "deployment": prepared.deployment,
            "file": prepared.place(),
            "resources": [rows.row(e, model) for e in snapshot.entries.values()],
            "operations": [rows.operation(o) for o in snapshot.operations.values()],
            "commands": [rows.command(c) for c in self.desk.commands()],
        }

    def events(self, after: int) -> list[dict[str, Any]]:
        """What came after a sequence number, each with the row as it is now."""
        engine = self.host.engine
        return rows.changes(engine.feed.after(after), engine.model, engine.state.operations)

    def watch(self, call: Callable[[], None]) -> Callable[[], None]:
        """Have `call` called when there are new events, in the engine's thread, so it must be quick; the answer ends it."""
        return self.host.engine.feed.watch(lambda _: call())

    def watch_lines(self, call: Callable[[], None]) -> Callable[[], None]:
        """The same for lines."""
        return self.book.watch(call)

    def resource(self, name: str) -> dict[str, Any]:
        """All about one resource."""
        engine, entry = self.host.engine, self.desk.find(name)
        history = self._history(entry.address)
        return rows.detail(entry, engine.model, self.desk.commands(entry.address), history)

    def _history(self, address: str) -> list[Event]:
        """The last events of a resource."""
        engine = self.host.engine
        with self._lock:
            now = engine.feed.seq
            seq, kept = self._histories.pop(address, (-1, deque[Event](maxlen=HISTORY)))
            fresh = engine.feed.after(seq) if seq >= 0 else engine.log.events(max(0, now - SCANNED))
            kept.extend(e for e in fresh if e.key == address and e.seq <= now)
            self._histories[address] = (now, kept)
            while len(self._histories) > REMEMBERED:
                del self._histories[next(iter(self._histories))]
            return list(kept)

    def address(self, name: str) -> str:
        """The address of the resource of a name. Raises `UlnaError` for none or several."""
        return self.desk.find(name).address

    def why(self, name: str) -> tuple[str, ...]:
        """Why a resource is not what it is meant to be; () where it is."""
        return self.desk.why(name)

    def lines(self, after: int, address: str | None = None, since: float = 0.0) -> list[dict[str, object]]:
        """The lines behind a number and a moment, of a resource and what is below it or of all."""
        return [line.plain() for line in self.book.after(after, address) if line.time >= since]

    def plan(self) -> dict[str, Any]:
        """What a deploy of the file, as it is now, would do."""
        from engine.pipeline.planning import plan
        from engine.plan.report import report

        request: Request = self.host.prepared.request
        planned = plan(request)
        return report(planned.plan, ())

    def operation(self, id: str, seconds: float = 0.0) -> dict[str, Any]:
        """An operation, once it has ended or so many seconds have passed."""
        if id not in self.host.engine.state.operations:
            raise UlnaError.of("ULN553", f"There is no operation '{id}'", "The last ones are kept.", exit_code=2)
        return rows.operation(self.desk.wait(id, seconds))

    # ---------------------------------------------------------------- changes

    def command(self, body: dict[str, Any]) -> dict[str, Any]:
        """A verb that every resource has, or a command that the template declares."""
        name, verb = str(body.get("name", "")), str(body.get("verb") or "")
        if verb == "scale":
            replicas = body.get("replicas")
            if not isinstance(replicas, int) or isinstance(replicas, bool) or replicas < 0:
                raise UlnaError.of("ULN551", "The number of replicas must be a whole number", "0 or more.", exit_code=2)
            return rows.operation(self.desk.scale(name, replicas))
        if verb in VERBS:
            return rows.operation(self.desk.act(name, verb, body.get("withDependants") is True))
        if verb:
            help = f"There are: {', '.join((*VERBS, 'scale'))}."
            raise UlnaError.of("ULN560", f"There is no verb '{verb}'", help, exit_code=2)
        inputs = body.get("inputs")
        return rows.operation(
            self.desk.command(name, str(body.get("command", "")), inputs if isinstance(inputs, dict) else {})
        )

    def edit(self, body: dict[str, Any]) -> dict[str, Any]:
        """Resources are added from a file, changed or removed, in one step."""
        if isinstance(body.get("add"), str):
            return _batch(self.desk.add(body["add"]))
        if isinstance(body.get("remove"), list):
            return _batch(self.desk.remove([str(n) for n in body["remove"]]))
        change = body.get("change")
        if isinstance(change, dict) and isinstance(change.get("set"), dict):
            return _batch(self.desk.change(str(change.get("name", "")), change["set"]))
        raise UlnaError.of("ULN560", "The request says nothing to add, change or remove", exit_code=2)

    def reload(self) -> dict[str, Any]:
        """Take the file as it is now."""
        return _batch(self.host.reload())

    def stop(self, keep: bool) -> None:
        """Ask whoever runs it to end."""
        self.keep = keep
        self.stopping.set()


def _batch(batch: Batch) -> dict[str, Any]:
    return {
        "add": [r.address for r in batch.add],
        "change": [r.address for r in batch.change],
        "remove": [*batch.remove, *batch.detach],
    }
