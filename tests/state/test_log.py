"""What every log keeps to, be it in a file or in a database."""

import os
import sqlite3
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import UlnaError
from engine.state import owner
from engine.state.event import Event, Kind
from engine.state.fold import State, fold
from engine.state.log import Fenced
from engine.state.owner import this_process
from engine.state.store import Store
from tests import postgres

BODY = {"p": "x" * 200}


class Place:
    """Where stores are, and the logs that were opened there: all are closed at the end."""

    logs = ()

    def log(self, environment):
        log = self.open().log(environment)
        self.logs = (*self.logs, log)
        return log

    def close(self):
        for log in self.logs:
            log.release()


class Files(Place):
    """Stores over one folder."""

    def __init__(self, folder):
        self.folder = folder

    def open(self):
        return Store.open(self.folder)

    def age(self, seconds):
        """Let every sign of life be older."""
        with sqlite3.connect(self.folder / "state.db") as db:
            db.execute("UPDATE lease SET heartbeat = heartbeat - ?", (seconds,))
        db.close()


class Tables(Place):
    """Stores over one schema."""

    def __init__(self, url, folder):
        self.url, self.folder = url, folder

    def open(self):
        from engine.state.postgres_store import PostgresStore

        return PostgresStore.at(self.url, self.folder)

    def age(self, seconds):
        store = self.open()
        with store._reach(True) as db:
            db.execute("UPDATE lease SET heartbeat = heartbeat - %s", (seconds,))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path):
    if request.param == "sqlite":
        files = Files(tmp_path / ".ulna")
        yield files
        files.close()
    else:
        yield from tables(tmp_path)


def tables(tmp_path):
    schema = f"t_{uuid.uuid4().hex[:12]}"
    found = Tables(f"{postgres.server()}?schema={schema}", tmp_path / ".ulna")
    yield found
    found.close()
    postgres.drop(schema)


def added(seq, writer=1, key=None):
    key = key or f"d/{seq}"
    return Event(
        seq, float(seq), writer, Kind.ADDED, key, 0, {"resource": Resource(key, "T", "1", key, f"/{key}", BODY)}
    )


def opened(place, environment="dev"):
    log = place.log(environment)
    log.acquire(this_process())
    return log


def code(error):
    return error.value.diagnostics[0].code


def test_opening_and_reading_make_nothing(place):
    store = place.open()
    assert store.read_only("dev") == State()
    assert store.environments() == ()
    assert list(store.log("dev").events()) == []
    assert not place.folder.exists()


def test_what_was_appended_is_there_for_the_next(place):
    log = opened(place)
    log.append([added(1), added(2)])
    log.append([added(3)])
    log.release()
    events = list(place.open().log("dev").events())
    assert events == [added(1), added(2), added(3)]
    assert place.open().read_only("dev") == fold(events)


def test_reading_from_another_thread_disturbs_no_writing(place):
    log = opened(place)
    failures = []
    done = threading.Event()

    def read():
        try:
            while not done.is_set():
                seen = [e.seq for e in log.events()]
                assert seen == list(range(1, len(seen) + 1))
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for seq in range(1, 80):
            log.append([added(seq, log.writer)])
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert not failures
    assert len(list(log.events())) == 79


def test_environments_have_sequences_leases_and_fences_of_their_own(place):
    dev, prod = opened(place), opened(place, "prod")
    dev.append([added(1)])
    prod.append([added(1)])
    dev.append([added(2)])
    assert place.open().environments() == ("dev", "prod")
    assert place.open().read_only("dev").seq == 2
    assert place.open().read_only("prod").seq == 1
    dev.release()
    prod.release()


def test_a_snapshot_changes_nothing_but_the_time_it_takes(place):
    log = opened(place)
    log.append([added(n) for n in range(1, 6)])
    log.snapshot(log.state())
    log.append([added(6)])
    assert log.state() == fold(log.events())
    log.release()
    assert place.open().read_only("dev").seq == 6


def test_the_key_of_the_vault_is_made_once(place):
    key = place.open().vault_key()
    assert len(key) == 32
    assert place.open().vault_key() == key


def test_a_gap_is_our_bug_and_stores_nothing(place):
    log = opened(place)
    log.append([added(1)])
    with pytest.raises(AssertionError, match="gap"):
        log.append([added(3)])
    assert log.state().seq == 1
    log.release()


def test_a_batch_is_stored_whole_or_not_at_all(place):
    log = opened(place)
    unstorable = added(2).replace(data={"resource": object()})
    with pytest.raises(KeyError):
        log.append([added(1), unstorable])
    assert log.state().seq == 0
    log.release()


# ---------------------------------------------------------------- leases


def held_by(place, **changes):
    """A lease of somebody else."""
    other = this_process().replace(**changes)
    log = place.log("dev")
    log.acquire(other)
    return log


def test_a_second_ulna_is_told_who_has_the_environment(place):
    held_by(place)
    with pytest.raises(UlnaError, match=f"process {os.getpid()} on") as error:
        place.log("dev").acquire(this_process())
    assert code(error) == "ULN410"


def test_a_run_is_waited_for_only_by_those_who_say_how_long(place):
    log = place.log("dev")
    log.acquire(this_process(stays=True))
    for wait in None, 0.1:
        with pytest.raises(UlnaError, match="which stays until somebody ends it") as error:
            place.log("dev").acquire(this_process(), wait)
        assert code(error) == "ULN410"
    log.release()
    assert place.log("dev").acquire(this_process(), None) == 2


def test_a_second_ulna_waits_for_the_first_and_says_so(place):
    first, said = held_by(place), []
    timer = threading.Timer(0.3, first.release)
    timer.start()
    second = place.log("dev")
    assert second.acquire(this_process(), 10.0, said.append) == 2
    assert len(said) == 1
    assert "Waiting for another Ulna" in said[0]
    timer.join()
    second.release()


@pytest.mark.parametrize(
    "changes",
    [{"pid": 2**22 + 1}, {"started": "1"}],
    ids=["its process is gone", "its number belongs to another process now"],
)
def test_the_lease_of_a_dead_process_is_free_at_once(place, changes):
    held_by(place, **changes)
    assert place.log("dev").acquire(this_process()) == 2


def test_the_lease_of_another_machine_is_free_once_it_is_silent(place):
    held_by(place, host="elsewhere", pid=1)
    with pytest.raises(UlnaError):
        place.log("dev").acquire(this_process())
    place.age(owner.EXPIRY + 1)
    assert place.log("dev").acquire(this_process()) == 2


def test_who_lost_the_lease_can_write_nothing_any_more(place):
    old = held_by(place, pid=2**22 + 1)
    old.append([added(1)])
    new = opened(place)
    for act in (lambda: old.append([added(2)]), lambda: old.snapshot(State(1))):
        with pytest.raises(Fenced, match="took over"):
            act()
    new.append([added(2, writer=2)])
    old.release()  # which must not free the lease of the other
    with pytest.raises(UlnaError):
        place.log("dev").acquire(this_process())
    new.release()


def test_a_heartbeat_keeps_the_lease(place):
    log = held_by(place, host="elsewhere")
    place.age(owner.EXPIRY + 1)
    log._beat = -100.0
    log.heartbeat()
    with pytest.raises(UlnaError):
        place.log("dev").acquire(this_process())


def test_what_was_committed_survives_kill_9(place):
    code = (
        "import sys, pathlib, time\n"
        "from engine.contract.resource import Resource\n"
        "from engine.pipeline.preparing import open_store\n"
        "from engine.state.event import Event, Kind\n"
        "from engine.state.owner import this_process\n"
        "log = open_store(None).log('dev')\n"
        "writer = log.acquire(this_process())\n"
        "for seq in range(1, 10**6):\n"
        "    key = f'd/{seq}'\n"
        "    log.append([Event(seq, 0.0, writer, Kind.ADDED, key, 0, {'resource': Resource(key, 'T', '1', key, key, {})})])\n"
        "    print(seq, flush=True)\n"
    )
    environment = {**os.environ, "ULNA_STATE": getattr(place, "url", str(place.folder))}
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env=environment,
    )
    seen = 0
    while seen < 20:
        seen = int(child.stdout.readline())
    child.kill()
    rest = child.stdout.read().split()
    child.wait()
    child.stdout.close()
    told = int(rest[-1]) if rest else seen
    state = place.open().read_only("dev")
    assert told <= state.seq <= told + 1
    log = place.log("dev")
    assert log.acquire(this_process()) == 2, "its lease is free at once"
    log.append([added(state.seq + 1, writer=2)])
