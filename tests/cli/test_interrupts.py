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


def test_a_terminal_that_is_closed_asks_once_and_never_leaves():
    stops: list[int] = []
    left: list[int] = []
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with Interrupts(lambda: stops.append(1), left.append, hangup=True):
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGHUP)
            assert (stops, left) == ([1], [])
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with Interrupts(lambda: stops.append(1), left.append, hangup=True):
            os.kill(os.getpid(), signal.SIGHUP)
            assert (stops, left) == ([1], []), "nohup"
    finally:
        signal.signal(signal.SIGHUP, before)
