"""The store on a disk that does not always do as it is told; `test_log.py` has what every log keeps to."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import UlnaError
from engine.state import owner
from engine.state.event import Event, Kind
from engine.state.fold import State
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


def test_only_the_owner_may_read_it(folder):
    log = opened(folder)
    log.append([added(1)])
    Store.open(folder).vault_key()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {p.name: oct(p.stat().st_mode & 0o777) for p in folder.iterdir()} == dict.fromkeys(
        ("state.db", "state.db-wal", "state.db-shm", "vault.key"), "0o600"
    )
    log.release()


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
    try:
        command = [sys.executable, "-c", code, str(folder)]
        if os.geteuid() == 0:
            without = "-dac_override,-dac_read_search"
            command = ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}", *command]
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
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


def test_the_age_of_a_process_is_known_whatever_its_name_is(tmp_path):
    program = tmp_path / ("x" * 14 + "é")  # the system keeps 15 bytes: half of the last letter
    program.symlink_to(shutil.which("sleep") or "/bin/sleep")
    with subprocess.Popen([program, "60"]) as process:
        assert owner.start_time(process.pid)
        process.kill()
