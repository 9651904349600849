"""The store of a team: its logs and the key of its vault are in a PostgreSQL database, what providers keep is in a folder here.

`?schema=NAME` at the end of the address names the schema (default: ulna); the other settings are those of PostgreSQL itself.
The key that digests of secrets are made with is in the table `vault`: whoever may read the state may read it, as with a folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import psycopg
import psycopg.sql
from psycopg.conninfo import conninfo_to_dict

from engine.diagnostics.diagnostic import UlnaError
from engine.state.address import shown
from engine.state.log import Log
from engine.state.postgres import FORMAT, TABLES, Connection, PostgresLog
from engine.state.postgres_faults import newer, told, unreachable
from engine.state.store import Store

SCHEMA = "ulna"
_MAKING = 0x556C6E61
"""The advisory lock under which tables are made."""

_SETTINGS = {"connect_timeout": 10, "tcp_user_timeout": 15000, "application_name": "ulna"}


class PostgresStore(Store):
    """See the module. Opening one touches nothing: schema and tables are made when the first lease is taken."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(folder)
        self.url = url
        self.shown = shown(url)
        self._conninfo, self.schema = _parsed(url)

    @classmethod
    def at(cls, url: str, folder: Path) -> PostgresStore:
        """The store at an address; one that cannot be reached or read is refused at once."""
        store = cls(url, folder)
        with told(store.shown):
            db = store._reach(False)
            if db is not None:
                db.close()
        return store

    def log(self, environment: str) -> Log:
        """The log of an environment, which may have no event yet."""
        return PostgresLog(self.shown, environment, self._reach)

    def environments(self) -> tuple[str, ...]:
        """The environments that have a history, by name."""
        with told(self.shown):
            db = self._reach(False)
            if db is None:
                return ()
            with db:
                rows = db.execute("SELECT DISTINCT environment FROM events").fetchall()
        return tuple(sorted(str(row[0]) for row in rows))

    def vault_key(self) -> bytes:
        """The key of the digests of secrets: 32 bytes in a table, made when first asked for."""
        with told(self.shown):
            db = self._reach(True)
            assert db is not None
            with db, db.transaction():
                db.execute("LOCK TABLE vault IN EXCLUSIVE MODE")
                row = db.execute("SELECT key FROM vault").fetchone()
                if row is not None and isinstance(row[0], bytes):
                    return row[0]
                key = os.urandom(32)
                db.execute("INSERT INTO vault VALUES (%s)", (key,))
                return key

    # ---------------------------------------------------------------- the database

    def _reach(self, writing: bool) -> Connection | None:
        """A connection that sees the tables; None where there are none yet and nothing is to be written."""
        try:
            db: Connection = psycopg.connect(
                **self._conninfo,  # type: ignore[arg-type]
                autocommit=True,
                prepare_threshold=None,  # statements stay with a connection, which poolers share
            )
        except psycopg.Error as error:
            raise unreachable(error, self.shown) from None
        try:
            if db.execute("SELECT to_regclass('format')").fetchone() == (None,):
                if not writing:
                    db.close()
                    return None
                self._make(db)
            version = db.execute("SELECT version FROM format").fetchone()
            if version is None or not isinstance(version[0], int) or version[0] > FORMAT:
                raise newer(self.shown, version and version[0], FORMAT)
        except BaseException:
            db.close()
            raise
        return db

    def _make(self, db: Connection) -> None:
        with db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKING,))
            db.execute(psycopg.sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(psycopg.sql.Identifier(self.schema)))
            db.execute(TABLES)


def _parsed(url: str) -> tuple[dict[str, object], str]:
    """What the library takes, and the schema."""
    found = re.search(r"[?&]schema=([^&]*)", url)
    schema = found[1] if found else SCHEMA
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        help = "Use lower-case letters, digits and _."
        raise UlnaError.of("ULN407", f"'{schema}' cannot be the schema of the state", help, exit_code=2)
    plain = re.sub(r"schema=[^&]*&?", "", url).rstrip("?&") if found else url
    try:
        settings = conninfo_to_dict(plain)
    except psycopg.ProgrammingError:
        help = "Write postgresql://USER@HOST:PORT/DATABASE."
        raise UlnaError.of("ULN407", f"'{shown(url)}' is no address of a database", help, exit_code=2) from None
    options = f"{settings.get('options') or ''} -c search_path={schema}".strip()
    return {**_SETTINGS, **settings, "options": options}, schema
