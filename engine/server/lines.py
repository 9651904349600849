"""What a deployment tells while it runs: JSON objects, kept for whoever follows it, now or later."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import sqlalchemy as sa

from engine.diagnostics.diagnostic import UlnaError
from engine.live.rows import identity
from engine.server.database import LINES, Database
from engine.state.entry import Entry

PAUSE = 0.25
"""Seconds between two writes: the engine never waits for one."""


class Teller:
    """Takes lines of one attempt at any pace, and writes them in batches; a context. Is itself the engine's `Watch`."""

    def __init__(self, database: Database, job: str) -> None:
        self._database = database
        self._job = job
        self._waiting: list[str] = []
        self._shown: dict[str, tuple[str, str]] = {}
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._write, name="lines", daemon=True)

    def __enter__(self) -> Teller:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def tell(self, event: str, **fields: Any) -> None:
        """One line."""
        with self._lock:
            self._waiting.append(json.dumps({"event": event, "time": round(time.time(), 3)} | fields))

    def __call__(self, before: Entry | None, after: Entry | None) -> None:
        """A resource's entry has changed."""
        entry = after or before
        if entry is None or entry.resource.existing:
            return
        state, reason = (after.word, after.reason) if after is not None else ("deleted", "")
        if self._shown.get(entry.address) == (state, reason):
            return
        self._shown[entry.address] = (state, reason)
        self.tell("resource", **identity(entry), state=state, reason=reason)

    def _write(self) -> None:
        while True:
            ended = self._done.wait(PAUSE)
            with self._lock:
                lines, self._waiting = self._waiting, []
            if lines:
                try:
                    self._database.execute(sa.insert(LINES).values([{"job": self._job, "text": x} for x in lines]))
                except UlnaError:
                    with self._lock:  # they are told a little later
                        self._waiting = lines + self._waiting
                    if not ended:
                        continue
            if ended:
                return


def after(database: Database, job: str, number: int) -> list[dict[str, Any]]:
    """The lines of a job behind a number, each with its own."""
    rows = database.execute(
        sa.select(LINES.c.number, LINES.c.text)
        .where(LINES.c.job == job, LINES.c.number > number)
        .order_by(LINES.c.number)
        .limit(1000)
    )
    return [json.loads(text) | {"number": n} for n, text in rows]
