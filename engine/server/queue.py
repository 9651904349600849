"""The queue of deployments, as the server sees it: submit, list, show, cancel, retry, follow."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, DBOSClient

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.preparing import deployment_name
from engine.pipeline.target import GLOBAL, choose
from engine.server.database import JOBS, LINES, QUEUE, VERSION, WORKFLOW, Database
from engine.server.job import LARGEST, malformed, read
from engine.server.lines import after
from engine.server.sealing import Seal

AT_ONCE = 4
"""Deployments that one worker carries out at the same time."""

_WORDS = {"ENQUEUED": "queued", "DELAYED": "queued", "PENDING": "running", "CANCELLED": "cancelled"}
LISTED = 200


def register() -> None:
    """Say to DBOS how the queue works: one deployment of an environment at a time, whoever carries it out."""
    DBOS.register_queue(
        QUEUE,
        partition_concurrency=1,
        worker_concurrency=AT_ONCE,
        polling_interval_sec=0.5,
        on_conflict="always_update",
    )


class Queue:
    """See the module."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._client = DBOSClient(
            system_database_engine=database.engine, dbos_system_schema=database.schema, application_name="ulna"
        )
        self._seal = Seal(database.store.vault_key())

    def submit(self, bundle: bytes) -> dict[str, Any]:
        """Keep a bundle, and queue it for its environment; refuses one for an environment that is not there."""
        if len(bundle) > LARGEST:
            message = f"What was submitted is larger than {LARGEST >> 20} MB"
            raise UlnaError.of("ULN573", message, "Load large files in the container, not in the template.")
        job, _ = read(bundle)
        if not deployment_name(job.name).strip("."):
            raise malformed()
        store = self._database.store
        nowhere = job.environment is None and not job.targets
        environment = GLOBAL if nowhere else choose(store, job.environment, None).partition
        id = _new_id()
        self._database.execute(
            sa.insert(JOBS).values(
                id=id,
                environment=environment,
                deployment=job.name,
                file=job.file,
                submitted=time.time(),
                attempt=1,
                sealed=self._seal.close(bundle),
            )
        )
        self._enqueue(id, 1, environment)
        return self.show(id)

    def _enqueue(self, id: str, attempt: int, environment: str) -> None:
        self._client.enqueue(
            {
                "workflow_name": WORKFLOW,
                "queue_name": QUEUE,
                "workflow_id": f"{id}.{attempt}",
                "app_version": VERSION,
                "queue_partition_key": environment,
            },
            f"{id}.{attempt}",
        )

    # ---------------------------------------------------------------- looking

    def last(self, environment: str | None = None) -> list[dict[str, Any]]:
        """The last deployments, the newest first."""
        wanted = sa.select(*_SHOWN).order_by(JOBS.c.submitted.desc(), JOBS.c.id).limit(LISTED)
        if environment is not None:
            wanted = wanted.where(JOBS.c.environment == environment)
        rows = self._database.execute(wanted)
        ids = [f"{row.id}.{row.attempt}" for row in rows]
        found = self._client.list_workflows(workflow_ids=ids, load_input=False) if ids else []
        known = {w.workflow_id: w for w in found}
        return [_row(row, known.get(f"{row.id}.{row.attempt}")) for row in rows]

    def show(self, id: str) -> dict[str, Any]:
        """One deployment: with its summary once it has ended."""
        row = self._row(id)
        found = self._client.list_workflows(workflow_ids=[f"{row.id}.{row.attempt}"], load_input=False)
        return _row(row, found[0] if found else None, whole=True)

    def lines(self, id: str, number: int) -> tuple[list[dict[str, Any]], bool]:
        """What its last attempt told behind a number, and whether it has ended."""
        shown = self.show(id)  # first: what is told after it ended is read below
        found = after(self._database, f"{id}.{shown['attempt']}", number)
        return found, shown["state"] not in ("queued", "running")

    def _row(self, id: str) -> Any:
        rows = self._database.execute(sa.select(*_SHOWN).where(JOBS.c.id == id))
        if not rows:
            help = "'ulna deployments' lists the last ones."
            raise UlnaError.of("ULN572", f"No deployment '{id}' was submitted here", help)
        return rows[0]

    # ---------------------------------------------------------------- changing

    def cancel(self, id: str) -> dict[str, Any]:
        """Take it out of the queue, or end it after the calls that run."""
        shown = self.show(id)
        if shown["state"] not in ("queued", "running"):
            raise UlnaError.of("ULN574", f"The deployment '{id}' has ended: it {_PAST[shown['state']]}")
        self._client.cancel_workflow(f"{id}.{shown['attempt']}")
        return self.show(id)

    def retry(self, id: str) -> dict[str, Any]:
        """Queue it once more, with the same files and parameters; it goes on from what there is."""
        shown = self.show(id)
        if shown["state"] in ("queued", "running"):
            raise UlnaError.of("ULN574", f"The deployment '{id}' is {shown['state']}", "Cancel it first, or wait.")
        attempt = shown["attempt"] + 1
        self._database.execute(
            sa.update(JOBS).where(JOBS.c.id == id, JOBS.c.attempt == attempt - 1).values(attempt=attempt)
        )
        self._enqueue(id, attempt, shown["environment"])
        return self.show(id)

    def forget(self, before: float) -> None:
        """Forget what was submitted before a time, and ended."""
        old = [j for j in self.last() if j["submitted"] < before and j["state"] not in ("queued", "running")]
        for job in old:
            self._database.execute(sa.delete(LINES).where(LINES.c.job.like(f"{job['id']}.%")))
            self._database.execute(sa.delete(JOBS).where(JOBS.c.id == job["id"]))


def _new_id() -> str:
    """Of the moment, to the microsecond: among what DBOS takes for simultaneous, the lesser id goes first."""
    now = time.time_ns() // 1000
    moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now / 1e6))
    return f"{moment}-{now % 1_000_000:06d}-{os.urandom(2).hex()}"


_SHOWN = [c for c in JOBS.c if c.name != "sealed"]
_PAST = {"succeeded": "succeeded", "failed": "failed", "cancelled": "was cancelled"}


def _row(row: Any, workflow: Any, whole: bool = False) -> dict[str, Any]:
    """A deployment as it is told."""
    found: dict[str, Any] = {
        "id": row.id,
        "environment": row.environment,
        "deployment": row.deployment,
        "file": row.file,
        "submitted": round(row.submitted, 3),
        "attempt": row.attempt,
        "state": "queued",
        "worker": None,
        "message": "",
    }
    if workflow is None:
        return found
    summary = json.loads(workflow.output) if isinstance(workflow.output, str) else None
    found["state"] = _WORDS.get(workflow.status) or ("succeeded" if summary and summary.get("ok") else "failed")
    found["worker"] = workflow.executor_id if workflow.status != "ENQUEUED" else None
    found["ended"] = workflow.completed_at / 1000 if workflow.completed_at else None
    if summary is not None:
        found["message"] = _message(summary)
    elif workflow.error is not None:
        found["message"] = f"This is a bug in Ulna ({type(workflow.error).__name__}); the worker's log says more"
    return found | {"summary": summary} if whole else found


def _message(summary: dict[str, Any]) -> str:
    """The first thing that went wrong."""
    for failure in summary.get("failed", ()):
        return f"{failure['address']}: {failure['reason']}"
    errors = [d for d in summary.get("diagnostics", ()) if d.get("severity") == "error"]
    return str(errors[0]["message"]) if errors and not summary.get("ok") else ""
