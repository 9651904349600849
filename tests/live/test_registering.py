"""An operator that comes while the engine runs: what waits for one is assigned at once, in a run as in the scripted world."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from engine.apply.batch import Batch
from engine.contract.operator import Site
from engine.diagnostics.diagnostic import Severity, UlnaError
from engine.live import rows
from engine.pipeline.deploying import deploy
from engine.pipeline.request import Request
from tests.live.staged import APP, container

sys.path.insert(0, str(Path(__file__).parents[1] / "apply"))

from world import FakeOperator, World, boot, nominate, resource

SAMPLES = Path(__file__).parents[2] / "samples"
NOTES = """
resource first 'Demo.Notes/notes@2026-12-01' = { name: 'first', properties: { text: 'three small words' } }
resource second 'Demo.Notes/notes@2026-12-01' = { name: 'second', properties: { text: 'of ${first.properties.words}' } }
"""


@pytest.fixture
def sample(monkeypatch):
    """The sample provider, importable for this test alone."""
    monkeypatch.syspath_prepend(str(SAMPLES / "provider"))
    yield
    for name in [n for n in sys.modules if n.startswith("ulna_notes")]:
        monkeypatch.delitem(sys.modules, name)


def state_of(running, name):
    return rows.row(running.desk.find(name), running.host.engine.model)["state"]


def test_what_nobody_serves_waits_in_a_run_and_is_served_by_who_is_registered(live, sample):
    running = live(APP + container("api") + NOTES)
    running.ready("api")
    assert state_of(running, "first") == "pending"
    assert running.desk.why("first") == ("No operator serves the resource type 'Demo.Notes/notes@2026-12-01'",)
    from ulna_notes.plugin import provider

    (operator,) = provider.operators(Site(running.host.folder / "notes", None))
    running.host.register(operator, provider.types)
    running.ready("first", "second")
    assert running.entry("second").operator == "notes"
    assert running.entry("first").outputs["properties"]["words"] == 3


def test_a_provider_that_is_installed_meanwhile_takes_part(live, sample, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    running = live(APP + NOTES)
    running.until(lambda: state_of(running, "first") == "pending")
    assert running.host.discover() == ()
    library = tmp_path / "library"
    shutil.copytree(SAMPLES / "provider" / "ulna_notes", library / "ulna_notes")
    about = library / "ulna_notes-1.0.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ulna-notes\nVersion: 1.0.0\n")
    (about / "entry_points.txt").write_text("[ulna.providers]\nnotes = ulna_notes:provider\n")
    monkeypatch.syspath_prepend(str(library))
    assert running.host.discover() == ("notes",)
    running.ready("first", "second")
    assert running.host.discover() == (), "nothing waits, so nobody looks"


def test_a_deploy_refuses_what_nobody_serves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULNA_STATE", raising=False)
    (tmp_path / "app.bicep").write_text(NOTES)
    with pytest.raises(UlnaError) as raised:
        deploy(Request("app.bicep"))
    assert {d.code for d in raised.value.diagnostics} == {"ULN301"}


def test_in_the_scripted_world_too_and_nobody_else_looks_again():
    world = World()
    engine = boot(world)
    del engine.model.operators["azure"]
    engine.model._nominate = lambda r: nominate(r) if "azure" in engine.model.operators else nobody(r)
    engine.edit(Batch("d", add=(resource("a", "azure"), resource("b"))))
    world.run_for(10)
    assert engine.state.entries["d/a"].reason == "nobody serves it" and engine.state.entries["d/b"].ready
    before = len(engine.log.shelf.events)
    engine.register(FakeOperator(world, "container"))
    world.run_for(10)
    assert len(engine.log.shelf.events) == before
    engine.register(FakeOperator(world, "azure"))
    world.run_for(10)
    assert engine.state.entries["d/a"].ready
    assert {e.key for e in engine.log.shelf.events[before:]} == {"d/a"}
    assert not world.violations


def nobody(wanted):
    found = nominate(wanted)
    return found if found.operator != "azure" else found.replace(operator=None, reason="nobody serves it")


GATEWAY = """
resource entry 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'entry'
  properties: { application: app.id, routes: [{ destination: 'http://web:3000' }] }
}
"""


@pytest.mark.parametrize(("pin", "code"), [("nosuch", "ULN303"), ("kubernetes", "ULN304")])
def test_what_others_need_parts_of_cannot_wait_for_its_operator_whatever_is_there(live, pin, code):
    web = container("web", more="ports: { http: { containerPort: 3000 } }")
    pinned = web.replace("  name: 'web'", f"  name: 'web'\n  tags: {{ 'ulna.operator': '{pin}' }}")
    running = live(APP)
    for deployed in (APP, APP + web + GATEWAY):
        running.path.write_text(deployed)
        running.host.reload()
        running.path.write_text(APP + pinned + GATEWAY)
        with pytest.raises(UlnaError) as raised:
            running.host.reload()
        assert [d.code for d in raised.value.diagnostics if d.severity is Severity.ERROR] == [code]
