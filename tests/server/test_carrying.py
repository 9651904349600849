"""One attempt of a job: what stands in its way for a while is waited out, everything else is its result."""

import pytest
import sqlalchemy as sa

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.request import Control
from engine.server import carrying
from engine.server.database import JOBS, Database
from engine.server.lines import after
from engine.server.roll import Roll
from engine.state.owner import EXPIRY
from engine.state.store import Store

ID = "20261201-120000-000001-abcd"


@pytest.fixture
def database(tmp_path):
    found = Database(Store(tmp_path / ".ulna"))
    found.make()
    yield found
    found.engine.dispose()


def carry(database, monkeypatch, answers, control=None, gone=False):
    """What comes back where `deploy` answers so, one after the other; and the pauses between."""
    left, pauses = list(answers), []

    def deploy(*_):
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(carrying, "_deploy", deploy)
    found = carrying.carry_out(database, f"{ID}.1", control or Control(), lambda: gone, pauses.append)
    assert left == []
    return found, pauses


def away(code):
    return UlnaError.of(code, "not now")


def test_what_goes_by_is_waited_out_and_told(database, monkeypatch):
    answers = [away("ULN408"), away("ULN407"), away("ULN410"), {"ok": True}]
    found, pauses = carry(database, monkeypatch, answers)
    assert found == {"ok": True}
    assert pauses == [1.0, 2.0, 4.0]
    told = after(database, f"{ID}.1", 0)
    assert [e["event"] for e in told] == ["message", "message", "message", "summary"]
    assert told[0]["text"] == "not now; trying again in 1 s"
    assert [e["number"] for e in after(database, f"{ID}.1", told[1]["number"])] == [e["number"] for e in told[2:]]


def test_what_is_wrong_with_it_is_its_result(database, monkeypatch):
    found, pauses = carry(database, monkeypatch, [away("ULN501")])
    assert not found["ok"] and not pauses
    assert found["diagnostics"][0]["code"] == "ULN501"


def test_a_bug_is_its_result_too(database, monkeypatch):
    found, _ = carry(database, monkeypatch, [RuntimeError("secret")])
    assert found["diagnostics"][0]["message"] == "This is a bug in Ulna (RuntimeError in deploy)"


@pytest.mark.parametrize("code", ["ULN411", "ULN501"])
def test_what_is_somebody_elses_now_has_no_result(database, monkeypatch, code):
    found, _ = carry(database, monkeypatch, [away(code)], gone=True)
    assert found["interrupted"]
    assert after(database, f"{ID}.1", 0) == []


def test_what_is_cancelled_is_not_tried_again(database, monkeypatch):
    control = Control()
    control.stop()
    assert carry(database, monkeypatch, [away("ULN408")], control)[0]["interrupted"]


def test_a_worker_is_on_the_roll_until_it_is_silent(database):
    one, other = Roll(database), Roll(database)
    one.sign()
    other.sign()
    other.sign()
    assert set(one.living()) == {one.id, other.id}
    from engine.server.database import WORKERS

    database.execute(
        sa.update(WORKERS).where(WORKERS.c.id == other.id).values(heartbeat=WORKERS.c.heartbeat - EXPIRY - 1)
    )
    assert set(one.living()) == {one.id}
    other.sign()  # it was only slow
    assert set(one.living()) == {one.id, other.id}
    other.leave()
    assert set(one.living()) == {one.id}


def test_a_database_that_is_no_database_is_told(tmp_path):
    (tmp_path / "server.db").write_bytes(b"nonsense" * 1000)
    found = Database(Store(tmp_path))
    with pytest.raises(UlnaError, match="cannot be used") as error:
        found.make()
    assert error.value.diagnostics[0].code == "ULN407"
    found.engine.dispose()


def test_the_database_is_its_owners_alone(database, tmp_path):
    database.execute(
        sa.insert(JOBS).values(id=ID, environment="e", deployment="d", file="f", submitted=0.0, attempt=1, sealed=b"")
    )
    files = list((tmp_path / ".ulna").glob("server.db*"))
    assert files and all(p.stat().st_mode & 0o077 == 0 for p in files)
