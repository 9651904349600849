"""The stateful machine and the crash sweep: a short version here, the long one with `ULNA_LONG=1` or as scripts."""

import itertools
import os
import uuid

import machine
import pytest
import sweep
from shelves import StoredShelf

from engine.state.postgres_store import PostgresStore
from engine.state.store import Store
from tests import postgres

LONG = bool(os.environ.get("ULNA_LONG"))


def test_the_machine_finds_nothing_to_complain_about():
    machine.run(20_000 if LONG else 50)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path):
    if request.param == "sqlite":
        yield Store.open(tmp_path)
        return
    schema = f"t_{uuid.uuid4().hex[:12]}"
    yield PostgresStore.at(f"{postgres.server()}?schema={schema}", tmp_path)
    postgres.drop(schema)


def test_the_machine_finds_the_same_on_a_real_store(store):
    """What was written and read again is what was meant, and who lost the lease is shut out by the store itself."""
    count = itertools.count()
    machine.run(200 if LONG else 4, shelf=lambda: StoredShelf(store, f"e{next(count)}"))


def test_every_crash_ends_as_if_it_had_not_been():
    plans, crashes, wrong, calm = sweep.sweep(2000 if LONG else 30, every=1 if LONG else 8)
    assert crashes >= plans * 0.9, "most plans strike"
    assert len(calm[1]) == 2, "something is left to compare"
    assert not wrong
