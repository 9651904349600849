"""Who holds a lease: a process, told apart from a later one with the same number by its start time."""

from __future__ import annotations

import os
from pathlib import Path

from engine.record import Record

HEARTBEAT = 5.0
"""Seconds between two signs of life."""

EXPIRY = 15.0
"""Seconds without one after which a lease is free."""


_STAYS = "run-"


class Owner(Record):
    """One running Ulna: `started` is the start time of its process as the system tells it ("" where it does not)."""

    host: str
    pid: int
    started: str
    nonce: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"

    @property
    def stays(self) -> bool:
        """Whether it holds its lease until somebody ends it, as a run does; its nonce tells."""
        return self.nonce.startswith(_STAYS)


def this_process(stays: bool = False) -> Owner:
    """The owner that this process is, with a nonce of its own at every call."""
    pid = os.getpid()
    return Owner(host_name(), pid, start_time(pid) or "", _STAYS * stays + os.urandom(8).hex())


def host_name() -> str:
    """The name of this machine."""
    return os.uname().nodename


def start_time(pid: int) -> str | None:
    """When a process of this machine began, in whatever unit the system counts; None if it is not there, "" if unknown."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return None if Path("/proc/self/stat").exists() or not _exists(pid) else ""
    except OSError:
        return ""
    # the name in parentheses may hold anything, half a letter too; field 22 of the whole, counted behind it
    fields = stat.rpartition(b")")[2].split()
    return None if fields[0] == b"Z" else fields[19].decode()


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def is_free(owner: Owner, heartbeat: float, now: float) -> bool:
    """Whether the lease of an owner may be taken: silent for too long, or known to be dead."""
    if now - heartbeat > EXPIRY:
        return True
    if owner.host != host_name():
        return False
    began = start_time(owner.pid)
    return began is None or (bool(began and owner.started) and began != owner.started)
