"""`ulna server`: serves the queue on a port, and keeps as many workers alive as it was told to."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import uvicorn
from dbos import DBOS

from engine.diagnostics.diagnostic import UlnaError
from engine.live.address import LOOPBACKS, in_brackets, listening, origin
from engine.record import Record
from engine.server.address import Address, erase, write
from engine.server.api import Api
from engine.server.database import Database
from engine.server.queue import Queue, register
from engine.state.store import Store

KEPT = 30 * 86400.0
"""Seconds for which what was submitted and has ended is remembered."""

TOKEN = "ULNA_TOKEN"


class Settings(Record):
    """How it is reached: port 0 is any free one; `names` are host names besides those of this machine."""

    port: int = 0
    listen: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    workers: int = 1


def serve(store: Store, settings: Settings, say: Callable[[str], None], words: tuple[str, ...]) -> int:
    """Serve until somebody ends it; `words` are options that a worker needs to find the same state."""
    database = Database(store)
    database.make()
    door = _listening(settings)
    DBOS(config=database.config(f"server-{os.getpid()}-{secrets.token_hex(4)}"))
    DBOS.listen_queues([])
    DBOS.launch()
    register()
    queue = Queue(database)
    queue.forget(time.time() - KEPT)
    token = os.environ.get(TOKEN) or secrets.token_urlsafe(24)
    url = origin(settings.listen, door.getsockname()[1])
    app = Api(queue, token, settings.names).app
    server = uvicorn.Server(
        uvicorn.Config(
            app, log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=1, server_header=False
        )
    )
    ending = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.set())
    thread = threading.Thread(target=server.run, args=([door],), name="http", daemon=True)
    thread.start()
    file = write(store.folder, Address(os.getpid(), url, token))
    say(f"serves {url}")
    say(f"the token is in {file}; elsewhere, give it in {TOKEN}")
    if settings.listen.strip("[]") not in LOOPBACKS:
        say("others can reach it: put something that speaks TLS in front of it, since the token travels as it is")
    workers = _Workers(settings.workers, words, say)
    try:
        while not ending.wait(0.5):
            workers.replace_dead()
    finally:
        erase(store.folder, os.getpid())
        workers.end()
        server.should_exit = server.force_exit = True
        thread.join(5)
        DBOS.destroy()
    return 0


class _Workers:
    """The workers of this machine: one that ends is replaced, not more often than once in a while."""

    def __init__(self, number: int, words: tuple[str, ...], say: Callable[[str], None]) -> None:
        self._words = words
        self._say = say
        self._running: list[tuple[subprocess.Popen[bytes], float]] = [self._begin() for _ in range(number)]

    def _begin(self) -> tuple[subprocess.Popen[bytes], float]:
        program = "from engine.cli.main import program; program()"
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", program, "worker", *self._words], stdin=subprocess.DEVNULL
        )
        return process, time.monotonic()

    def replace_dead(self) -> None:
        """Begin another for each that ended."""
        for n, (process, began) in enumerate(self._running):
            if process.poll() is not None and time.monotonic() - began > 1.0:
                self._say(f"worker {process.pid} ended ({process.returncode}); another takes its place")
                self._running[n] = self._begin()

    def end(self) -> None:
        """Let them finish the calls that run."""
        for process, _ in self._running:
            process.terminate()
        for process, _ in self._running:
            process.wait()


def _listening(settings: Settings) -> socket.socket:
    try:
        door = listening(settings.listen, settings.port)
        door.listen(128)  # who comes before the server is up waits, and is not turned away
    except OSError as error:
        where = f"{in_brackets(settings.listen)}:{settings.port}"
        message = f"The server cannot listen on {where}: {(error.strerror or str(error)).lower()}"
        raise UlnaError.of("ULN575", message, "Name another port with --port, or 0 for any.") from None
    return door
