"""What somebody else did: found, told with its policy, and left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.deploying import deploy
from engine.pipeline.drifting import drift
from engine.pipeline.planning import plan
from engine.pipeline.request import Request, Where
from engine.plan.change import Action
from tests.pipeline.test_importing import notes  # noqa: F401  the operator of samples/provider

FILE = """
resource first 'Demo.Notes/notes@2026-12-01' = {
  name: 'first'
  tags: { 'ulna.drift': 'POLICY' }
  properties: { text: 'as declared' }
}
resource second 'Demo.Notes/notes@2026-12-01' = {
  name: 'second'
  properties: { text: 'two' }
}
"""
REQUEST = Request("app.bicep", name="app")


@pytest.fixture
def deployed(folder: Path, notes: Path, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    from engine.pipeline import preparing

    monkeypatch.setattr("engine.pipeline.drifting.open_registry", preparing.open_registry)

    def deployed(policy: str) -> dict[str, Path]:
        (folder / "app.bicep").write_text(FILE.replace("POLICY", policy))
        deploy(REQUEST)
        return {f.read_text(): f for f in notes.iterdir()}

    return deployed


def test_all_is_as_it_was_deployed(deployed):
    deployed("heal")
    assert (drift(Where()).drifted, drift(Where()).looked) == ((), 2)


@pytest.mark.parametrize(("policy", "after"), [("heal", "as declared"), ("report", "mine"), ("ignore", "mine")])
def test_what_was_changed_is_told_and_a_deploy_does_what_the_policy_says(deployed, policy, after):
    file = deployed(policy)["as declared"]
    file.write_text("mine")
    (found,) = drift(Where("app")).drifted
    assert (found.address, found.what, found.policy) == ("app/first", "changed", policy)
    assert found.changes == ('properties.text: "as declared" → "mine"',)
    assert file.read_text() == "mine", "looking changes nothing"
    change = next(c for c in plan(REQUEST).plan.changes if c.address == "app/first")
    assert change.action is (Action.MODIFY if policy == "heal" else Action.NO_CHANGE)
    assert "outside of Ulna" in change.reason
    deploy(REQUEST)
    assert file.read_text() == after


def test_what_was_removed_is_told(deployed):
    deployed("heal")["two"].unlink()
    (found,) = drift(Where()).drifted
    assert (found.address, found.what) == ("app/second", "gone")


def test_a_policy_that_does_not_exist_is_refused(deployed):
    with pytest.raises(UlnaError) as raised:
        deployed("repair")
    assert raised.value.diagnostics[0].code == "ULN336"
