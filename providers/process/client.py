"""Starts, finds and stops supervised processes: all effects of this provider but ports."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal, Transient
from engine.diagnostics.suggest import did_you_mean
from providers.process.shelf import Shelf, Status, birth, name_of

TOKEN = "ULNA_TOKEN"
_ROOT = str(Path(__file__).parent.parent.parent)
_PROGRAM = f"import sys; sys.path.append({_ROOT!r}); from providers.process.supervisor import main; main()"

Mark = tuple[int, bool]
"""When a supervisor last said something else, in nanoseconds, and whether it is alive."""


class Client:
    """The processes below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def shelf(self, token: str) -> Shelf:
        """The folder of the process with this token."""
        return Shelf(str(self.folder / name_of(token)))

    def start(self, token: str, wish: Any, spec: dict[str, Any]) -> Shelf:
        """Start a process under a supervisor; returns once it runs. What already runs under the token is left alone.

        `wish` is kept in a file, `spec` is for the supervisor alone.
        """
        shelf = self.shelf(token)
        try:
            shelf.make()
            while (lock := self._lock(shelf)) is None:
                if self._await_status(shelf):  # somebody was faster
                    return shelf
            if shelf.exists:
                status = shelf.status()
                if status is not None and status["state"] == "ended":
                    os.close(lock)
                    return shelf
                self._sweep(token, status)
                shelf.drop("status.json")
            shelf.write("wish.json", {"token": token, "wish": wish})
        except OSError as error:
            reason = f"'{shelf.path}' cannot be written: {error.strerror}"
            raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error
        try:
            self._spawn(shelf, token, spec, lock)
        except OSError as error:
            raise Transient(f"its supervisor cannot be started: {error.strerror}") from error
        finally:
            os.close(lock)
        return shelf

    def look_for(self, command: str, folder: str, path: str | None) -> None:
        """Raise if a command could not be started in a folder: what the start itself would say."""
        import errno
        from shutil import which

        path = path if path is not None else os.environ.get("PATH", os.defpath)
        if not os.path.isdir(folder):  # noqa: PTH112
            error: OSError = FileNotFoundError(errno.ENOENT, "", folder)
        elif which(os.path.join(folder, command) if "/" in command else command, path=path) is None:  # noqa: PTH118
            there = "/" in command and os.path.exists(os.path.join(folder, command))  # noqa: PTH110, PTH118
            error = OSError(errno.EACCES if there else errno.ENOENT, "", command)
        else:
            return
        from providers.process.supervisor import explain

        reason, help = explain(error, {"command": [command], "folder": folder})
        raise Terminal(reason, (error.filename == command and meant(command, path)) or help)

    def mark(self, token: str) -> str:
        """What a process carries in its environment: the token, and the folder, since others use the same tokens."""
        return f"{token}@{self.folder}"

    def _lock(self, shelf: Shelf) -> int | None:
        """The lock; a look by somebody else does not count as a supervisor."""
        while (lock := shelf.lock()) is None and shelf.supervisor() is None:
            time.sleep(0.003)
        return lock

    def _spawn(self, shelf: Shelf, token: str, spec: dict[str, Any], lock: int) -> None:
        import subprocess

        from providers.process.inheriting import inherited

        mark = self.mark(token)
        passed = inherited()
        spec = {**spec, "env": {**passed, **spec["env"], TOKEN: mark}}
        with subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PROGRAM, shelf.path, str(lock)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**passed, TOKEN: mark},
            cwd="/",
            start_new_session=True,
            pass_fds=(lock,),
        ) as process:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            try:
                process.stdin.write(json.dumps(spec).encode())
                process.stdin.close()
            except BrokenPipeError:
                pass  # what it says on its standard error is the better message
            line = process.stdout.readline()
            trouble = "" if line else process.stderr.read().decode(errors="replace").strip()
        if not line:
            last = trouble.splitlines()[-1] if trouble else "no message"
            raise Transient(f"its supervisor ended before it started anything: {last}")
        answer = json.loads(line)
        if "error" in answer:
            shelf.remove()
            command = spec["command"][0] if answer.get("missing") else ""
            raise Terminal(answer["error"], meant(command, spec["env"].get("PATH", "")) or answer["help"])

    def _await_status(self, shelf: Shelf) -> bool:
        """Whether a supervisor that somebody else started says how the process is; it may die before it could start one."""
        for _ in range(1000):
            if shelf.status() is not None:
                return True
            if shelf.supervisor() is None:
                return shelf.status() is not None
            time.sleep(0.01)
        raise Transient("its supervisor does not say how the process is", after=1)

    def stop(self, token: str, grace: float, stopping: Callable[[], bool]) -> None:
        """End a process and its supervisor, and remove its folder; no error if there is none."""
        shelf = self.shelf(token)
        status = shelf.status()
        deadline = time.monotonic() + grace + 5
        asked = False
        pause = 0.002
        while (pid := shelf.supervisor()) is not None:
            if pid and not asked:
                asked = _kill(pid, signal.SIGTERM)
            late = time.monotonic() - deadline
            if late > 0 and pid:
                _kill(pid, signal.SIGKILL)
            if late > 5:
                raise Transient("its supervisor does not end", f"Look at process {pid}." if pid else "")
            if stopping():
                raise Transient("it was being stopped when Ulna was asked to stop")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
        if shelf.exists:
            status = shelf.status() or status
            if status is not None and status.get("adopted"):
                self._end(status, deadline - 5, stopping)
            self._sweep(token, status)
        try:
            shelf.remove()
        except OSError as error:
            raise Transient(f"'{shelf.path}' cannot be removed: {error.strerror}") from error

    def _end(self, status: Status, deadline: float, stopping: Callable[[], bool]) -> None:
        """Ask a process without a supervisor to end, and wait until it has or the deadline is over."""
        if alive(status, str(self.folder)):
            _kill(status["pid"], signal.SIGTERM)
        while alive(status, str(self.folder)) and time.monotonic() < deadline:
            if stopping():
                raise Transient("it was being stopped when Ulna was asked to stop")
            time.sleep(0.02)

    def shelves(self) -> Iterator[tuple[str, Status]]:
        """All tokens of this folder with what is said of their processes."""
        for folder in self.folder.iterdir() if self.folder.is_dir() else ():
            shelf = Shelf(str(folder))
            if (wish := shelf.read("wish.json")) is not None and (status := shelf.status()) is not None:
                yield wish["token"], status

    def marks(self) -> dict[str, Mark]:
        """What tells, without reading, whether something happened to a process: by the name of its folder."""
        if not self.folder.is_dir():
            return {}
        shelves = {f.name: Shelf(str(f)) for f in self.folder.iterdir()}
        return {name: (shelf.said_at(), shelf.supervisor() is not None) for name, shelf in shelves.items()}

    def token_of(self, name: str) -> str | None:
        """The token of a folder, None once it is gone."""
        wish = Shelf(str(self.folder / name)).read("wish.json")
        return wish["token"] if wish is not None else None

    def sweep(self, token: str) -> None:
        """Kill what a dead supervisor left behind."""
        self._sweep(token, self.shelf(token).status())

    def _sweep(self, token: str, status: Status | None) -> None:
        """Kill the process that a dead supervisor named, with its group, and all that carry the mark."""
        if status is not None and alive(status, str(self.folder)):
            try:
                if status.get("adopted"):  # whoever started it may have its group
                    raise ProcessLookupError
                os.killpg(status["pid"], signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                _kill(status["pid"], signal.SIGKILL)
        for pid in carriers(self.mark(token)):
            _kill(pid, signal.SIGKILL)


def meant(command: str, path: str) -> str:
    """Which program on the path a command that was not found was probably meant to be."""
    if not command or "/" in command or " " in command:
        return ""
    names: set[str] = set()
    for folder in path.split(os.pathsep):
        with suppress(OSError):
            names.update(os.listdir(folder))  # noqa: PTH208  hundreds of Path objects for one help line
    return did_you_mean(command, names)


def alive(status: Status | None, folder: str) -> bool:
    """Whether the process that a status names still lives, and is of this folder.

    The same pid may be another's by now; and a status may be a copy, in a copied project, of one that is still in use.
    """
    pid = status.get("pid") if status else None
    return bool(status and pid and birth(pid) == status.get("birth")) and not _is_elsewhere(pid, folder)


def _is_elsewhere(pid: Any, folder: str) -> bool:
    """Whether a process carries the mark of another folder that is still there; one that is not was moved here."""
    home = mark_of(pid).rpartition("@")[2]
    return os.path.isdir(home) and os.path.isdir(folder) and not os.path.samefile(home, folder)  # noqa: PTH112, PTH121


def mark_of(pid: Any) -> str:
    """The mark that a process carries in its environment; "" for none, or where the system does not let us look."""
    try:
        environ = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return ""
    start = f"{TOKEN}=".encode()
    found = next((v for v in environ.split(b"\0") if v.startswith(start)), start)
    return found.removeprefix(start).decode(errors="surrogateescape")


def carriers(mark: str) -> Iterator[int]:
    """The processes that have the mark in their environment, where the system lets us look."""
    wanted = f"{TOKEN}={mark}".encode()
    proc = Path("/proc")
    for folder in proc.iterdir() if sys.platform == "linux" else ():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                environ = (folder / "environ").read_bytes()
            except OSError:
                continue
            if wanted in environ and wanted in environ.split(b"\0"):
                yield int(folder.name)


def _kill(pid: int, number: int) -> bool:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
