"""A log in PostgreSQL, for teams: what `sqlite.py` keeps in a file, in tables that many machines reach.

The fence is a row lock: the row of the lease is locked in the transaction that appends, so a writer that lost it can commit
nothing. Who lives is judged by the clock of the server, which is the same for all. Nothing is ever deleted from the events,
so a snapshot and what comes after it are of one moment without a transaction.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import psycopg

from engine.state import codec
from engine.state.event import Event, Kind
from engine.state.fold import State, advance
from engine.state.lease import take
from engine.state.log import Fenced
from engine.state.owner import HEARTBEAT, Owner, is_free
from engine.state.postgres_faults import told

Connection = psycopg.Connection[tuple[object, ...]]

FORMAT = 1
"""The version of the tables; those of a higher one are refused."""

TABLES = """
CREATE TABLE IF NOT EXISTS format (version integer NOT NULL);
INSERT INTO format SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM format);
CREATE TABLE IF NOT EXISTS events (
    environment text NOT NULL, seq bigint NOT NULL, time double precision NOT NULL, writer bigint NOT NULL,
    kind text NOT NULL, key text NOT NULL, epoch bigint NOT NULL, data text NOT NULL,
    PRIMARY KEY (environment, seq)
);
CREATE TABLE IF NOT EXISTS lease (
    environment text PRIMARY KEY, writer bigint NOT NULL, held boolean NOT NULL, host text NOT NULL, pid bigint NOT NULL,
    started text NOT NULL, nonce text NOT NULL, heartbeat double precision NOT NULL
);
CREATE TABLE IF NOT EXISTS snapshot (environment text PRIMARY KEY, seq bigint NOT NULL, state text NOT NULL);
CREATE TABLE IF NOT EXISTS vault (key bytea NOT NULL);
"""


class PostgresLog:
    """A `Log` over a connection of its own; `connect` opens it when it is first needed, True for writing."""

    def __init__(self, shown: str, environment: str, connect: Callable[[bool], Connection | None]) -> None:
        self.environment = environment
        self.writer = 0
        self._shown = shown
        self._connect = connect
        self._writing: Connection | None = None
        self._beat = 0.0

    # ---------------------------------------------------------------- reading

    def state(self) -> State:
        """See `Log`."""
        with told(self._shown):
            db = self._writing or self._connect(False)
            if db is None:
                return State()
            try:
                row = db.execute("SELECT state FROM snapshot WHERE environment = %s", (self.environment,)).fetchone()
                state = State() if row is None else codec.state_of(str(row[0]))
                for event in self._rows(db, state.seq):
                    advance(state, event)
                return state
            finally:
                self._done(db)

    def events(self, after: int = 0) -> Iterator[Event]:
        """See `Log`."""
        with told(self._shown):
            db = self._connect(False)  # faces ask from threads of their own, while the writer is in a transaction
            if db is None:
                return
            try:
                yield from self._rows(db, after)
            finally:
                db.close()

    def _rows(self, db: Connection, after: int) -> Iterator[Event]:
        rows = db.execute(
            "SELECT seq, time, writer, kind, key, epoch, data FROM events WHERE environment = %s AND seq > %s ORDER BY seq",
            (self.environment, after),
        ).fetchall()
        seq: int
        writer: int
        epoch: int
        moment: float
        for seq, moment, writer, kind, key, epoch, data in rows:  # type: ignore[assignment]
            yield Event(seq, moment, writer, Kind(str(kind)), str(key), epoch, codec.event_data(str(key), str(data)))

    def _done(self, db: Connection) -> None:
        if db is not self._writing:
            db.close()

    # ---------------------------------------------------------------- the lease

    def acquire(self, owner: Owner, wait: float | None = 0.0, on_wait: Callable[[str], None] | None = None) -> int:
        """See `Log`."""

        def attempt() -> Owner | None:
            with told(self._shown):
                return self._try(owner)

        take(self.environment, attempt, wait, on_wait)
        return self.writer

    def _try(self, owner: Owner) -> Owner | None:
        """Take the lease, or give the one who has it."""
        db = self._write()
        with db.transaction():
            db.execute(
                "INSERT INTO lease VALUES (%s, 0, false, '', 0, '', '', 0) ON CONFLICT DO NOTHING", (self.environment,)
            )
            row = db.execute(
                "SELECT writer, held, heartbeat, extract(epoch from clock_timestamp())::float8, host, pid, started, nonce"
                " FROM lease WHERE environment = %s FOR UPDATE",
                (self.environment,),
            ).fetchone()
            assert row is not None, "it was put there in this transaction, and nobody deletes"
            number: int
            heartbeat: float
            now: float
            number, held, heartbeat, now = row[:4]  # type: ignore[assignment]
            holder = Owner(*row[4:])  # type: ignore[arg-type]
            if held and not is_free(holder, heartbeat, now):
                return holder
            db.execute(
                "UPDATE lease SET writer = %s, held = true, host = %s, pid = %s, started = %s, nonce = %s, heartbeat = %s"
                " WHERE environment = %s",
                (number + 1, owner.host, owner.pid, owner.started, owner.nonce, now, self.environment),
            )
        self.writer, self._beat = number + 1, time.monotonic()
        return None

    def heartbeat(self) -> None:
        """See `Log`; does nothing when called again too soon."""
        if not self.writer or time.monotonic() - self._beat < HEARTBEAT:
            return
        with told(self._shown):
            done = self._write().execute(
                "UPDATE lease SET heartbeat = extract(epoch from clock_timestamp())"
                " WHERE environment = %s AND writer = %s",
                (self.environment, self.writer),
            )
            if not done.rowcount:
                raise Fenced(self.environment)
        self._beat = time.monotonic()

    def release(self) -> None:
        """See `Log`; never fails on a lease that is lost already, nor for want of a connection: it is free soon by itself."""
        db, self._writing = self._writing, None
        if db is None:
            return
        try:
            if self.writer:
                db.execute(
                    "UPDATE lease SET held = false WHERE environment = %s AND writer = %s",
                    (self.environment, self.writer),
                )
        except psycopg.OperationalError:
            pass
        finally:
            self.writer = 0
            db.close()

    # ---------------------------------------------------------------- writing

    def append(self, events: Sequence[Event]) -> None:
        """See `Log`: the row of the lease is locked until what is written is durable."""
        if not events:
            return
        rows = [
            (self.environment, e.seq, e.time, e.writer, e.kind, e.key, e.epoch, codec.dumps(e.data)) for e in events
        ]
        with told(self._shown):
            db = self._write()
            with db.transaction():
                self._fence(db)
                found = db.execute("SELECT max(seq) FROM events WHERE environment = %s", (self.environment,)).fetchone()
                last = int(found[0]) if found is not None and isinstance(found[0], int) else 0
                assert [r[1] for r in rows] == list(range(last + 1, last + 1 + len(rows))), "a gap in the log"
                db.cursor().executemany("INSERT INTO events VALUES (%s,%s,%s,%s,%s,%s,%s,%s)", rows)

    def snapshot(self, state: State) -> None:
        """See `Log`."""
        with told(self._shown):
            db = self._write()
            with db.transaction():
                self._fence(db)
                db.execute(
                    "INSERT INTO snapshot VALUES (%s, %s, %s)"
                    " ON CONFLICT (environment) DO UPDATE SET seq = excluded.seq, state = excluded.state",
                    (self.environment, state.seq, codec.state_text(state)),
                )

    def _fence(self, db: Connection) -> None:
        row = db.execute("SELECT writer FROM lease WHERE environment = %s FOR UPDATE", (self.environment,)).fetchone()
        if row is None or row[0] != self.writer:
            raise Fenced(self.environment)

    def _write(self) -> Connection:
        if self._writing is None:
            self._writing = self._connect(True)
            assert self._writing is not None
        return self._writing
