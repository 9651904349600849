"""Carries out one attempt of a job: unpacks it, deploys, and gives what came of it.

Called again after a crash, it does the same again: the log of the environment knows what was done, so nothing is doubled.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.render.json import as_object
from engine.pipeline.deploying import deploy
from engine.pipeline.places import SUBMITTED
from engine.pipeline.request import Control
from engine.pipeline.summary import summary
from engine.server.database import JOBS, Database
from engine.server.job import read
from engine.server.lines import Teller
from engine.server.sealing import Seal
from engine.server.unpacking import request_of, unpack

AGAIN = frozenset({"ULN403", "ULN407", "ULN408", "ULN410", "ULN411"})
"""What goes by: the database is away for a while, somebody else has the environment, or took it over."""

LONGEST = 30.0
"""Seconds between two tries, at most."""


def carry_out(
    database: Database,
    id: str,
    control: Control,
    gone: Callable[[], bool],
    pause: Callable[[float], object] = time.sleep,
) -> dict[str, Any]:
    """The summary of the deployment, or the diagnostics of what stood in its way.

    `gone` tells whether it is this worker's no more: then what comes back says so, and counts for nothing.
    """
    with Teller(database, id) as teller:
        wait = 1.0
        while True:
            try:
                found = _deploy(database, id, control, teller)
            except UlnaError as error:
                codes = {d.code for d in error.diagnostics}
                if gone() or control.stops:
                    return {"ok": False, "interrupted": True}
                if not codes & AGAIN:
                    found = {"ok": False, "diagnostics": [as_object(d) for d in error.diagnostics]}
                else:
                    teller.tell("message", text=f"{error.diagnostics[0].message}; trying again in {wait:g} s")
                    pause(wait)
                    wait = min(LONGEST, wait * 2)
                    continue
            except Exception as error:  # whatever it is, it must not be taken for the end of the worker
                found = {"ok": False, "diagnostics": [_bug(error)]}
            if not found.get("interrupted"):
                teller.tell("summary", **found)
            return found


def _deploy(database: Database, id: str, control: Control, teller: Teller) -> dict[str, Any]:
    row = database.execute(sa.select(JOBS.c.environment, JOBS.c.sealed).where(JOBS.c.id == id.partition(".")[0]))[0]
    environment, sealed = row
    store = database.store
    job, files = read(Seal(store.vault_key()).open(sealed))
    folder = store.folder.absolute() / SUBMITTED / environment / job.name
    with _UNPACKING:
        unpack(files, folder)
    control.on_wait, control.timeout = lambda text: teller.tell("message", text=text), job.timeout
    request = request_of(job, folder, environment, getattr(store, "url", None) or store.folder)
    try:
        found = summary(deploy(request, teller, control))
    except UlnaError as error:
        raise UlnaError(*(d.replace(message=_short(d.message, folder)) for d in error.diagnostics)) from None
    short: dict[str, Any] = json.loads(_short(json.dumps(found), folder))
    return short


_UNPACKING = threading.Lock()


def _short(text: str, folder: object) -> str:
    """Paths as the client knows them."""
    return text.replace(f"{folder}/", "")


def _bug(error: Exception) -> dict[str, Any]:
    """What is said of an error that nobody foresaw."""
    import os
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    if os.environ.get("ULNA_DEBUG"):
        traceback.print_exception(error)
    message = f"This is a bug in Ulna ({type(error).__name__} in {frames[-1].name if frames else '?'})"
    help = "Start the workers with ULNA_DEBUG=1 and retry it to see where; please report it with what they print."
    return {"code": "ULN799", "severity": "error", "message": message, "help": help}
