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

    With `hangup`, so does a terminal that is closed; it is no second one, since a shell and the system both tell of it.

    The log makes that safe: what was announced and not answered is settled by the next deployment.
    """

    __slots__ = ("_before", "_leave", "_signals", "_stop", "count")

    def __init__(
        self, stop: Callable[[], None], leave: Callable[[int], Any] = os._exit, *, hangup: bool = False
    ) -> None:
        self.count = 0
        self._stop = stop
        self._leave = leave
        self._before: dict[int, Any] = {}
        self._signals = [signal.SIGINT, signal.SIGTERM]
        if hangup and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup wants it ignored
            self._signals.append(signal.SIGHUP)

    def __enter__(self) -> Self:
        for number in self._signals:
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGHUP and self.count:
            return
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
