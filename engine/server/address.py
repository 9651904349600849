"""Where a server is reached, and its token: for those who share its state folder, a file beside the state says so."""

from __future__ import annotations

import json
import os
from pathlib import Path

from engine.record import Record

FILE = "server.json"


class Address(Record):
    """A server: its process, its URL, its token."""

    pid: int
    url: str
    token: str


def write(folder: Path, address: Address) -> Path:
    """Say where it is reached, to its owner alone."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = folder / f"{FILE}.{os.getpid()}"
    text = json.dumps({f: getattr(address, f) for f in address.__fields__})
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    return draft.replace(folder / FILE)


def read(folder: Path) -> Address | None:
    """The server whose state is in this folder; None where none has said so."""
    try:
        return Address(**json.loads((folder / FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def erase(folder: Path, pid: int) -> None:
    """Say it no more, unless another server has taken over."""
    found = read(folder)
    if found is not None and found.pid == pid:
        (folder / FILE).unlink(missing_ok=True)
