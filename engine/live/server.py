"""Serves a session: on a socket for the command line, on a port for the dashboard. uvicorn does, in threads of its own."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from pathlib import Path
from typing import Self

import uvicorn
from starlette.routing import BaseRoute

from engine.diagnostics.diagnostic import UlnaError
from engine.live.address import LOOPBACKS, Address, erase, in_brackets, listening, origin, socket_of, write
from engine.live.api import Api
from engine.live.session import Session


def bound(host: str, port: int) -> socket.socket:
    """A socket that is bound there; port 0 is any free one. Raises `UlnaError` where that cannot be."""
    try:
        return listening(host, port)
    except OSError as error:
        message = f"The dashboard cannot listen on {in_brackets(host)}:{port}: {(error.strerror or '').lower()}"
        raise UlnaError.of("ULN561", message, "Name another port with --port, or 0 for any.") from None


class Server:
    """See the module; a context. `port` 0 is any free one, None no dashboard; `host` other than the loopback is the caller's wish.

    `named` says that it is the run of its environment: reached by the command line too, and named in a file beside the state.
    """

    def __init__(
        self,
        session: Session,
        folder: Path,
        port: int | None = 0,
        host: str = LOOPBACKS[0],
        pages: tuple[BaseRoute, ...] = (),
        named: bool = True,
    ) -> None:
        self.session = session
        self.folder = folder
        self.token = secrets.token_urlsafe(24)
        self.url = ""
        self._servers: list[tuple[uvicorn.Server, threading.Thread]] = []
        self._port, self._host, self._pages, self._named = port, host, pages, named
        self._socket = socket_of(folder) if named else ""

    def __enter__(self) -> Self:
        if self._named:
            self._serve(Api(self.session, None), self._bound())
        if self._port is not None:
            door = bound(self._host, self._port)
            self.url = f"{origin(self._host, door.getsockname()[1])}/"
            self._serve(Api(self.session, self.token, self._pages), door)
        if self._named:
            self._name()
        return self

    def _name(self) -> None:
        prepared = self.session.host.prepared
        address = Address(os.getpid(), self._socket, prepared.deployment, prepared.place(), self.url, self.token)
        write(self.folder, address)

    def __exit__(self, *_: object) -> None:
        if self._named:
            erase(self.folder, os.getpid())
        for server, thread in self._servers:
            server.should_exit = server.force_exit = True
            thread.join(5)
        if self._named:
            Path(self._socket).unlink(missing_ok=True)

    @property
    def entrance(self) -> str:
        """The address to open in a browser, with the token."""
        return f"{self.url}?token={self.token}" if self.url else ""

    def _bound(self) -> socket.socket:
        Path(self._socket).unlink(missing_ok=True)  # whoever held the lease before is gone
        local = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            local.bind(self._socket)
        finally:
            os.umask(before)
        return local

    def _serve(self, api: Api, listening: socket.socket) -> None:
        config = uvicorn.Config(
            api.app,
            log_level="error",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), name="http", daemon=True)
        thread.start()
        self._servers.append((server, thread))
        end = time.monotonic() + 10
        while not server.started and thread.is_alive() and time.monotonic() < end:
            time.sleep(0.005)
