"""The real PostgreSQL that tests use: the machine's, a schema a test."""

import functools
import os
import shlex
import subprocess
from pathlib import Path

import pytest

TOOL = Path(os.environ.get("ULNA_SHARED", Path(__file__).parents[2] / "shared")) / "tools" / "postgres-up"


@functools.cache
def server():
    """The address of the server, without a schema; skips where there is none to be had."""
    if url := os.environ.get("PGURL"):
        return url
    if not TOOL.exists():
        pytest.skip("shared/tools is not there")
    run = subprocess.run([TOOL], capture_output=True, text=True, timeout=600)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    lines = dict(shlex.split(line)[1].split("=", 1) for line in run.stdout.splitlines())
    return lines["PGURL"]


def drop(schema):
    """Leave nothing behind."""
    import psycopg

    with psycopg.connect(server(), autocommit=True) as db:
        db.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
