"""Ctrl-C in two steps: the first lets running calls finish, the second exits at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

from engine.cli.guard import INTERRUPTED


class Interrupts:
    """While it is entered, the first SIGINT or SIGTERM calls `stop`, and the second ends the process.

    The log makes that safe: what was announced and not answered is settled by the next deployment.
    """

    __slots__ = ("_before", "_leave", "_stop", "count")

    def __init__(self, stop: Callable[[], None], leave: Callable[[int], Any] = os._exit) -> None:
        self.count = 0
        self._stop = stop
        self._leave = leave
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count == 1:
            self._stop()
            return
        os.write(
            2,
            b"\x1b[?25h\nstopped at once; the next deployment settles what was begun\n"
            if os.isatty(2)
            else b"stopped at once\n",
        )
        self._leave(INTERRUPTED)
