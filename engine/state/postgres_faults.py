"""What PostgreSQL refuses, in words of people; the address that is told holds no password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from engine.diagnostics.diagnostic import UlnaError


@contextmanager
def told(shown: str) -> Iterator[None]:
    """Turn the errors of PostgreSQL inside the block into `UlnaError`."""
    try:
        yield
    except psycopg.Error as error:
        raise explain(error, shown) from None


def unreachable(error: psycopg.Error, shown: str) -> UlnaError:
    """No connection could be made at all."""
    return UlnaError.of(
        "ULN407",
        f"The state at '{shown}' cannot be reached: {_reason(error)}",
        "Check that the server runs there and lets you in; the password is read from PGPASSWORD or ~/.pgpass.",
    )


def explain(error: psycopg.Error, shown: str) -> UlnaError:
    """The error for people."""
    match error:
        case errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return UlnaError.of(
                "ULN404",
                f"The state at '{shown}' cannot be used: {_reason(error)}",
                "Let the role create a schema in the database, or use and write the one there is; a standby is read only.",
            )
        case errors.DiskFull():
            return UlnaError.of(
                "ULN405",
                f"The disk of the server is full: the state at '{shown}' cannot grow",
                "Free some space and run the command again; what was done until now is recorded and will be found.",
            )
        case errors.LockNotAvailable() | errors.QueryCanceled():
            return UlnaError.of(
                "ULN403",
                f"The state at '{shown}' is locked by another program",
                "End whatever holds its tables (a migration, a backup), and run the command again.",
            )
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return UlnaError.of(
                "ULN408",
                f"The connection to the state at '{shown}' was lost ({_reason(error)})",
                "Run the command again once the server is back; what was done until now is recorded and will be found.",
            )
        case _:
            return UlnaError.of(
                "ULN402",
                f"The state at '{shown}' is not as it should be ({_reason(error)})",
                "Restore the database from a backup, or choose another place with --state.",
            )


def newer(shown: str, version: object, ours: int) -> UlnaError:
    """The tables were made by a later Ulna."""
    return UlnaError.of(
        "ULN401",
        f"The state at '{shown}' has format {version}, this Ulna understands {ours}",
        "Upgrade Ulna to the version that wrote it, or newer; the tables were left as they are.",
    )


def _reason(error: psycopg.Error) -> str:
    """The last thing the server or the library says, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = lines[0] if error.sqlstate else (lines or [type(error).__name__])[-1]
    return last.rpartition("FATAL:")[2].strip().removeprefix("- ").rstrip(".")
