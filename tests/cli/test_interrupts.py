from __future__ import annotations

import os
import signal

from engine.cli.interrupts import Interrupts


def test_the_first_asks_to_stop_and_the_second_leaves(capfd):
    stops: list[int] = []
    left: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    with Interrupts(lambda: stops.append(1), left.append) as interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        assert (interrupts.count, stops, left) == (1, [1], [])
        os.kill(os.getpid(), signal.SIGTERM)
        assert (interrupts.count, stops, left) == (2, [1], [130])
    assert "stopped at once" in capfd.readouterr().err
    assert signal.getsignal(signal.SIGINT) is before
