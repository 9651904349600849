"""What performs the calls that passes ask for: threads here, a scripted world in tests."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from engine.apply.call import EngineCall
from engine.apply.effects import Effect, perform

if TYPE_CHECKING:
    import threading

WORKERS = 16
"""Calls at the same time, of all operators; an operator with an attribute `concurrency` has its own limit below it."""


class Task:
    """A call under way: for which key, what, and in the end the answer or the error."""

    __slots__ = ("answer", "call", "effect", "error", "key")

    def __init__(self, key: str, effect: Effect, call: EngineCall) -> None:
        self.key = key
        self.effect = effect
        self.call = call
        self.answer: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """Make the call, and keep what comes of it."""
        try:
            self.answer = self.call.clean(perform(self.effect, self.call))
        except BaseException as error:
            self.error = self.call.cleaned(error)


class Runner(Protocol):
    """Time, and somebody to make calls; `wait` comes back when there may be an answer, or when it is woken."""

    def now(self) -> float:
        """Seconds from any beginning, never going back."""

    def wall(self) -> float:
        """Unix seconds, for people."""

    def submit(self, task: Task) -> None:
        """Begin a call."""

    def answers(self) -> list[Task]:
        """The calls that ended since the last time."""

    def wait(self, timeout: float | None) -> None:
        """Sleep until something ended, at most so many seconds."""

    def wake(self) -> None:
        """End the sleep of whoever waits."""

    def close(self) -> None:
        """Begin no more calls."""


class Threads:
    """A bounded pool; its threads are daemons, so that a call that hangs can be abandoned."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._workers = workers
        self._threads = 0
        self._idle = 0
        self._ready: deque[Task] = deque()
        self._lines: dict[str, deque[Task]] = {}
        self._running: dict[str, int] = {}
        self._ended: deque[Task] = deque()
        self._closed = False
        self._woken = False
        self._changed: threading.Condition | None = None

    def now(self) -> float:
        """See `Runner`."""
        return time.monotonic()

    def wall(self) -> float:
        """See `Runner`."""
        return time.time()

    def submit(self, task: Task) -> None:
        """See `Runner`."""
        with self._condition():
            if self._closed:
                return
            operator = task.effect.operator
            limit = getattr(operator, "concurrency", self._workers)
            if self._running.get(operator.name, 0) >= limit:
                self._lines.setdefault(operator.name, deque()).append(task)
                return
            self._begin(task)

    def answers(self) -> list[Task]:
        """See `Runner`."""
        ended = []
        while self._ended:
            ended.append(self._ended.popleft())
        return ended

    def wait(self, timeout: float | None) -> None:
        """See `Runner`."""
        changed = self._condition()
        with changed:
            if not self._ended and not self._woken:
                changed.wait(timeout)
            self._woken = False

    def wake(self) -> None:
        """See `Runner`; may be called by a signal handler."""
        if self._changed is not None:
            with self._changed:
                self._woken = True
                self._changed.notify_all()

    def close(self) -> None:
        """See `Runner`."""
        if self._changed is not None:
            with self._changed:
                self._closed = True
                self._ready.clear()
                self._lines.clear()
                self._changed.notify_all()

    def _condition(self) -> threading.Condition:
        if self._changed is None:
            import threading  # costs as much as a small deployment that needs no thread

            self._changed = threading.Condition()
        return self._changed

    def _begin(self, task: Task) -> None:
        name = task.effect.operator.name
        self._running[name] = self._running.get(name, 0) + 1
        self._ready.append(task)
        if self._idle < len(self._ready) and self._threads < self._workers:
            import threading

            self._threads += 1
            threading.Thread(target=self._work, name=f"ulna-{self._threads}", daemon=True).start()
        else:
            self._condition().notify_all()

    def _work(self) -> None:
        changed = self._condition()
        while True:
            with changed:
                while not self._ready:
                    if self._closed:
                        return
                    self._idle += 1
                    changed.wait()
                    self._idle -= 1
                task = self._ready.popleft()
            task.run()
            with changed:
                name = task.effect.operator.name
                self._running[name] -= 1
                line = self._lines.get(name)
                if line and not self._closed:
                    self._begin(line.popleft())
                self._ended.append(task)
                changed.notify_all()
