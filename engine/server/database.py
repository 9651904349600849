"""The database of server and workers: that of the state where it is PostgreSQL, else a file beside it.

DBOS has its tables there, and we have three: what was submitted (sealed), which workers live, and what deployments told.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOSConfig

from engine.diagnostics.diagnostic import UlnaError
from engine.state.address import shown
from engine.state.store import Store

FILE = "server.db"
QUEUE = "deployments"
WORKFLOW = "deploy"
VERSION = "1"
"""The shape of the workflow: workers of any Ulna that knows it may go on with what another began."""

_TABLES = sa.MetaData()
JOBS = sa.Table(
    "ulna_jobs",
    _TABLES,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("environment", sa.Text, nullable=False),
    sa.Column("deployment", sa.Text, nullable=False),
    sa.Column("file", sa.Text, nullable=False),
    sa.Column("submitted", sa.Float, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
)
WORKERS = sa.Table(
    "ulna_workers",
    _TABLES,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("nonce", sa.Text, nullable=False),
    sa.Column("heartbeat", sa.Float, nullable=False),
)
LINES = sa.Table(
    "ulna_lines",
    _TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("job", sa.Text, nullable=False, index=True),
    sa.Column("text", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)


class Database:
    """One connection pool, which DBOS uses too."""

    def __init__(self, store: Store) -> None:
        self.store = store
        url = getattr(store, "url", None)
        self.schema = f"{getattr(store, 'schema', 'ulna')}_server"
        self.shown = shown(url) if url else str(store.folder / FILE)
        self.engine = _of_postgres(url, self.schema) if url else _of_file(store.folder / FILE)

    def config(self, executor: str) -> DBOSConfig:
        """What DBOS is told; `executor` is the id of the process."""
        return {
            "name": "ulna",
            "system_database_url": "sqlite:///unused.sqlite" if self.engine.dialect.name == "sqlite" else self._url(),
            "system_database_engine": self.engine,
            "dbos_system_schema": self.schema,
            "application_version": VERSION,
            "executor_id": executor,
            "log_level": "CRITICAL",
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": 1.0,
        }

    def _url(self) -> str:
        return self.engine.url.set(password=None).render_as_string()

    def make(self) -> None:
        """Make the tables that are not there; DBOS makes its own when it is launched."""
        try:
            with self.engine.begin() as db:
                if db.dialect.name == "postgresql":
                    db.execute(sa.text("SELECT pg_advisory_xact_lock(1433233018)"))
                    db.execute(sa.schema.CreateSchema(self.schema, if_not_exists=True))
                _TABLES.create_all(db)
        except sa.exc.SQLAlchemyError as error:
            raise unusable(error, self.shown) from None

    def execute(self, statement: Any) -> list[Any]:
        """The rows of one statement, in a transaction of its own."""
        try:
            with self.engine.begin() as db:
                result = db.execute(statement)
                return list(result) if result.returns_rows else []
        except sa.exc.SQLAlchemyError as error:
            raise unusable(error, self.shown) from None

    def now(self) -> float:
        """The clock that all share: that of the database, or of the machine where it is a file."""
        import time

        if self.engine.dialect.name == "sqlite":
            return time.time()
        return float(self.execute(sa.text("SELECT extract(epoch from clock_timestamp())"))[0][0])


def unusable(error: Exception, shown: str) -> UlnaError:
    """The database said no."""
    reason = str(getattr(error, "orig", error)).splitlines() or [type(error).__name__]
    help = "Check that it runs and may be written; what was submitted is kept and goes on."
    return UlnaError.of("ULN407", f"The database of the server at '{shown}' cannot be used: {reason[0]}", help)


def _of_file(path: Path) -> sa.Engine:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))  # its owner alone, as the state
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 60.0, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def _ready(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA busy_timeout = 60000")

    return engine


def _of_postgres(url: str, schema: str) -> sa.Engine:
    plain = re.sub(r"([?&])schema=[^&]*&?", r"\1", url).rstrip("?&")
    address = "postgresql+psycopg://" + plain.partition("://")[2]
    return sa.create_engine(
        address,
        pool_size=20,
        pool_pre_ping=True,
        connect_args={"options": f"-c search_path={schema}", "connect_timeout": 10, "application_name": "ulna-server"},
    )
