"""A worker: takes deployments from the queue, a few at a time, and goes on with those of workers that died."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import NoReturn

import sqlalchemy as sa
from dbos import DBOS

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.request import Control
from engine.server.carrying import carry_out
from engine.server.database import QUEUE, WORKFLOW, Database
from engine.server.queue import register
from engine.server.roll import Roll
from engine.state.store import Store

BEAT = 2.0
"""Seconds between two signs of life, and two looks for workers that give none."""

LOOK = 1.0
"""Seconds between two looks whether somebody cancelled what runs."""

_ALIVE = ("PENDING", "ENQUEUED", "DELAYED")


class Worker:
    """See the module; one a process, as DBOS is."""

    def __init__(self, store: Store, say: Callable[[str], None]) -> None:
        self.database = Database(store)
        self.database.make()
        self.roll = Roll(self.database)
        self.say = say
        self._ending = threading.Event()
        self._running: dict[str, Control] = {}
        self._lock = threading.Lock()

    def serve(self) -> NoReturn:
        """Work until somebody asks to end: then calls that run are finished, and what is left goes back into the queue."""
        self.roll.sign()
        worker = self

        @DBOS.step(name="carry_out", retries_allowed=False)
        def step(id: str) -> str:
            return worker._carry(id)

        @DBOS.workflow(name=WORKFLOW, max_recovery_attempts=10_000)
        def deploy(id: str) -> str:
            return step(id)

        DBOS(config=self.database.config(self.roll.id))
        DBOS.listen_queues([QUEUE])
        DBOS.launch()
        register()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._ending.set())
        self.say(f"worker {self.roll.id} takes deployments")
        while not self._ending.wait(BEAT):
            self._beat()
        self._end()

    def _beat(self) -> None:
        """Say that it lives, and put back what the dead had."""
        try:
            self.roll.sign()
            living = self.roll.living()
            pending = DBOS.list_workflows(status="PENDING", queue_name=QUEUE, load_input=False, load_output=False)
            for dead in {w.executor_id for w in pending if w.executor_id and w.executor_id not in living}:
                self.say(f"worker {dead} is dead: what it carried out goes back into the queue")
                DBOS._recover_pending_workflows([dead])
        except UlnaError as error:
            self.say(error.diagnostics[0].message)
        except sa.exc.SQLAlchemyError as error:
            self.say(f"the database does not answer: {type(error).__name__}")

    def _end(self) -> NoReturn:
        with self._lock:
            running = list(self._running.values())
        for control in running:
            control.stop()
        if running:
            self.say(f"finishing the calls of what runs ({len(running)}); another worker goes on with it")
        for _ in range(600):
            if not self._running:
                break
            time.sleep(0.1)
        self.roll.leave()
        os._exit(0)

    # ---------------------------------------------------------------- one deployment

    def _carry(self, id: str) -> str:
        control = Control()
        with self._lock:
            self._running[id] = control
        if self._ending.is_set():
            control.stop()
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(id, control, done), name=f"watch {id}", daemon=True)
        watcher.start()
        self.say(f"{id}: begins")
        try:
            found = carry_out(self.database, id, control, lambda: not self._is_ours(id))
        finally:
            done.set()
            with self._lock:
                if self._running.get(id) is control:  # a worker that was taken for dead may have it twice
                    del self._running[id]
        if found.get("interrupted"):
            self._hold(id)
        self.say(f"{id}: {'is complete' if found.get('ok') else 'failed'}")
        return json.dumps(found)

    def _watch(self, id: str, control: Control, done: threading.Event) -> None:
        """Stop it once it is cancelled, or somebody else's."""
        while not done.wait(LOOK):
            if not self._is_ours(id):
                self.say(f"{id}: was cancelled, or taken over")
                control.stop()
                return

    def _is_ours(self, id: str) -> bool:
        """Whether this worker is to carry it out; where nobody answers, that is so until somebody does."""
        try:
            return self._status(id) == ("PENDING", self.roll.id)
        except sa.exc.SQLAlchemyError:
            return True

    def _status(self, id: str) -> tuple[str, str | None]:
        found = DBOS.list_workflows(workflow_ids=[id], load_input=False, load_output=False)
        return (found[0].status, found[0].executor_id) if found else ("", None)

    def _hold(self, id: str) -> None:
        """Give no result: the deployment was cancelled, or another worker goes on with it and gives one."""
        if self._ending.is_set():
            threading.Event().wait()  # until the process ends
        while self._has_ended(id) is not True:
            time.sleep(LOOK)

    def _has_ended(self, id: str) -> bool | None:
        """Whether it was cancelled, or has a result; None where nobody answers."""
        try:
            return self._status(id)[0] not in _ALIVE
        except sa.exc.SQLAlchemyError:
            return None
