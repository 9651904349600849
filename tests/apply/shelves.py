"""Where the logs of a scripted world are kept: in memory, or in a real store for who wants to see what that gives back."""

from __future__ import annotations

from engine.state.memory import MemoryLog, Shelf


class MemoryShelf(Shelf):
    """A shelf in memory that gives its logs itself."""

    __slots__ = ()

    def log(self):
        return MemoryLog(self)

    def close(self):
        """Nothing is left open."""


class StoredShelf:
    """What `Shelf` is to `MemoryLog`s, over the store of an environment: read again whenever something was written."""

    def __init__(self, store, environment):
        self.store, self.environment = store, environment
        self.writer = 0
        self.logs = []
        self._events = []
        self._stale = False

    @property
    def events(self):
        if self._stale:
            self._events += self.store.log(self.environment).events(len(self._events))
            self._stale = False
        return self._events

    def log(self):
        """A log of its own for one engine."""
        log = StoredLog(self, self.store.log(self.environment))
        self.logs.append(log)
        return log

    def close(self):
        for log in self.logs:
            log.log.release()


class StoredLog:
    """A log of the store whose shelf knows who has the lease, and that there is news."""

    def __init__(self, shelf, log):
        self.shelf, self.log = shelf, log

    def __getattr__(self, name):
        return getattr(self.log, name)

    def acquire(self, *arguments):
        self.shelf.writer = self.log.acquire(*arguments)
        return self.shelf.writer

    def append(self, events):
        self.log.append(events)
        self.shelf._stale = True
