"""`ulna run --detach`: the same run in the background, in a session of its own; what it says goes to a file."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError
from engine.live.address import read
from engine.pipeline.preparing import Prepared
from engine.pipeline.request import Request

PATIENCE = 60.0
"""Seconds until it must be reached, or have said why not."""


def detach(request: Request, console: Console) -> int:
    """Begin the run, and come back once it is reached; what is wrong with the file is told here already."""
    prepared = Prepared(request)
    folder = prepared.store.folder / prepared.target.partition
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    words = [w for w in sys.argv[1:] if w != "--detach"]
    program = "from engine.cli.main import program; program()"
    log = folder / "run.log"
    own = log.with_suffix(f".{os.getpid()}")  # until it runs, the log may be another run's
    with os.fdopen(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", program, *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = read(folder)
        if found is not None and found.pid == process.pid:
            own.replace(log)
            if console.json:
                console.document({"pid": found.pid, "deployment": found.deployment, "log": str(log)})
            else:
                console.line(f"'{found.deployment}' runs in the background, as process {found.pid}.")
                console.line(f"dashboard: {found.url}?token={found.token}" if found.url else "It has no dashboard.")
                console.say("'ulna status' shows it, 'ulna stop' ends it; what it says is in " + str(log))
            return 0
        if process.poll() is not None:
            sys.stderr.write(own.read_text(errors="replace"))
            own.unlink()
            return process.returncode or 1
        time.sleep(0.02)
    process.terminate()
    own.replace(log)
    raise UlnaError.of("ULN564", f"The run cannot be reached after {PATIENCE:g} s", f"What it said is in '{log}'.")
