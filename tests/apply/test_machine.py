"""The stateful machine and the crash sweep: a short version here, the long one with `ULNA_LONG=1` or as scripts."""

import os

import machine
import sweep

LONG = bool(os.environ.get("ULNA_LONG"))


def test_the_machine_finds_nothing_to_complain_about():
    machine.run(20_000 if LONG else 50)


def test_every_crash_ends_as_if_it_had_not_been():
    plans, crashes, wrong, calm = sweep.sweep(2000 if LONG else 30, every=1 if LONG else 8)
    assert crashes >= plans * 0.9, "most plans strike"
    assert len(calm[1]) == 2, "something is left to compare"
    assert not wrong
