from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine.contract.value import Output, Secret
from engine.diagnostics.diagnostic import UlnaError
from engine.expand.desired import Pending, Unit
from engine.plan.plan import Basis, OnUnmanage, stale
from engine.plan.report import report
from engine.plan.stored import from_json, to_json

SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.fixture
def full(world):
    """A plan with something of everything."""
    db = world.resource("db", {"image": "b", "list": [{"name": "x", "v": 2}], "p": Secret("p", "2")})
    old = world.resource("db", {"image": "a", "list": [{"name": "x", "v": 1}], "p": Secret("p", "1")})
    web = world.resource("web", {"host": Output("app/db", ("properties", "host"))}, ("db",))
    basis = Basis("local", "app", "app.bicep", "shop", ("a=1",), OnUnmanage.DETACH, 12, {"app.bicep": "ff"}, "d1")
    state = [world.entry(old), world.entry(world.resource("gone"))]
    return world.plan([db, web], state, pending=[Pending("app/x", Unit.MODULE, frozenset({"app/db"}))], basis=basis)


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((SCHEMAS / name).read_text()))


def test_a_plan_is_the_same_after_a_round_trip(full):
    assert from_json(json.loads(json.dumps(to_json(full)))) == full


def test_a_stored_plan_is_as_its_schema_says(full):
    validator("plan.json").validate(json.loads(json.dumps(to_json(full))))


def test_a_report_is_as_its_schema_says(full):
    validator("what-if.json").validate(json.loads(json.dumps(report(full))))


def test_a_report_shows_no_secret_and_no_digest(full):
    text = json.dumps(report(full))
    assert "(secret)" in text and "(known after deploy)" in text and "$secret" not in text


@pytest.mark.parametrize("document", [None, [], "x", {}, {"ulnaPlan": "1"}])
def test_what_is_no_plan_is_refused(document):
    with pytest.raises(UlnaError, match="This is not a plan"):
        from_json(document)


def test_a_plan_of_a_newer_ulna_is_refused(full):
    with pytest.raises(UlnaError, match="made by a newer Ulna"):
        from_json(to_json(full) | {"ulnaPlan": 99})


@pytest.mark.parametrize("missing", ["basis", "changes", "undecided"])
def test_a_damaged_plan_is_refused(full, missing):
    document = to_json(full)
    del document[missing]
    with pytest.raises(UlnaError, match="damaged"):
        from_json(document)


BASIS = Basis("local", "app", sequence=12, files={"app.bicep": "1", "m.bicep": "2"}, arguments="d")


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"environment": "prod"}, "ULN604", "for environment 'local', not for 'prod'"),
        ({"sequence": 14}, "ULN605", "has moved on since the plan was made (from event 12 to event 14)"),
        ({"files": {"app.bicep": "9", "m.bicep": "2"}}, "ULN606", "'app.bicep' has changed"),
        ({"files": {"app.bicep": "1"}}, "ULN606", "'m.bicep' was read when"),
        ({"files": {"app.bicep": "1", "m.bicep": "2", "n": "3"}}, "ULN606", "'n' is read now"),
        ({"arguments": "e"}, "ULN607", "The parameters are not those"),
    ],
)
def test_a_plan_is_refused_when_something_moved_on(changes, code, words):
    (diagnostic,) = stale(BASIS, BASIS.replace(**changes))
    assert diagnostic.code == code and words in diagnostic.message and diagnostic.help


def test_a_plan_holds_while_nothing_moves():
    assert stale(BASIS, BASIS) == ()
