"""The foreground of `ulna run`: what happens and what is written, as it comes, until Ctrl-C."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from engine.apply.batch import Batch
from engine.cli.console import Console
from engine.cli.guard import INTERRUPTED
from engine.cli.interrupts import Interrupts
from engine.cli.progress import state_of
from engine.diagnostics.diagnostic import UlnaError
from engine.live.book import Book
from engine.live.desk import Desk
from engine.live.host import GRACE, Host
from engine.live.pages import pages
from engine.live.reloading import changes, files_of
from engine.live.session import Session
from engine.pipeline.request import Control, Request
from engine.plan.text import excerpt
from engine.state.entry import Entry
from engine.state.event import Event

_COLOURS = ("36", "33", "35", "32", "34", "31")
_QUIET = frozenset({"pending"})
DISCOVER = 2.0
"""Seconds between two looks for providers that were installed meanwhile."""


class Screen:
    """Lines of a run, whole and one at a time, whichever thread they come from."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._lock = threading.Lock()
        self._colours: dict[str, str] = {}
        self._states: dict[str, tuple[str, str]] = {}
        self._alone = False
        self.left: Callable[[], None] = lambda: None
        """What is done once nobody reads any more: a pipe or a terminal was closed."""

    def _line(self, text: str) -> None:
        if self._alone:
            return
        try:
            self.console.line(text)
            self.console.out.flush()
        except OSError:
            self._alone = True
            self.left()

    def say(self, kind: str, text: str, **more: Any) -> None:
        """Something about the run itself."""
        with self._lock:
            if self.console.json:
                self._line(json.dumps({"kind": kind, "text": text, **more}, ensure_ascii=False))
            else:
                self._line(self.console.paint(text, "2") if kind == "note" else text)

    def log(self, entry: Entry, line: str) -> None:
        """A line that a resource wrote."""
        name = str(entry.resource.name)
        with self._lock:
            if self.console.json:
                self._line(json.dumps({"kind": "log", "source": name, "line": line}, ensure_ascii=False))
            else:
                colour = self._colours.setdefault(name, _COLOURS[len(self._colours) % len(_COLOURS)])
                self._line(f"{self.console.paint(name, colour)} | {line}")

    def state(self, address: str, entry: Entry | None) -> None:
        """Where a resource is now, if that is news."""
        word, reason = state_of(entry), entry.reason if entry is not None else ""
        if self._states.get(address) == (word, reason) or (word in _QUIET and not reason):
            return
        self._states[address] = (word, reason)
        told = f"{address}: {word}{f', {excerpt(reason)}' if reason else ''}"
        self.say("state", told, address=address, state=word, reason=reason)

    def batch(self, batch: Batch) -> bool:
        """What a change of the file changes, before it is done."""
        for mark, addresses in (
            ("+", [r.address for r in batch.add]),
            ("~", [r.address for r in batch.change]),
            ("-", [*batch.remove, *batch.detach]),
        ):
            for address in addresses:
                self.say("change", f"{mark} {address}", mark=mark, address=address)
        return True


def stay(
    request: Request, console: Console, *, watch: bool, logs: bool, keep: bool, port: int | None, listen: str
) -> int:
    """Run a deployment until it is stopped; its exit code. `port` is that of the dashboard, None for no dashboard."""
    from engine.live.server import Server, bound

    if port is not None:
        bound(listen, port).close()  # what cannot be served is told before anything runs
    screen, book = Screen(console), Book()
    control = Control(lambda text: screen.say("note", text))

    def line(entry: Entry, text: str) -> None:
        book.write(entry, text)
        if logs:
            screen.log(entry, text)

    with Host(request, control, line) as host:
        session = Session(host, Desk(host), book)
        asked = threading.Event()

        def interrupted() -> None:
            asked.set()
            session.stop(keep)

        screen.left = interrupted
        with Interrupts(interrupted, hangup=True):
            host.start()
            session.desk.open()
            with Server(session, host.folder, port, listen, pages()) as server:
                _serve(session, screen, server.entrance, watch)
            host.stop(session.keep)
            host.wait(GRACE)
    return INTERRUPTED if asked.is_set() else 0


def _serve(session: Session, screen: Screen, entrance: str, watch: bool) -> None:
    """Tell what happens, until somebody ends it."""
    host, stop = session.host, session.stopping
    host.engine.feed.watch(lambda events: _tell(screen, host, events))
    for entry in host.entries():
        screen.state(entry.address, entry)
    screen.say("note", f"running '{host.prepared.deployment}'; Ctrl-C stops it")
    if entrance:
        screen.say("dashboard", f"dashboard: {entrance}", url=entrance)
    if watch:
        threading.Thread(target=_follow, args=(host, screen, stop), name="files", daemon=True).start()
    told: frozenset[str] = frozenset()
    seen, looked = -1, time.monotonic()
    while not stop.is_set() and not host.wait(0.2):
        if time.monotonic() - looked >= DISCOVER:
            _discover(host, screen)
            looked = time.monotonic()
        if seen != host.engine.feed.seq:
            seen = host.engine.feed.seq
            told = _endpoints(host, screen, told)
    if host.failure is not None:
        raise host.failure
    screen.say("note", "leaving what runs" if session.keep else "stopping what runs; Ctrl-C again exits at once")


def _discover(host: Host, screen: Screen) -> None:
    """Let providers take part that were installed meanwhile."""
    try:
        for name in host.discover():
            screen.say("note", f"the provider '{name}' takes part from now on")
    except UlnaError as error:
        screen.console.diagnostics(error.diagnostics)


def _tell(screen: Screen, host: Host, events: Sequence[Event]) -> None:
    for event in events:
        if host.prepared.owns(event.key) and event.key != host.prepared.deployment:
            screen.state(event.key, host.engine.model.find(event.key))


def _endpoints(host: Host, screen: Screen, told: frozenset[str]) -> frozenset[str]:
    """Where people reach it, as it comes to be known."""
    found = {e.url: e.name for e in host.endpoints()}
    for url in sorted(found.keys() - told):
        screen.say("endpoint", f"{found[url]}: {url}", name=found[url], url=url)
    return frozenset(found)


def _follow(host: Host, screen: Screen, stop: threading.Event) -> None:
    """Take the files as they are, whenever they change."""
    for touched in changes(lambda: files_of(host.prepared), stop):
        try:
            batch = host.reload(screen.batch)
        except UlnaError as error:
            screen.console.diagnostics(error.diagnostics)
            screen.say("note", "the model stays as it was")
            continue
        if batch.is_empty:
            screen.say(
                "note", f"{', '.join(sorted(p.rpartition('/')[2] for p in touched))} changed, and nothing else does"
            )
