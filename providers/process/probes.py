"""Checks of a process: a request, a connection, a command. Each says what is wrong, or nothing."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Callable, Mapping
from typing import Any

Check = Mapping[str, Any]


def run(check: Check, env: Mapping[str, str], folder: str) -> str:
    """What is wrong; an empty text if the check passes."""
    try:
        match check["kind"]:
            case "http":
                return _http(check)
            case "tcp":
                with _connect(check):
                    return ""
            case _:
                return _exec(check, env, folder)
    except TimeoutError:
        return f"no answer within {check['timeout']:g} s"
    except OSError as error:
        return error.strerror or str(error)


def _connect(check: Check) -> socket.socket:
    """A connection to this machine, by either family."""
    return socket.create_connection(("localhost", check["port"]), check["timeout"])


def _http(check: Check) -> str:
    headers = {
        "Host": f"localhost:{check['port']}",
        "User-Agent": "ulna-probe",
        "Connection": "close",
        **check["headers"],
    }
    lines = [f"GET {check['path']} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
    with _connect(check) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = b""
        while b"\r\n" not in answer and len(answer) < 4096 and (more := connection.recv(1024)):
            answer += more
    words = answer.split(b"\r\n", 1)[0].split()
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
        return f"what answers at {check['path']} does not speak HTTP"
    status = int(words[1])
    return "" if 200 <= status < 400 else f"GET {check['path']} gives status {status}"


def _exec(check: Check, env: Mapping[str, str], folder: str) -> str:
    from os import killpg
    from signal import SIGKILL

    process = subprocess.Popen(
        check["command"],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = process.wait(check["timeout"])
    except subprocess.TimeoutExpired:
        killpg(process.pid, SIGKILL)
        process.wait()
        return f"'{check['command'][0]}' takes longer than {check['timeout']:g} s"
    return "" if code == 0 else f"'{check['command'][0]}' ends with exit code {code}"


class Probe:
    """A check in its rhythm, run in a thread of its own; `wake` is called when an answer is there."""

    __slots__ = ("_answer", "_busy", "_counted", "_wait", "check", "due", "eager", "failures", "passed", "problem")

    def __init__(self, check: Check, now: float, eager: bool) -> None:
        self.check = check
        self.eager = eager
        self.due: float = now + check["delay"]
        self.failures = 0
        self.passed = False
        self.problem = ""
        self._busy = False
        self._wait = 0.02
        self._counted = -1e9
        self._answer: list[str] = []

    def tick(self, now: float, env: Mapping[str, str], folder: str, wake: Callable[[], None]) -> bool:
        """Take an answer, or ask again when it is time; whether there was an answer."""
        if self._answer:
            self._take(self._answer.pop(), now)
            return True
        if not self._busy and now >= self.due:
            self._busy = True
            threading.Thread(target=self._ask, args=(env, folder, wake), daemon=True).start()
        return False

    @property
    def next(self) -> float | None:
        """When it wants to be asked again."""
        return None if self._busy else self.due

    @property
    def failed(self) -> bool:
        """Whether so many checks failed in a row that it counts."""
        return bool(self.failures >= self.check["threshold"])

    def _ask(self, env: Mapping[str, str], folder: str, wake: Callable[[], None]) -> None:
        self._answer.append(run(self.check, env, folder))
        wake()

    def _take(self, problem: str, now: float) -> None:
        self._busy = False
        self.problem = problem
        if not problem:
            self.passed, self.failures = True, 0
            self.due = now + self.check["period"]
            return
        period = self.check["period"]
        if now - self._counted >= period or not self.eager or self.passed:
            self.failures += 1
            self._counted = now
        if self.eager and not self.passed:  # until it is ready for the first time, ask often
            self._wait = min(self._wait * 1.5, 1.0, period)
            period = self._wait
        self.due = now + period
