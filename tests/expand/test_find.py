"""Functions are found by whoever asks, and while others ask as well."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, threading
sys.setswitchinterval(1e-6)
from engine.expand.functions.find import find
together = threading.Barrier(8)
missing = []
def ask(name):
    together.wait()
    if find(name) is None:
        missing.append(name)
names = ("json", "concat", "cidrSubnet", "utcNow", "uniqueString", "contains", "json", "string")
threads = [threading.Thread(target=ask, args=(name,)) for name in names]
for each in threads: each.start()
for each in threads: each.join()
assert not missing, missing
"""


def test_threads_that_ask_at_once_all_find_theirs():
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
