"""The folder of one process: its wish, its status, its lock, its output. Shared by both sides, so it imports little.

    wish.json     the token and what was asked for, secrets as references; written before anything is started
    lock          held (flock) by the supervisor for as long as it lives, with its pid inside
    status.json   what the supervisor last said of the process
    log, log.1 …  what the process said, newest first

All files are 0600. A lock that can be taken means that no supervisor is alive: no pid has to be trusted for that.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
from typing import Any

from engine.contract.private import make

Status = dict[str, Any]


def name_of(token: str) -> str:
    """A file name for a token: readable, and never the same for two tokens."""
    name = "".join(c if (c.isalnum() and c.isascii()) or c in "-_." else _escaped(c) for c in token)
    if len(name) < 200:
        return name
    from hashlib import blake2b

    return f"{name[:150]}%{blake2b(token.encode(), digest_size=16).hexdigest()}"


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogatepass"))


class Shelf:
    """See the module; `path` is the folder."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path

    def file(self, name: str) -> str:
        """The path of one of its files."""
        return f"{self.path}/{name}"

    @property
    def exists(self) -> bool:
        """Whether something was ever asked for under its token."""
        return os.path.exists(self.file("wish.json"))  # noqa: PTH110  pathlib costs the supervisor 8 ms

    def make(self) -> None:
        """Make the folder, and those above it."""
        make(self.path)

    def write(self, name: str, data: Any) -> None:
        """Replace a JSON file in one step."""
        self.write_text(name, json.dumps(data))

    def write_text(self, name: str, text: str) -> None:
        """Replace a file in one step."""
        draft = self.file(f"{name}.new")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(draft, self.file(name))  # noqa: PTH105

    def drop(self, name: str) -> None:
        """Remove a file, if it is there."""
        if os.path.exists(self.file(name)):  # noqa: PTH110
            os.unlink(self.file(name))  # noqa: PTH108

    def read(self, name: str) -> Any:
        """A JSON file, or None where there is none that can be read."""
        try:
            with open(self.file(name), encoding="utf-8") as file:  # noqa: PTH123
                return json.load(file)
        except (OSError, ValueError):
            return None

    def status(self) -> Status | None:
        """What the supervisor last said."""
        status = self.read("status.json")
        return status if isinstance(status, dict) else None

    def said_at(self) -> int:
        """When the supervisor last said something else, in nanoseconds; 0 before that."""
        try:
            return os.stat(self.file("status.json")).st_mtime_ns  # noqa: PTH116
        except OSError:
            return 0

    def lock(self) -> int | None:
        """Take the lock, as an open file; None if a supervisor holds it."""
        fd = os.open(self.file("lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(fd)
            return None
        os.ftruncate(fd, 0)
        return fd

    def supervisor(self) -> int | None:
        """The pid of the supervisor that is alive: 0 while it has not yet written it, None if there is none."""
        try:
            fd = os.open(self.file("lock"), os.O_RDWR)
        except OSError:
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            written = os.read(fd, 20)
            return int(written) if written.isdigit() else 0
        finally:
            os.close(fd)
        return None

    def remove(self) -> None:
        """Remove the folder and all in it."""
        try:
            names = os.listdir(self.path)  # noqa: PTH208
        except FileNotFoundError:
            return
        for name in sorted(names, key=lambda n: n == "wish.json"):  # the wish last: without it nothing is there
            if os.path.isdir(self.file(name)) and not os.path.islink(self.file(name)):  # noqa: PTH112, PTH114
                _empty(self.file(name))
            else:
                os.unlink(self.file(name))  # noqa: PTH108
        os.rmdir(self.path)  # noqa: PTH106


def _empty(path: str) -> None:
    """Remove a folder of a process's own making."""
    from shutil import rmtree

    rmtree(path)


def birth(pid: int) -> str | None:
    """When a process started, in words of the system's own; None if it does not live. A pid alone may be another's."""
    if sys.platform == "linux":
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123  the name may be cut in the middle of a letter
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return None
        return None if fields[0] in b"ZX" else fields[19].decode()
    import subprocess

    shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip() or None
