"""The user's cache folder: what Ulna keeps there it can make again, so a cache that cannot be used is none."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds, and every call of Ulna comes here
    from pathlib import Path


def cache_folder() -> Path:
    """Where it is: `$XDG_CACHE_HOME/ulna` if that is absolute, else `~/.cache/ulna`; who has no home has a place that is none."""
    from pathlib import Path

    return Path(folder())


def kept(name: str) -> bytes | None:
    """The content of a file in the cache; None if it cannot be read. Does without pathlib, which costs start-up time."""
    try:
        with open(os.path.join(folder(), name), "rb") as file:  # noqa: PTH118, PTH123
            return file.read()
    except OSError:
        return None


def own(name: str) -> bytes | None:
    """The same, of a file that nobody else could have written: for what is run, not just read."""
    try:
        with open(os.path.join(folder(), name), "rb") as file:  # noqa: PTH118, PTH123
            status = os.fstat(file.fileno())
            return None if status.st_uid != os.geteuid() or status.st_mode & 0o022 else file.read()
    except OSError:
        return None


def folder() -> str:
    """The same, without pathlib."""
    wanted = os.environ.get("XDG_CACHE_HOME") or ""
    if os.path.isabs(wanted):  # noqa: PTH117
        return os.path.join(wanted, "ulna")  # noqa: PTH118
    home = os.path.expanduser("~")  # noqa: PTH111
    return os.path.join(os.devnull if home == "~" else os.path.join(home, ".cache"), "ulna")  # noqa: PTH118


def keep(file: Path, content: str | bytes) -> None:
    """Write a file in one step, readable by its owner only; or leave it, if it cannot be written."""
    from engine.contract.private import write

    try:
        write(file, content)
    except OSError:
        return
