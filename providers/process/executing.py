"""Runs a program beside a process: in its folder, with its variables, to its end."""

from __future__ import annotations

import subprocess

from engine.contract.errors import Terminal
from engine.contract.operator import Execution
from engine.contract.value import Properties, is_known


def execute(pid: int | None, wish: Properties, command: tuple[str, ...], timeout: float) -> Execution:
    """How the program ended; raises `Terminal` if it cannot be started or takes longer than `timeout` seconds."""
    if pid is None:
        raise Terminal("the process does not run", "Start it first.")
    try:
        ended = subprocess.run(
            command,
            cwd=wish.get("workingDirectory") or None,
            env=_variables(pid, wish),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Terminal(f"'{command[0]}' did not end within {timeout:g} s", "Give it more time.") from None
    except OSError as error:
        raise Terminal(f"'{command[0]}' cannot be run: {(error.strerror or '').lower()}") from error
    return Execution(ended.returncode, ended.stdout.decode("utf-8", "replace"))


def _variables(pid: int, wish: Properties) -> dict[str, str]:
    """The variables that the process was started with; where the system does not tell, those that are no secrets."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123
            pairs = (
                entry.decode(errors="surrogateescape").partition("=") for entry in file.read().split(b"\0") if entry
            )
            return {name: value for name, _, value in pairs}
    except OSError:
        own = {n: v for n, v in (wish.get("env") or {}).items() if isinstance(v, str) and is_known(v)}
        from providers.process.inheriting import inherited

        return inherited() | own
