"""A server and its workers: what is submitted is carried out, once, whatever becomes of a worker."""

import os
import random
import signal
import sqlite3
import time
import uuid
from contextlib import closing
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from engine.cli.main import main
from engine.diagnostics.diagnostic import UlnaError
from engine.server.job import LARGEST
from tests import postgres
from tests.server.team import Team, database

LONG = os.environ.get("ULNA_LONG") == "1"
SECRET = "s3cret-of-the-team"


def place(request, tmp_path_factory, name):
    """A folder, and the schema of a database or None."""
    schema = f"t_{uuid.uuid4().hex[:12]}" if request.param == "postgres" else None
    yield tmp_path_factory.mktemp(name), database(schema) if schema else None
    if schema:
        for each in (schema, f"{schema}_server"):
            postgres.drop(each)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def where(request, tmp_path_factory):
    yield from place(request, tmp_path_factory, "team")


@pytest.fixture(scope="module")
def team(where):
    folder, url = where
    team = Team(folder, url)
    team.ulna("deploy", "envs.bicep", "-p", "count=3")
    with team:
        yield team


def test_a_file_is_submitted_followed_and_deployed(team):
    done = team.ulna("submit", "pages.bicep", "-e", "e0", "--follow", "-p", "text=hi")
    assert "6 created" in done.stdout
    assert "said: hi" in done.stdout
    assert "ready     pages/first  Test.Journal/pages" in done.stderr
    assert "no changes" in team.ulna("deploy", "pages.bicep", "-e", "e0", "--name", "pages", "-p", "text=hi").stdout


def test_secrets_are_in_no_table(team, where):
    id = team.submit("e1", f"token={SECRET}", "count=1")
    assert team.ended(id)["state"] == "succeeded"
    url = where[1]
    if url is None:
        content = b"".join(p.read_bytes() for p in team.state.rglob("*") if p.is_file())
    else:
        with psycopg.connect(postgres.server()) as db:
            tables = db.execute(
                "SELECT schemaname, tablename FROM pg_tables WHERE schemaname LIKE %s",
                (url.rpartition("=")[2] + "%",),
            ).fetchall()
            assert len(tables) > 8
            content = repr([db.execute(f'SELECT t::text FROM "{s}"."{t}" t').fetchall() for s, t in tables]).encode()
    assert id.encode() in content
    assert SECRET.encode() not in content
    assert SECRET not in team.log.read_text()


def test_a_failure_is_told_and_may_be_tried_again(team):
    id = team.submit("e2", "text=cannot", "count=0", name="broken")
    shown = team.ended(id)
    assert shown["state"] == "failed"
    assert shown["message"] == "broken/first: it cannot be written"
    done = team.ulna("deployments", "follow", id, code=1)
    assert "it cannot be written" in done.stdout
    assert team.client.act("retry", id)["attempt"] == 2
    assert team.ended(id)["state"] == "failed"
    listed = team.ulna("deployments", "-e", "e2").stdout
    assert id in listed and "failed" in listed


def test_what_runs_is_cancelled_and_goes_on_when_tried_again(team):
    go = team.folder / "go"
    id = team.submit("e1", f"until={go}", "count=40", name="slow")
    waiting = team.submit("e1", "count=1", name="second")
    team.until(lambda: team.client.show(id)["state"] == "running")
    team.until(lambda: any(e["event"] == "resource" for e in team.client.events(id)))
    assert team.client.show(waiting)["state"] == "queued", "an environment has one writer"
    assert team.ulna("deployments", "cancel", waiting).stdout == f"{waiting}: cancelled\n"
    assert team.client.act("cancel", id)["state"] == "cancelled"
    assert "it was cancelled" in team.ulna("deployments", "cancel", id, code=1).stderr
    go.touch()
    team.client.act("retry", id)
    shown = team.ended(id)
    assert shown["state"] == "succeeded", shown
    assert shown["summary"]["environment"] == "e1"


def test_what_is_wrong_is_told(team, tmp_path, monkeypatch, capsys):
    assert "ULN501" in team.ulna("submit", "pages.bicep", "-e", "nowhere", code=2).stderr
    assert "ULN507" in team.ulna("submit", "pages.bicep", "-e", "e0", "-p", "count=x", code=1).stderr
    assert "ULN572" in team.ulna("deployments", "show", "nope", code=1).stderr
    assert "ULN701" in team.ulna("deployments", "cancel", code=2).stderr
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ULNA_TOKEN", "wrong")
    assert main(["deployments", "--server", team.client.url]) == 1
    assert "ULN571" in capsys.readouterr().err
    monkeypatch.delenv("ULNA_TOKEN")
    for words, code, exit in (
        (["--server", "http://127.0.0.1:1"], "ULN570", 1),
        (["--server", "nonsense"], "ULN570", 2),
        ([], "ULN570", 2),
    ):
        assert main(["deployments", *words]) == exit
        assert code in capsys.readouterr().err


def test_what_is_no_bundle_or_too_large_is_refused(team):
    for body in (b"nonsense", bytes(LARGEST + 1)):
        with pytest.raises(UlnaError) as error:
            team.client.submit(body)
        assert error.value.diagnostics[0].code == "ULN573"


def test_only_who_has_the_token_and_calls_it_by_its_name_comes_in(team):
    with pytest.raises(HTTPError) as error:
        urlopen(f"{team.client.url}/api/deployments")
    assert error.value.code == 401
    error.value.close()
    with pytest.raises(HTTPError) as error:
        urlopen(Request(f"{team.client.url}/api/deployments", headers={"Host": "evil.example.com"}))
    assert error.value.code == 421
    error.value.close()
    assert (team.state / "server.json").stat().st_mode & 0o777 == 0o600


# ---------------------------------------------------------------- workers that die


@pytest.fixture(params=["sqlite", "postgres"])
def somewhere(request, tmp_path_factory):
    yield from place(request, tmp_path_factory, "chaos")


def test_workers_may_be_killed_at_any_moment(somewhere):
    """All settle and nothing is doubled: 50 environments over 4 workers in the long form.

    The first environment is held back until the last kill, which hits who carries it out: there is always something to kill.
    """
    folder, url = somewhere
    environments, workers, kills = (50, 4, 25) if LONG else (8, 2, 2)
    team, go = Team(folder, url, workers), folder / "go"
    team.ulna("deploy", "envs.bicep", "-p", f"count={environments}")
    chance, killed = random.Random(7), set()
    with team:
        ids = {
            f"e{n}": team.submit(f"e{n}", f"text=page of e{n}", *([] if n else [f"until={go}"]))
            for n in range(environments)
        }
        while len(killed) < kills:
            held = {ids["e0"]} if len(killed) == kills - 1 else set(ids.values())
            victim = chance.choice(team.until(lambda held=held: sorted(carrying(team, held) - killed)))
            time.sleep(chance.random() * 0.5)
            os.kill(pid_of(victim), signal.SIGKILL)
            killed.add(victim)
        go.touch()
        team.until(lambda: not moving(team.client.list()), 1500)
        rows = team.client.list()
        assert {d["state"] for d in rows} == {"succeeded"}, (
            f"{[team.client.show(d['id']) for d in rows]}\n{team.log.read_text()}"
        )
        assert {d["id"] for d in rows} == set(ids.values())
    assert "is dead: what it carried out goes back into the queue" in team.log.read_text()
    store = team.store()
    for environment in ids:
        state = store.read_only(environment)
        assert len(state.entries) == 6
        assert all(e.ready and e.incarnation == 1 for e in state.entries.values())
        writers = [e.writer for e in store.log(environment).events()]
        assert writers == sorted(writers), "who lost the lease wrote nothing any more"
        pages = sorted(p.read_text() for p in (team.state / environment).rglob("*.txt"))
        assert pages == sorted([f"page of {environment}", *(f"page of {environment} {n}" for n in range(5))])
        done = (team.state / environment / "journal" / "journal").read_text().split()
        assert len(done) == len(set(done)), "nothing was made twice"


def test_a_worker_that_only_seemed_dead_spoils_nothing(somewhere):
    """Stopped in the middle for longer than a lease lives, and woken once another has taken over."""
    folder, url = somewhere
    team, go = Team(folder, url, 2), folder / "go"
    team.ulna("deploy", "envs.bicep", "-p", "count=1")
    with team:
        id = team.submit("e0", f"until={go}", "count=40")
        team.until(lambda: team.client.show(id)["state"] == "running")
        team.until(lambda: len(team.store().read_only("e0").entries) > 5)
        slow = team.client.show(id)["worker"]
        pid = pid_of(slow)
        team.until(lambda: stopped_between_writes(pid, team.state))
        try:
            team.until(lambda: team.client.show(id)["worker"] not in (slow, None))
            team.until(lambda: team.store().log("e0").state().seq and len(writers(team, "e0")) > 1)
        finally:
            os.kill(pid, signal.SIGCONT)
            go.touch()
        shown = team.ended(id)
        assert shown["state"] == "succeeded", f"{shown}\n{team.log.read_text()}"
        again = team.submit("e0", f"until={go}", "count=40")
        assert team.ended(again)["summary"]["changed"] == {}
    entries = team.store().read_only("e0").entries.values()
    assert len(entries) == 41 and all(e.ready and e.incarnation == 1 for e in entries)
    assert writers(team, "e0") == sorted(writers(team, "e0"))


def stopped_between_writes(pid, folder):
    """Stop a process, unless it is writing just then: SQLite's lock would be its own for as long as it stands still."""
    os.kill(pid, signal.SIGSTOP)
    for file in (f for f in folder.rglob("*") if f.is_file() and f.read_bytes()[:6] == b"SQLite"):
        with closing(sqlite3.connect(file, timeout=2, isolation_level=None)) as db:
            try:
                db.execute("BEGIN IMMEDIATE")
                db.execute("ROLLBACK")
            except sqlite3.OperationalError:
                os.kill(pid, signal.SIGCONT)
                return False
    return True


def writers(team, environment):
    """Who wrote, one after the other."""
    found = []
    for event in team.store().log(environment).events():
        if found[-1:] != [event.writer]:
            found.append(event.writer)
    return found


def moving(rows):
    return any(d["state"] in ("queued", "running") for d in rows)


def carrying(team, ids):
    """The workers that carry these deployments out."""
    return {d["worker"] for d in team.client.list() if d["state"] == "running" and d["id"] in ids}


def pid_of(worker):
    return int(worker.rsplit("-", 2)[1])
