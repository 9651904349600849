"""A large model that is edited at random settles every time and takes no more memory with time: seconds here, an hour at night."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.live.staged import APP, container

SECONDS = 3600 if os.environ.get("ULNA_LONG") == "1" else 4
"""Of CPU."""


def test_memory_stays_as_it_is_and_everything_settles():
    words = [sys.executable, str(Path(__file__).with_name("soak.py")), str(SECONDS), "1000"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    told = json.loads(ran.stdout)
    assert told["rounds"] > 20 and told["events"] > 12_000
    assert told["last"]["objects"] < told["first"]["objects"] * 1.03, told
    assert told["last"]["kilobytes"] < told["first"]["kilobytes"] * 1.25 + 4096, told


def test_a_run_keeps_no_account_of_what_it_did(live):
    running = live(APP + container("api"))
    running.ready("api")
    engine = running.host.engine
    running.until(lambda: not engine._acted and not engine._gone)
