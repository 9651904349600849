"""TCP and UDP ports of this machine: whether one is free, and which one to take."""

from __future__ import annotations

import errno
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from engine.contract.errors import Terminal
from engine.contract.value import Value

NEAR = 50
"""So many ports above the preferred one are tried, since people remember 3001 better than 34817."""


def is_free(port: int, protocol: str = "TCP") -> bool:
    """Whether a program could listen on it, on the loopback addresses."""
    kind = socket.SOCK_DGRAM if protocol == "UDP" else socket.SOCK_STREAM
    return all(_can_bind(family, kind, host, port) for family, host in _loopback())


def loopback() -> list[str]:
    """The loopback addresses that this machine has, as they stand in a URL."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return ["127.0.0.1"]
    return ["127.0.0.1", "[::1]"]


def _loopback() -> Iterator[tuple[socket.AddressFamily, str]]:
    yield socket.AF_INET, "127.0.0.1"
    if socket.has_ipv6:
        yield socket.AF_INET6, "::1"


def _can_bind(family: socket.AddressFamily, kind: socket.SocketKind, host: str, port: int) -> bool:
    try:
        with socket.socket(family, kind) as probe:
            if sys.platform == "linux" and kind == socket.SOCK_STREAM:  # a connection that lingers is no listener
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        return error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)  # no such family here: nobody can take it
    return True


def candidates(preferred: int | None, protocol: str) -> Iterator[int]:
    """Ports in the order to try: the preferred, those right above it, then what the system offers."""
    if preferred is not None:
        yield preferred
        low = preferred if preferred >= 1024 else preferred + 8000
        yield from range(low + (low == preferred), min(low + NEAR, 65536))
    kind = socket.SOCK_DGRAM if protocol == "UDP" else socket.SOCK_STREAM
    for _ in range(1000):
        with socket.socket(socket.AF_INET, kind) as any_port:
            any_port.bind(("127.0.0.1", 0))
            offered: int = any_port.getsockname()[1]
        yield offered


def refuse_taken(ports: Mapping[str, Value], patience: float = 1.0) -> None:
    """Raise if somebody else listens on one of a process's ports: it could only die of that.

    A process that was just killed may hold its port for some milliseconds.
    """
    deadline = time.monotonic() + patience
    for name, port in ports.items():
        while isinstance(port, int) and not is_free(port):
            if time.monotonic() > deadline:
                help = f"End the program that listens on {port} (lsof -i :{port} finds it), and deploy again."
                raise Terminal(f"port {port} ('{name}') is in use by {holder(port)}", help)
            time.sleep(0.02)


def holder(port: int) -> str:
    """Who listens on a port, as far as the system lets us look."""
    wanted = {f"socket:[{inode}]" for inode in _listening(port)}
    for folder in Path("/proc").iterdir() if wanted else ():
        if folder.name.isdigit():
            with suppress(OSError):  # it is not ours, or gone by now
                if any(str(fd.readlink()) in wanted for fd in (folder / "fd").iterdir()):
                    return f"'{(folder / 'comm').read_text(errors='replace').strip()}' (process {folder.name})"
    return "another program"


def _listening(port: int) -> Iterator[str]:
    """The inodes of the sockets that listen on a port, from Linux' tables."""
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                    yield fields[9]
