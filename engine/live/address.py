"""Where a run of an environment is reached: a file beside its state says so, for as long as it lives."""

from __future__ import annotations

import json
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

from engine.record import Record

FILE = "live.json"
LOOPBACKS = ("127.0.0.1", "::1", "localhost")
"""Where this machine alone reaches what listens there."""

LONGEST = 100
"""Bytes of the path of a socket that every system takes."""


class Address(Record):
    """A run: its process, its socket, and the address and token of its dashboard, "" where it has none."""

    pid: int
    socket: str
    deployment: str
    file: str
    url: str = ""
    token: str = ""


def listening(host: str, port: int) -> socket.socket:
    """A socket that is bound to an address of either family; port 0 is any free one. Raises `OSError` where that cannot be."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host.strip("[]"), port))
    except OSError:
        found.close()
        raise
    return found


def origin(host: str, port: int) -> str:
    """The URL of what listens there, without a path: addresses with colons stand in brackets."""
    return f"http://{'localhost' if host == LOOPBACKS[0] else in_brackets(host)}:{port}"


def in_brackets(host: str) -> str:
    """A host as it stands in a URL or in the header of a request."""
    return f"[{host.strip('[]')}]" if ":" in host else host


def host_of(header: str) -> str:
    """The host in the header of that name, without its port."""
    host, bracket, port = header.partition("]") if header.startswith("[") else (header.partition(":")[0], "", "")
    return host + bracket if not port or port.startswith(":") else header


def read(folder: Path) -> Address | None:
    """The run that holds an environment; `folder` is that of the environment. None where none does."""
    try:
        data: dict[str, Any] = json.loads((folder / FILE).read_bytes())
        found = Address(**data)
    except (OSError, ValueError, TypeError):
        return None
    return found if os.path.exists(found.socket) else None  # noqa: PTH110


def write(folder: Path, address: Address) -> None:
    """Say where it is reached, to its owner alone."""
    announce(folder / FILE, address)


def erase(folder: Path, pid: int) -> None:
    """Say it no more, unless another run has taken over."""
    withdraw(folder / FILE, pid)


def announce(file: Path, address: Record) -> None:
    """Write a record into a file that its owner alone may read, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    text = json.dumps({f: getattr(address, f) for f in address.__fields__})
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    draft.replace(file)


def withdraw(file: Path, pid: int) -> None:
    """Remove what a process announced, unless another has announced itself since."""
    try:
        announced = json.loads(file.read_bytes())["pid"]
    except (OSError, ValueError, TypeError, KeyError):
        return
    if announced == pid:
        file.unlink(missing_ok=True)


def socket_of(folder: Path) -> str:
    """The path of an environment's socket: in its folder, or where paths are short."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = str(folder.resolve() / "run.sock")
    if len(path.encode()) <= LONGEST:
        return path
    from zlib import crc32

    short = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / f"ulna-{os.getuid()}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid() or short.stat().st_mode & 0o077:
        raise PermissionError(f"'{short}' belongs to somebody else, or may be used by others")
    return str(short / f"{crc32(path.encode()):08x}.sock")
