"""Where a store is: a folder, or the address of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from engine.diagnostics.diagnostic import UlnaError

SCHEMES = ("postgresql://", "postgres://")
"""What addresses of databases begin with."""

Place = Path | str
"""A folder, or an address that `is_database`."""


def is_database(text: str) -> bool:
    """Whether a text is the address of a database."""
    return text.startswith(SCHEMES)


def shown(url: str) -> str:
    """The address as it may be told to anybody: without a password, and without settings."""
    scheme, _, rest = url.partition("://")
    user, at, tail = rest.rpartition("@")  # the last one: what a password holds may be written as it is
    for mark in ":/?":
        user = user.partition(mark)[0]
    return f"{scheme}://{user}{at}{tail.partition('?')[0]}"


def has_password(url: str) -> bool:
    """Whether the address holds a password, which everybody sees who lists the processes of the machine."""
    return ":" in url.partition("://")[2].rpartition("@")[0] or "password=" in url.partition("?")[2]


def given(text: str) -> Place:
    """What --state names; refuses a password in it."""
    if not is_database(text):
        return Path(text)
    if has_password(text):
        help = "Leave it out, and give it in PGPASSWORD or ~/.pgpass; or give the whole address in ULNA_STATE."
        raise UlnaError.of("ULN409", "--state holds a password, which others could read", help, exit_code=2)
    return text
