"""The store on a disk that does not always do as it is told."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import UlnaError
from engine.state import owner
from engine.state.event import Event, Kind
from engine.state.fold import State, fold
from engine.state.log import Fenced
from engine.state.owner import Owner, this_process
from engine.state.store import Store

BODY = {"p": "x" * 200}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".ulna"


def added(seq, writer=1, key=None):
    key = key or f"d/{seq}"
    return Event(
        seq, float(seq), writer, Kind.ADDED, key, 0, {"resource": Resource(key, "T", "1", key, f"/{key}", BODY)}
    )


def opened(folder, environment="dev"):
    log = Store.open(folder).log(environment)
    log.acquire(this_process())
    return log


def code(error):
    return error.value.diagnostics[0].code


# ---------------------------------------------------------------- as it should be


def test_opening_and_reading_make_no_file(folder):
    store = Store.open(folder)
    assert store.read_only("dev") == State()
    assert store.environments() == ()
    assert list(store.log("dev").events()) == []
    assert not folder.exists()


def test_what_was_appended_is_there_for_the_next(folder):
    log = opened(folder)
    log.append([added(1), added(2)])
    log.append([added(3)])
    log.release()
    events = list(Store.open(folder).log("dev").events())
    assert events == [added(1), added(2), added(3)]
    assert Store.open(folder).read_only("dev") == fold(events)


def test_environments_have_sequences_leases_and_fences_of_their_own(folder):
    dev, prod = opened(folder), opened(folder, "prod")
    dev.append([added(1)])
    prod.append([added(1)])
    dev.append([added(2)])
    assert Store.open(folder).environments() == ("dev", "prod")
    assert Store.open(folder).read_only("dev").seq == 2
    assert Store.open(folder).read_only("prod").seq == 1
    dev.release()
    prod.release()


def test_a_snapshot_changes_nothing_but_the_time_it_takes(folder):
    log = opened(folder)
    log.append([added(n) for n in range(1, 6)])
    log.snapshot(log.state())
    log.append([added(6)])
    assert log.state() == fold(log.events())
    log.release()
    assert Store.open(folder).read_only("dev").seq == 6


def test_only_the_owner_may_read_it(folder):
    log = opened(folder)
    log.append([added(1)])
    Store.open(folder).vault_key()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {p.name: oct(p.stat().st_mode & 0o777) for p in folder.iterdir()} == dict.fromkeys(
        ("state.db", "state.db-wal", "state.db-shm", "vault.key"), "0o600"
    )
    log.release()


def test_the_key_of_the_vault_is_made_once(folder):
    key = Store.open(folder).vault_key()
    assert len(key) == 32
    assert Store.open(folder).vault_key() == key


def test_a_gap_is_our_bug_and_stores_nothing(folder):
    log = opened(folder)
    log.append([added(1)])
    with pytest.raises(AssertionError, match="gap"):
        log.append([added(3)])
    assert log.state().seq == 1
    log.release()


def test_a_batch_is_stored_whole_or_not_at_all(folder):
    log = opened(folder)
    unstorable = added(2).replace(data={"resource": object()})
    with pytest.raises(KeyError):
        log.append([added(1), unstorable])
    assert log.state().seq == 0
    log.release()


# ---------------------------------------------------------------- leases


def held_by(folder, **changes):
    """A lease of somebody else."""
    other = this_process().replace(**changes)
    log = Store.open(folder).log("dev")
    log.acquire(other)
    return log


def test_a_second_ulna_is_told_who_has_the_environment(folder):
    held_by(folder)
    with pytest.raises(UlnaError, match=f"process {os.getpid()} on") as error:
        Store.open(folder).log("dev").acquire(this_process())
    assert code(error) == "ULN410"


def test_a_second_ulna_waits_for_the_first_and_says_so(folder):
    first, said = held_by(folder), []
    timer = threading.Timer(0.3, first.release)
    timer.start()
    second = Store.open(folder).log("dev")
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
def test_the_lease_of_a_dead_process_is_free_at_once(folder, changes):
    held_by(folder, **changes)
    assert Store.open(folder).log("dev").acquire(this_process()) == 2


def test_the_lease_of_another_machine_is_free_once_it_is_silent(folder, monkeypatch):
    held_by(folder, host="elsewhere", pid=1)
    with pytest.raises(UlnaError):
        Store.open(folder).log("dev").acquire(this_process())
    later = time.time() + owner.EXPIRY + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert Store.open(folder).log("dev").acquire(this_process()) == 2


def test_who_lost_the_lease_can_write_nothing_any_more(folder):
    old = held_by(folder, pid=2**22 + 1)
    old.append([added(1)])
    new = opened(folder)
    for act in (lambda: old.append([added(2)]), lambda: old.snapshot(State(1))):
        with pytest.raises(Fenced, match="took over"):
            act()
    new.append([added(2, writer=2)])
    old.release()  # which must not free the lease of the other
    with pytest.raises(UlnaError):
        Store.open(folder).log("dev").acquire(this_process())
    new.release()


def test_a_heartbeat_keeps_the_lease(folder, monkeypatch):
    log = held_by(folder, host="elsewhere")
    later = time.time() + owner.EXPIRY + 1
    monkeypatch.setattr(time, "time", lambda: later)
    log._beat = -100.0
    log.heartbeat()
    with pytest.raises(UlnaError):
        Store.open(folder).log("dev").acquire(this_process())


def test_this_process_is_not_free_and_a_stranger_is_not_judged():
    me = this_process()
    now = time.time()
    assert not owner.is_free(me, now, now)
    assert not owner.is_free(Owner("elsewhere", 2**22 + 1, "1", ""), now, now)
    assert owner.start_time(2**22 + 1) is None


# ---------------------------------------------------------------- faults


def test_a_file_of_a_newer_version_is_left_alone(folder):
    opened(folder).release()
    with sqlite3.connect(folder / "state.db") as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    before = (folder / "state.db").read_bytes()
    for act in (lambda: Store.open(folder), lambda: Store(folder).log("dev").acquire(this_process())):
        with pytest.raises(UlnaError, match="format 7") as error:
            act()
        assert code(error) == "ULN401"
    assert (folder / "state.db").read_bytes() == before


@pytest.mark.parametrize("keep", [0, 100, 5000, 0.5])
def test_a_truncated_file_is_told_and_left_alone(folder, keep):
    log = opened(folder)
    log.append([added(n) for n in range(1, 200)])
    log.release()
    path = folder / "state.db"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep if keep >= 1 or not keep else len(whole) * keep)])
    with pytest.raises(UlnaError) as error:
        Store.open(folder).read_only("dev")
    assert code(error) == "ULN402"
    with pytest.raises(UlnaError) as error:
        Store(folder).log("dev").acquire(this_process())
    assert code(error) == "ULN402"


@pytest.mark.parametrize("content", [b"not a database, surely" * 300, b"{}", b"\x00" * 8192])
def test_a_file_that_is_no_state_is_told(folder, content):
    folder.mkdir()
    (folder / "state.db").write_bytes(content)
    with pytest.raises(UlnaError) as error:
        Store.open(folder)
    assert code(error) == "ULN402"


def test_the_database_of_another_program_is_told(folder):
    folder.mkdir()
    with sqlite3.connect(folder / "state.db") as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    with pytest.raises(UlnaError) as error:
        Store.open(folder)
    assert code(error) == "ULN402"


def test_a_locked_file_is_told(folder, monkeypatch):
    monkeypatch.setattr("engine.state.store._PATIENCE", 0.1)
    log = opened(folder)
    log.append([added(1)])
    db = sqlite3.connect(folder / "state.db", isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    with pytest.raises(UlnaError, match="locked") as error:
        log.append([added(2)])
    assert code(error) == "ULN403"
    assert Store.open(folder).read_only("dev").seq == 1, "reading goes on"
    db.execute("ROLLBACK")
    db.close()
    log.append([added(2)])
    log.release()


@pytest.mark.skipif(
    os.geteuid() == 0 and not Path("/usr/bin/setpriv").exists(), reason="the superuser may write anywhere"
)
def test_a_read_only_folder_can_be_read_and_not_written(folder):
    log = opened(folder)
    log.append([added(1)])
    log.release()
    code = (
        "import sys, pathlib\n"
        "from engine.state.store import Store\n"
        "from engine.state.owner import this_process\n"
        "from engine.diagnostics.diagnostic import UlnaError\n"
        "store = Store.open(pathlib.Path(sys.argv[1]))\n"
        "print(store.read_only('dev').seq)\n"
        "try:\n"
        "    store.log('dev').acquire(this_process())\n"
        "except UlnaError as error:\n"
        "    print(error.diagnostics[0].code)\n"
    )
    (folder / "state.db").chmod(0o444)
    folder.chmod(0o555)
    parents = folder.parents[:3]  # pytest keeps its folders to itself
    try:
        command = [sys.executable, "-c", code, str(folder)]
        if os.geteuid() == 0:
            for parent in parents:
                parent.chmod(0o755)
            command = ["setpriv", "--reuid=65534", "--clear-groups", *command]
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
        if "Permission denied" in done.stderr and "python" in done.stderr:
            pytest.skip("the interpreter itself is not readable for others here")
        assert done.stdout.split() == ["1", "ULN404"], done.stderr
    finally:
        folder.chmod(0o700)


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UlnaError) as error:
        Store.open(tmp_path / "file" / ".ulna").log("dev").acquire(this_process())
    assert code(error) == "ULN404"


def test_a_full_disk_is_told_and_loses_nothing(folder):
    log = opened(folder)
    log.append([added(1)])
    pages = log._writing.execute("PRAGMA page_count").fetchone()[0]
    log._writing.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(UlnaError, match="disk is full") as error:
        log.append([added(n) for n in range(2, 500)])
    assert code(error) == "ULN405"
    assert log.state().seq == 1
    log._writing.execute("PRAGMA max_page_count = 1000000")
    log.append([added(2)])
    log.release()
    assert Store.open(folder).read_only("dev").seq == 2


def test_what_was_committed_survives_kill_9(folder):
    code = (
        "import sys, pathlib, time\n"
        "from engine.contract.resource import Resource\n"
        "from engine.state.event import Event, Kind\n"
        "from engine.state.owner import this_process\n"
        "from engine.state.store import Store\n"
        "log = Store.open(pathlib.Path(sys.argv[1])).log('dev')\n"
        "writer = log.acquire(this_process())\n"
        "for seq in range(1, 10**6):\n"
        "    key = f'd/{seq}'\n"
        "    log.append([Event(seq, 0.0, writer, Kind.ADDED, key, 0, {'resource': Resource(key, 'T', '1', key, key, {})})])\n"
        "    print(seq, flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    seen = 0
    while seen < 20:
        seen = int(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().split()
    child.wait()
    child.stdout.close()
    told = int(rest[-1]) if rest else seen
    state = Store.open(folder).read_only("dev")
    assert told <= state.seq <= told + 1
    log = Store.open(folder).log("dev")
    assert log.acquire(this_process()) == 2, "its lease is free at once"
    log.append([added(state.seq + 1, writer=2)])
    log.release()


def test_the_age_of_a_process_is_known_whatever_its_name_is(tmp_path):
    program = tmp_path / ("x" * 14 + "é")  # the system keeps 15 bytes: half of the last letter
    program.symlink_to(shutil.which("sleep") or "/bin/sleep")
    with subprocess.Popen([program, "60"]) as process:
        assert owner.start_time(process.pid)
        process.kill()
