"""CPU seconds and peak memory of whole processes, as the operating system counts them."""

import os
import statistics
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    """Of one process and its children: CPU seconds, wall seconds, peak megabytes."""

    cpu: float
    wall: float
    memory: float


def once(command: Sequence[str], folder: Path, ok: tuple[int, ...] = (0,)) -> Cost:
    """Run a command to its end."""
    start = os.times().elapsed
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = code = os.waitstatus_to_exitcode(status)
    if code not in ok:
        raise SystemExit(f"{' '.join(command)}: exit code {code}\n{output.decode(errors='replace')[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, os.times().elapsed - start, usage.ru_maxrss / 1024)


def median(command: Sequence[str], folder: Path, runs: int = 5, ok: tuple[int, ...] = (0,)) -> Cost:
    """The median of several runs, after one that does not count."""
    once(command, folder, ok)
    costs = [once(command, folder, ok) for _ in range(runs)]
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))
