"""Keeps one process running, detached from who started it: one small program a process, which listens for nothing.

It is told what to run through its standard input, so that no secret stands in a file or an argument list; it says on its
standard output whether that could be started; from then on it speaks through `status.json`. SIGTERM ends the process group:
SIGTERM, a grace period, SIGKILL. It holds the lock of its folder as long as it lives.
"""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

from engine.contract.blotting import blotted
from providers.process.output import Output
from providers.process.probes import Probe
from providers.process.shelf import Shelf, birth

FIRST_DELAY, LONGEST_DELAY = 0.2, 30.0
"""Seconds before a restart: doubled each time it ends early."""
EARLY = 10.0
"""A process that ends sooner than this after its start has failed to start."""
LIMIT = 4
"""So many early ends in a row are a crash loop."""
SETTLED = 0.2
"""A process without ports and probes counts as ready once it has lived so long."""
PATIENCE = 30.0
"""A process that does not listen on its port by then counts as ready all the same; its status says so."""
QUIET = 2.0
"""For so long, that it does not listen yet is not worth a word."""


class Supervisor:
    """The state of one process over all its restarts."""

    def __init__(self, shelf: Shelf, spec: dict[str, Any]) -> None:
        self.shelf = shelf
        self.spec = spec
        self.env: dict[str, str] = spec["env"]
        self.output = Output(shelf.file("log"), spec["logBytes"], spec["logFiles"])
        self.child: subprocess.Popen[bytes] | None = None
        self.pipe: int | None = None
        self.started = 0.0
        self.restart_at: float | None = None
        self.kill_at: float | None = None
        self.stopping = False
        self.early = 0
        self.readiness: Probe | None = None
        self.liveness: Probe | None = None
        self.said: dict[str, Any] = {}
        self.status: dict[str, Any] = {
            "state": "starting",
            "supervisor": os.getpid(),
            "pid": None,
            "birth": None,
            "health": "starting",
            "message": "",
            "exit_code": None,
            "restarts": 0,
        }
        self.woken, self.waker = os.pipe()
        for fd in (self.woken, self.waker):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(self.waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    # ------------------------------------------------------------ start and end of the process

    def start(self) -> None:
        """Start the process; raises `OSError` where that cannot be done."""
        folder = self.spec["folder"]
        if not os.path.isdir(folder):  # noqa: PTH112
            raise FileNotFoundError(errno.ENOENT, "its working directory does not exist", folder)
        ours, theirs = os.pipe()
        try:
            self.child = subprocess.Popen(
                self.spec["command"],
                cwd=folder,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        os.set_blocking(ours, False)
        now = self.started = time.monotonic()
        self.pipe, self.restart_at, self.kill_at = ours, None, None
        self.readiness = self._probe("readiness", now) or self._listens(now)
        self.liveness = self._probe("liveness", now)
        pid = self.child.pid
        self.status.update(state="running", pid=pid, birth=birth(pid), started=time.time())

    def _probe(self, which: str, now: float) -> Probe | None:
        check = self.spec.get(which)
        return Probe(check, now, which == "readiness") if check else None

    def _listens(self, now: float) -> Probe | None:
        """Whether it listens on its first port: what readiness means where nothing says so."""
        if self.spec["listens"] is None:
            return None
        check = {
            "kind": "tcp",
            "port": self.spec["listens"],
            "delay": 0,
            "period": 0.25,
            "timeout": 1,
            "threshold": 1 << 30,
        }
        return Probe(check, now, True)

    def ended(self, code: int, now: float) -> None:
        """The process is gone: what is left of its group goes too, and the policy says what is next."""
        assert self.child is not None
        self._signal(signal.SIGKILL)
        self._drain(1000)
        if self.pipe is not None:
            os.close(self.pipe)
        lived = now - self.started
        self.child = self.pipe = self.kill_at = None
        liveness = self.liveness.problem if self.liveness is not None and self.liveness.failed else ""
        self.readiness = self.liveness = None
        code = code if code >= 0 else 128 - code
        self.status.update(pid=None, birth=None, exit_code=code)
        if self.stopping:
            self.status.update(state="stopped", health="failed", message="")
            return
        self.early = self.early + 1 if lived < EARLY else 1
        message = f"its liveness probe failed: {liveness}" if liveness else self._last_words(code)
        policy = self.spec["restart"]
        if policy == "Never" or (policy == "OnFailure" and (code == 0 or self.early > LIMIT) and not liveness):
            good = code == 0 and not liveness
            self.status.update(state="ended", health="ready" if good else "failed", message="" if good else message)
            return
        delay = min(LONGEST_DELAY, FIRST_DELAY * 2 ** (self.early - 1))
        self.restart_at = now + delay
        health = "failed" if self.early >= LIMIT and lived < EARLY else "not-ready" if self._was_ready() else "starting"
        self.status.update(state="waiting", health=health, message=message)

    def _was_ready(self) -> bool:
        return self.status["health"] in ("ready", "not-ready")

    def _last_words(self, code: int) -> str:
        """How it ended, and what it said last, each line once; secrets are blotted out."""
        said = "\n".join(dict.fromkeys(blotted(self.output.tail(5), self.spec["secrets"]).splitlines()))
        times = f", {self.early} times in a row" if self.early > 1 else ""
        return f"it ended with exit code {code}{times}" + (f"; its last lines:\n{said}" if said else "")

    def _signal(self, number: int) -> None:
        if self.child is not None:
            try:
                os.killpg(self.child.pid, number)
            except (ProcessLookupError, PermissionError):
                return

    def _stop(self, now: float) -> None:
        """Ask the group to end, and note when to make it."""
        if self.child is not None and self.kill_at is None:
            self.kill_at = now + self.spec["grace"]
            self._signal(signal.SIGTERM)

    def _on_stop(self, *_: object) -> None:
        self.stopping = True

    def give_up(self, error: BaseException) -> None:
        """Leave no process behind that nobody looks after, and say why."""
        self._signal(signal.SIGKILL)
        message = f"its supervisor failed: {type(error).__name__}: {error}"
        self.status.update(state="ended", health="failed", message=message, pid=None, exit_code=137)
        self._say()

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        """Until the process has ended for good."""
        while True:
            now = time.monotonic()
            self._step(now)
            self._say()
            if self.status["state"] in ("ended", "stopped"):
                return
            due = [t for t in (self.restart_at, self.kill_at, *self._due()) if t is not None]
            timeout = max(0.0, min(due) - time.monotonic()) if due else None
            fds = [self.woken] if self.pipe is None else [self.woken, self.pipe]
            readable, _, _ = select.select(fds, [], [], timeout)
            if self.woken in readable:
                os.read(self.woken, 512)
            if self.pipe is not None and self.pipe in readable:
                self._drain()

    def _step(self, now: float) -> None:
        if self.child is not None and (code := self.child.poll()) is not None:
            self.ended(code, now)
        if self.stopping:
            if self.child is None:
                self.status.update(state="stopped", health="failed", message="")
                return
            self._stop(now)
        if self.kill_at is not None and now >= self.kill_at:
            self._signal(signal.SIGKILL)
            self.kill_at = now + 1
        if self.restart_at is not None and now >= self.restart_at:
            self._restart(now)
        if self.child is not None and self.kill_at is None:
            self._check(now)

    def _restart(self, now: float) -> None:
        self.status["restarts"] += 1
        try:
            self.start()
        except (OSError, ValueError) as error:
            reason, _ = explain(error, self.spec)
            self.early += 1
            self.restart_at = now + min(LONGEST_DELAY, FIRST_DELAY * 2**self.early)
            self.status.update(state="waiting", health="failed", message=reason)

    def _check(self, now: float) -> None:
        """Readiness and liveness of the running process."""
        lived = now - self.started
        if self.early and lived >= EARLY:
            self.early = 0
        for probe in (self.readiness, self.liveness):
            if probe is not None:
                probe.tick(now, self.env, self.spec["folder"], self._wake)
        if self.liveness is not None and self.liveness.failed:
            self._stop(now)
            return
        ready = self.readiness
        if ready is None:
            if lived >= SETTLED and self._calm(lived):
                self.status.update(health="ready", message="")
        elif ready.passed and not ready.failed:
            if self._calm(lived):
                self.status.update(health="ready", message="")
            if "readiness" not in self.spec:
                self.readiness = None  # it listens: that is all there was to know
        elif ready.failed:
            self.status.update(health="not-ready", message=f"its readiness probe fails: {ready.problem}")
        elif "readiness" in self.spec:
            if ready.problem and lived >= QUIET and self._calm(lived):
                self.status.update(message=f"its readiness probe fails: {ready.problem}")
        elif lived >= QUIET:
            words = f"nothing listens on its port {self.spec['listens']}"
            if lived >= PATIENCE:
                self.readiness = None
                self.status.update(health="ready", message=words)
            elif self._calm(lived):
                self.status.update(message=f"{words} yet")

    def _calm(self, lived: float) -> bool:
        """Whether "ready" can be believed: in a crash loop it cannot, before it has lived for a while."""
        return self.early < LIMIT or lived >= EARLY

    def _due(self) -> list[float | None]:
        if self.child is None or self.kill_at is not None:
            return []
        due = [p.next for p in (self.readiness, self.liveness) if p is not None]
        if self.status["health"] != "ready":
            if self.readiness is None and time.monotonic() - self.started < SETTLED:
                due.append(self.started + SETTLED)
            if self.early:
                due.append(self.started + EARLY)
        return due

    def _wake(self) -> None:
        try:
            os.write(self.waker, b"p")
        except OSError:  # full: it will wake up anyway
            return

    def _drain(self, reads: int = 16) -> None:
        """Keep what the process said so far; of one that never stops talking, only so much at a time."""
        for _ in range(reads):
            if self.pipe is None:
                return
            try:
                data = os.read(self.pipe, 1 << 16)
            except BlockingIOError:
                return
            if not data:
                os.close(self.pipe)
                self.pipe = None
                return
            self.output.write(data)

    def _say(self) -> None:
        """Write the status if it is another; on a full disk, try again with the next change."""
        if self.status != self.said:
            try:
                self.shelf.write("status.json", self.status)
            except OSError:
                return
            self.said = dict(self.status)


def explain(error: OSError | ValueError, spec: dict[str, Any]) -> tuple[str, str]:
    """Why a process could not be started, and what to do about it."""
    command, folder = spec["command"][0], spec["folder"]
    if isinstance(error, ValueError):
        return f"'{command}' cannot be started: {error}", "Look at the names and values of its environment variables."
    if error.filename == folder and error.errno == errno.ENOENT:
        return f"the working directory '{folder}' does not exist", "Make the folder, or change 'workingDirectory'."
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            help = f"'{command}' is neither on PATH nor a file in '{folder}'."
            if " " in command:
                help = f"Write it as a list, or put what follows '{command.split()[0]}' into 'args'."
            return f"the command '{command}' was not found", help
        case errno.EACCES:
            return f"permission denied to run '{command}'", f"Make it executable: chmod +x {command}"
        case errno.ENOEXEC:
            return f"'{command}' is not a program", "A script needs a first line that names its interpreter: #!/bin/sh"
        case _:
            return f"'{command}' cannot be started: {error.strerror or error}", ""


def report(**words: Any) -> None:
    """Say to whoever started us how it went, then let go of them; they may be dead by now."""
    with suppress(OSError):
        os.write(1, json.dumps(words).encode() + b"\n")
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.close(nothing)


def main() -> NoReturn:
    """`supervisor FOLDER LOCK`, with the specification on standard input and the lock as an inherited open file."""
    shelf, lock = Shelf(sys.argv[1]), int(sys.argv[2])
    spec = json.loads(sys.stdin.buffer.read() or b"null")
    if spec is None or os.fork():  # who started us died before saying what to run; or: let init be our parent
        os._exit(0)
    os.set_inheritable(lock, False)
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    supervisor = Supervisor(shelf, spec)
    try:
        supervisor.start()
    except (OSError, ValueError) as error:
        reason, help = explain(error, spec)
        report(error=reason, help=help, missing=getattr(error, "filename", "") == spec["command"][0])
        os._exit(1)
    supervisor._say()
    report(pid=supervisor.status["pid"])
    try:
        supervisor.run()
    except BaseException as error:  # a bug of ours: nobody is there to read a traceback
        supervisor.give_up(error)
    os._exit(0)
