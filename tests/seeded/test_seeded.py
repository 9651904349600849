"""Every bug that is planted is noticed: by the quick tests alone here, by everything with `ULNA_LONG=1`."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import bugs

TESTS = bugs.TESTS if os.environ.get("ULNA_LONG") else bugs.QUICK


@pytest.mark.parametrize("name", bugs.BUGS)
def test_a_planted_bug_is_noticed(name):
    assert bugs.is_caught(name, TESTS), f"nobody noticed that {name.replace('_', ' ')}"


def test_without_a_bug_nobody_complains():
    bugs.stories()
    bugs.takeovers()
