"""Which workers live: each signs every few seconds, and whoever is silent is found by the others."""

from __future__ import annotations

import sqlalchemy as sa

from engine.server.database import WORKERS, Database
from engine.state.owner import Owner, is_free, this_process


class Roll:
    """The list of workers, and this process's own line in it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.owner = this_process()
        self.id = f"{self.owner.host}-{self.owner.pid}-{self.owner.nonce}"

    def sign(self) -> None:
        """Say that this worker lives; again if others took it for dead."""
        now = self._database.now()
        line = {f: getattr(self.owner, f) for f in self.owner.__fields__} | {"heartbeat": now}
        with self._database.engine.begin() as db:
            if not db.execute(sa.update(WORKERS).where(WORKERS.c.id == self.id).values(heartbeat=now)).rowcount:
                db.execute(sa.insert(WORKERS).values(id=self.id, **line))

    def leave(self) -> None:
        """Say that this worker has gone."""
        self._database.execute(sa.delete(WORKERS).where(WORKERS.c.id == self.id))

    def living(self) -> dict[str, Owner]:
        """The workers that live, by id; lines of the dead are struck out."""
        now, found = self._database.now(), {}
        for id, host, pid, started, nonce, heartbeat in self._database.execute(sa.select(*WORKERS.c)):
            owner = Owner(host, pid, started, nonce)
            if id != self.id and is_free(owner, heartbeat, now):
                self._database.execute(sa.delete(WORKERS).where(WORKERS.c.id == id, WORKERS.c.heartbeat == heartbeat))
            else:
                found[id] = owner
        return found
