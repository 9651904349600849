"""The store in a database that does not always do as it is told."""

import threading

import psycopg
import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.preparing import open_store
from engine.state.address import given, has_password, shown
from engine.state.owner import this_process
from engine.state.postgres_store import PostgresStore
from tests import postgres
from tests.state.test_log import added, code, tables

SECRET = "hunter2"


@pytest.fixture
def place(tmp_path):
    yield from tables(tmp_path)


def sql(place, text):
    with psycopg.connect(postgres.server(), autocommit=True, options=f"-c search_path={place.open().schema}") as db:
        return db.execute(text).fetchall() if text.startswith("SELECT") else db.execute(text)


@pytest.mark.parametrize(
    ("url", "told", "password"),
    [
        (f"postgresql://me:{SECRET}@h:1/db?sslmode=require", "postgresql://me@h:1/db", True),
        ("postgresql://me@h/db", "postgresql://me@h/db", False),
        ("postgresql:///db", "postgresql:///db", False),
        (f"postgresql://h/db?user=me&password={SECRET}", "postgresql://h/db", True),
        (f"postgresql://me:{SECRET}@h?x=1", "postgresql://me@h", True),
        (f"postgresql://me:p@{SECRET}@h/db", "postgresql://me@h/db", True),
        (f"postgresql://me:a/{SECRET}@h/db", "postgresql://me@h/db", True),
        (f"postgresql://me:a?{SECRET}@h/db", "postgresql://me@h/db", True),
    ],
)
def test_an_address_is_told_without_its_password(url, told, password):
    assert shown(url) == told
    assert has_password(url) is password


def test_a_password_is_refused_where_everybody_sees_it():
    with pytest.raises(UlnaError) as error:
        given(f"postgresql://me:{SECRET}@h/db")
    assert code(error) == "ULN409"
    assert SECRET not in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://me:{SECRET}@127.0.0.1:1/db",
        f"postgresql://me:{SECRET}@h/db?nonsense=1",
        "postgresql://h/db?schema=A-b",
    ],
    ids=["nobody listens", "no such setting", "no such schema"],
)
def test_what_cannot_be_reached_is_told_without_the_password(url, tmp_path):
    with pytest.raises(UlnaError) as error:
        PostgresStore.at(url, tmp_path)
    assert code(error) == "ULN407"
    told = error.value.diagnostics[0]
    assert SECRET not in told.message + told.help


def test_a_wrong_password_is_told_without_it(tmp_path):
    settings = psycopg.conninfo.conninfo_to_dict(postgres.server())
    url = f"postgresql://postgres:{SECRET}@{settings['host']}:{settings['port']}/postgres"
    with pytest.raises(UlnaError, match="cannot be reached: password authentication failed") as error:
        PostgresStore.at(url, tmp_path)
    assert SECRET not in str(error.value)


def test_the_state_is_found_by_the_variable(place, monkeypatch, tmp_path):
    log = place.log("dev")
    log.acquire(this_process())
    log.append([added(1)])
    monkeypatch.setenv("ULNA_STATE", place.url)
    monkeypatch.chdir(tmp_path)
    store = open_store(None)
    assert store.read_only("dev").seq == 1
    assert store.folder == tmp_path / ".ulna"


def test_tables_of_a_newer_version_are_left_alone(place):
    place.log("dev").acquire(this_process())
    sql(place, "UPDATE format SET version = 7")
    with pytest.raises(UlnaError, match="format 7") as error:
        place.open()
    assert code(error) == "ULN401"


def test_a_lost_connection_is_told_and_what_was_stored_is_there(place):
    log = place.log("dev")
    log.acquire(this_process())
    log.append([added(1)])
    sql(place, f"SELECT pg_terminate_backend({log._writing.info.backend_pid})")
    with pytest.raises(UlnaError, match="was lost") as error:
        log.append([added(2)])
    assert code(error) == "ULN408"
    log.release()
    again = place.log("dev")
    with pytest.raises(UlnaError, match="in use"):
        again.acquire(this_process())  # the process lives, and nobody could say that it let go
    place.age(16)
    assert again.acquire(this_process()) == 2
    again.append([added(2, writer=2)])
    assert again.state().seq == 2


def test_a_role_that_may_only_read_can_read(place):
    log = place.log("dev")
    log.acquire(this_process())
    log.append([added(1)])
    reader = PostgresStore.at(f"{place.url}&options=-c%20default_transaction_read_only%3Don", place.folder)
    assert reader.read_only("dev").seq == 1
    other = reader.log("prod")
    with pytest.raises(UlnaError) as error:
        other.acquire(this_process())
    assert code(error) == "ULN404"
    other.release()


def test_a_locked_table_is_told(place):
    log = place.log("dev")
    log.acquire(this_process())
    log._writing.execute("SET statement_timeout = 200")
    with psycopg.connect(postgres.server(), options=f"-c search_path={place.open().schema}") as db:
        db.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(UlnaError, match="locked") as error:
            log.append([added(1)])
        assert code(error) == "ULN403"
        db.rollback()
    log.append([added(1)])


def test_damaged_tables_are_told(place):
    place.log("dev").acquire(this_process())
    sql(place, "ALTER TABLE events RENAME COLUMN data TO datum")
    with pytest.raises(UlnaError) as error:
        place.open().read_only("dev")
    assert code(error) == "ULN402"


def test_many_may_make_the_tables_at_once(place):
    taken, errors = [], []

    def take(n):
        try:
            log = place.open().log(f"e{n}")
            taken.append(log.acquire(this_process()))
            log.release()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=take, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert taken == [1] * 6


def test_two_writers_are_never_in_one_environment(place):
    """Two that take the lease from each other again and again: what is stored has no gap and no doubles."""
    writers = []

    def write(n):
        log = place.open().log("dev")
        for _ in range(5):
            owner = this_process()
            number = log.acquire(owner, 60.0)
            seq = log.state().seq
            log.append([added(seq + 1, writer=number), added(seq + 2, writer=number)])
            writers.append(number)
            log.release()

    threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(writers) == list(range(1, 16))
    assert place.open().read_only("dev").seq == 30
