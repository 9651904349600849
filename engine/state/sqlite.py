"""A log in SQLite: one environment's rows of the store's file, every append one durable transaction."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from engine.state import codec
from engine.state.event import Event, Kind
from engine.state.faults import told
from engine.state.fold import State, advance
from engine.state.lease import take
from engine.state.log import Fenced
from engine.state.owner import HEARTBEAT, Owner, is_free

FORMAT = 1
"""The version of the tables; a file of a higher one is refused."""

APPLICATION = 0x556C6E61
"""Marks the file as ours."""

TABLES = f"""
CREATE TABLE events (
    environment TEXT NOT NULL, seq INTEGER NOT NULL, time REAL NOT NULL, writer INTEGER NOT NULL,
    kind TEXT NOT NULL, key TEXT NOT NULL, epoch INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (environment, seq)
) WITHOUT ROWID;
CREATE TABLE lease (
    environment TEXT PRIMARY KEY, writer INTEGER NOT NULL, held INTEGER NOT NULL,
    host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL, nonce TEXT NOT NULL, heartbeat REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE snapshot (environment TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""


class SqliteLog:
    """A `Log` over a connection of its own; `connect` opens it when it is first needed, True for writing."""

    def __init__(self, path: Path, environment: str, connect: Callable[[bool], sqlite3.Connection | None]) -> None:
        self.path = path
        self.environment = environment
        self.writer = 0
        self._connect = connect
        self._writing: sqlite3.Connection | None = None
        self._held_as: Owner | None = None
        self._beat = 0.0

    # ---------------------------------------------------------------- reading

    def state(self) -> State:
        """See `Log`."""
        with told(self.path):
            db = self._writing or self._connect(False)
            if db is None:
                return State()
            try:
                db.execute("BEGIN")  # snapshot and tail are of one moment
                row = db.execute("SELECT state FROM snapshot WHERE environment = ?", (self.environment,)).fetchone()
                state = State() if row is None else codec.state_of(row[0])
                for event in self._rows(db, state.seq):
                    advance(state, event)
                db.execute("COMMIT")
                return state
            finally:
                self._done(db)

    def events(self, after: int = 0) -> Iterator[Event]:
        """See `Log`."""
        with told(self.path):
            db = self._connect(False)  # faces ask from threads of their own, while the writer is in a transaction
            if db is None:
                return
            try:
                yield from self._rows(db, after)
            finally:
                db.close()

    def _rows(self, db: sqlite3.Connection, after: int) -> Iterator[Event]:
        rows = db.execute(
            "SELECT seq, time, writer, kind, key, epoch, data FROM events WHERE environment = ? AND seq > ? ORDER BY seq",
            (self.environment, after),
        )
        for seq, moment, writer, kind, key, epoch, data in rows:
            yield Event(seq, moment, writer, Kind(kind), key, epoch, codec.event_data(key, data))

    def _done(self, db: sqlite3.Connection) -> None:
        if db is not self._writing:
            db.close()
        elif db.in_transaction:
            db.execute("ROLLBACK")

    # ---------------------------------------------------------------- the lease

    def acquire(self, owner: Owner, wait: float | None = 0.0, on_wait: Callable[[str], None] | None = None) -> int:
        """See `Log`."""

        def attempt() -> Owner | None:
            with told(self.path):
                return self._try(owner)

        take(self.environment, attempt, wait, on_wait)
        return self.writer

    def _try(self, owner: Owner) -> Owner | None:
        """Take the lease, or give the one who has it."""
        db = self._write()
        with _Transaction(db):
            row = db.execute(
                "SELECT writer, held, heartbeat, host, pid, started, nonce FROM lease WHERE environment = ?",
                (self.environment,),
            ).fetchone()
            number = 0
            if row is not None:
                number, held, heartbeat = row[:3]
                if held and not is_free(holder := Owner(*row[3:]), heartbeat, time.time()):
                    return holder
            db.execute(
                "REPLACE INTO lease (environment, writer, held, host, pid, started, nonce, heartbeat) VALUES (?,?,1,?,?,?,?,?)",
                (self.environment, number + 1, owner.host, owner.pid, owner.started, owner.nonce, time.time()),
            )
        self.writer, self._held_as, self._beat = number + 1, owner, time.monotonic()
        return None

    def heartbeat(self) -> None:
        """See `Log`; does nothing when called again too soon."""
        if not self.writer or time.monotonic() - self._beat < HEARTBEAT:
            return
        with told(self.path):
            db = self._write()
            with _Transaction(db):
                self._fence(db)
                db.execute("UPDATE lease SET heartbeat = ? WHERE environment = ?", (time.time(), self.environment))
        self._beat = time.monotonic()

    def release(self) -> None:
        """See `Log`; never fails on a lease that is lost already."""
        db, self._writing = self._writing, None
        if db is None:
            return
        with told(self.path):
            try:
                db.execute(
                    "UPDATE lease SET held = 0 WHERE environment = ? AND writer = ?", (self.environment, self.writer)
                )
            finally:
                self.writer = 0
                db.close()

    def _fence(self, db: sqlite3.Connection) -> None:
        row = db.execute("SELECT writer FROM lease WHERE environment = ?", (self.environment,)).fetchone()
        if row is None or row[0] != self.writer:
            raise Fenced(self.environment)

    # ---------------------------------------------------------------- writing

    def append(self, events: Sequence[Event]) -> None:
        """See `Log`: the fence is checked in the transaction that writes."""
        if not events:
            return
        rows = [
            (self.environment, e.seq, e.time, e.writer, e.kind, e.key, e.epoch, codec.dumps(e.data)) for e in events
        ]
        with told(self.path):
            db = self._write()
            with _Transaction(db):
                self._fence(db)
                last = db.execute("SELECT max(seq) FROM events WHERE environment = ?", (self.environment,)).fetchone()[
                    0
                ]
                assert [r[1] for r in rows] == list(range((last or 0) + 1, (last or 0) + 1 + len(rows))), (
                    "a gap in the log"
                )
                db.executemany("INSERT INTO events VALUES (?,?,?,?,?,?,?,?)", rows)

    def snapshot(self, state: State) -> None:
        """See `Log`."""
        with told(self.path):
            db = self._write()
            with _Transaction(db):
                self._fence(db)
                db.execute(
                    "REPLACE INTO snapshot (environment, seq, state) VALUES (?,?,?)",
                    (self.environment, state.seq, codec.state_text(state)),
                )

    def _write(self) -> sqlite3.Connection:
        if self._writing is None:
            self._writing = self._connect(True)
            assert self._writing is not None
        return self._writing


class _Transaction:
    """`BEGIN IMMEDIATE … COMMIT`, or nothing of it."""

    __slots__ = ("_db",)

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error:
                self._undo()
                raise
        else:
            self._undo()

    def _undo(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
