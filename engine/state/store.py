"""The store of a `.ulna/` folder: one file, a log an environment, and the key that digests of secrets are made with."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from engine.state.event import Deployment
from engine.state.faults import damaged, newer, told
from engine.state.fold import State
from engine.state.log import Log
from engine.state.sqlite import APPLICATION, FORMAT, TABLES, SqliteLog

FILE = "state.db"
KEY = "vault.key"
_PATIENCE = 5.0


class Store:
    """See the module. Opening one touches nothing: folder and file are made when the first lease is taken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / FILE

    @classmethod
    def open(cls, folder: Path) -> Store:
        """The store of a folder; a file that cannot be read as one is refused at once."""
        store = cls(folder)
        with told(store.path):
            db = store._connect(False)
            if db is not None:
                db.close()
        return store

    def log(self, environment: str) -> Log:
        """The log of an environment, which may have no event yet."""
        return SqliteLog(self.path, environment, self._connect)

    def environments(self) -> tuple[str, ...]:
        """The environments that have a history, by name."""
        with told(self.path):
            db = self._connect(False)
            if db is None:
                return ()
            try:
                return tuple(r[0] for r in db.execute("SELECT DISTINCT environment FROM events ORDER BY environment"))
            finally:
                db.close()

    def read_only(self, environment: str) -> State:
        """The state of an environment as it is now, without a lease."""
        return self.log(environment).state()

    def state(self, environment: str) -> State:
        """The same, for those who read it as "the state of"."""
        return self.read_only(environment)

    def deployments(self, environment: str) -> tuple[Deployment, ...]:
        """What is known of the deployments of an environment, by name."""
        return tuple(sorted(self.read_only(environment).deployments.values(), key=lambda d: d.name))

    def vault_key(self) -> bytes:
        """The key of the digests of secrets: 32 bytes beside the state, made when first asked for, readable by its owner only."""
        path = self.folder / KEY
        with told(path):
            if not path.exists():
                self._make_folder()
                self._publish(path, lambda new: _write_private(new, os.urandom(32)))
            key = path.read_bytes()
        if len(key) != 32:
            raise damaged(path)
        return key

    # ---------------------------------------------------------------- the file

    def _connect(self, writing: bool) -> sqlite3.Connection | None:
        """A connection; None where there is nothing to read yet."""
        if not self.path.exists():
            if not writing:
                return None
            self._make_folder()
            self._publish(self.path, _make_file)
        if self.path.stat().st_size == 0:
            raise damaged(self.path)
        db = self._open("rw")
        if not writing:
            try:
                self._check(db)
            except sqlite3.OperationalError:
                db.close()
                wal = self.path.with_name(FILE + "-wal")
                if wal.exists() and wal.stat().st_size:
                    raise  # the newest events are in there, and a read-only folder hides them
                db = self._open("ro&immutable=1")
                self._check(db)
            return db
        self._check(db)
        db.execute("PRAGMA synchronous = FULL")
        return db

    def _open(self, mode: str) -> sqlite3.Connection:
        address = self.path.absolute().as_uri() + f"?mode={mode}"
        # one engine uses it from whichever of its threads holds the lock
        return sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)

    def _check(self, db: sqlite3.Connection) -> None:
        try:
            application = db.execute("PRAGMA application_id").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if application != APPLICATION:
                raise damaged(self.path)
            if version > FORMAT:
                raise newer(self.path, version, FORMAT)
            pages, size = (db.execute(f"PRAGMA {p}").fetchone()[0] for p in ("page_count", "page_size"))
            wal = self.path.with_name(FILE + "-wal")
            if self.path.stat().st_size < pages * size and not (wal.exists() and wal.stat().st_size):
                raise damaged(self.path)
        except BaseException:
            db.close()
            raise

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _publish(self, path: Path, make: Callable[[Path], None]) -> None:
        """Make a file under another name and give it its own in one step, unless somebody else was faster."""
        new = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.new")
        try:
            make(new)
            try:
                os.link(new, path)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                new.rename(path)
        finally:
            new.unlink(missing_ok=True)


def _write_private(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, content)
        os.fsync(handle)
    finally:
        os.close(handle)


def _make_file(path: Path) -> None:
    _write_private(path, b"")
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.executescript(TABLES)
        db.execute("PRAGMA journal_mode = WAL")  # remembered in the file
    finally:
        db.close()
    path.with_name(path.name + "-wal").unlink(missing_ok=True)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
