"""Where a server is reached, and its token: for those who share its state folder, a file beside the state says so."""

from __future__ import annotations

import json
from pathlib import Path

from engine.live.address import announce, withdraw
from engine.record import Record

FILE = "server.json"


class Address(Record):
    """A server: its process, its URL, its token."""

    pid: int
    url: str
    token: str


def write(folder: Path, address: Address) -> Path:
    """Say where it is reached, to its owner alone; gives the file that says so."""
    announce(folder / FILE, address)
    return folder / FILE


def read(folder: Path) -> Address | None:
    """The server whose state is in this folder; None where none has said so."""
    try:
        return Address(**json.loads((folder / FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def erase(folder: Path, pid: int) -> None:
    """Say it no more, unless another server has taken over."""
    withdraw(folder / FILE, pid)
