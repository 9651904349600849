"""What SQLite refuses, in words of people; every message says what to do, and that nothing was lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.diagnostics.diagnostic import UlnaError


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of the file system inside the block into `UlnaError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, path) from error
    except OSError as error:
        raise UlnaError.of(
            "ULN404",
            f"The state at '{path}' cannot be used: {error.strerror}",
            "Check the permissions of the folder, or choose another with --state.",
        ) from error


def explain(error: sqlite3.Error, path: Path) -> UlnaError:
    """The error for people."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return UlnaError.of(
            "ULN403",
            f"The state file '{path}' is locked by another program",
            "Close the program that has it open (a database browser, a backup), and run the command again.",
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_SCHEMA")):
        return damaged(path)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return UlnaError.of(
            "ULN404",
            f"The state at '{path}' cannot be written",
            "Check the permissions of the folder, or choose another with --state.",
        )
    if name.startswith("SQLITE_FULL"):
        return UlnaError.of(
            "ULN405",
            f"The disk is full: the state file '{path}' cannot grow",
            "Free some space and run the command again; what was done until now is recorded and will be found.",
        )
    if name.startswith("SQLITE_IOERR"):
        return UlnaError.of(
            "ULN406",
            f"Reading or writing the state file '{path}' failed ({error})",
            "Check the disk and run the command again; what was done until now is recorded and will be found.",
        )
    return UlnaError.of(
        "ULN402",
        f"The state file '{path}' is not as it should be ({error})",
        "Restore it from a backup, or choose another folder with --state.",
    )


def damaged(path: Path) -> UlnaError:
    """The file is there and is no state, or no longer."""
    return UlnaError.of(
        "ULN402",
        f"The state file '{path}' is damaged or not a state file of Ulna",
        "Restore it from a backup, or move it away and deploy again; Ulna left it as it is.",
    )


def newer(path: Path, version: int, ours: int) -> UlnaError:
    """The file was written by a later Ulna."""
    return UlnaError.of(
        "ULN401",
        f"The state file '{path}' has format {version}, this Ulna understands {ours}",
        "Upgrade Ulna to the version that wrote it, or newer; the file was left as it is.",
    )
