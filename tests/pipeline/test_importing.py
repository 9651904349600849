"""Taking over what exists: the state owns it, the plan shows the true difference, and nothing else was touched."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline import preparing
from engine.pipeline.deploying import deploy
from engine.pipeline.destroying import destroy
from engine.pipeline.importing import adopt, file_of
from engine.pipeline.planning import plan
from engine.pipeline.request import Request, Where
from engine.plan.change import Action

sys.path.append(str(Path(__file__).parents[2] / "samples/provider"))
from ulna_notes.notes import NoteOperator

FILE = """
resource first 'Demo.Notes/notes@2026-12-01' = {
  name: 'first'
  properties: { text: 'as declared' }
}
resource second 'Demo.Notes/notes@2026-12-01' = {
  name: 'second'
  properties: { text: '${first.properties.words} words' }
}
resource there 'Demo.Notes/notes@2026-12-01' existing = {
  name: 'there'
}
resource log 'Ulna.Core/values@2026-12-01' = {
  name: 'log'
  properties: { input: 1 }
}
"""


@pytest.fixture(autouse=True)
def notes(monkeypatch: pytest.MonkeyPatch, folder: Path, write: object) -> Path:
    """A registry with the operator of `samples/provider`."""
    real = preparing.open_registry

    def with_notes(where: Path, environment: object) -> object:
        registry = real(where, environment)  # type: ignore[arg-type]
        registry.add(("Demo.Notes/*",), lambda: NoteOperator(folder / "notes"))
        return registry

    for module in ("preparing", "destroying"):
        monkeypatch.setattr(f"engine.pipeline.{module}.open_registry", with_notes)
    (folder / "app.bicep").write_text(FILE)
    return folder / "notes"


REQUEST = Request("app.bicep", name="app")


def test_what_was_there_is_owned_and_differs_as_it_does(folder, notes):
    (folder / "mine.txt").write_text("as it was")
    imported = adopt(REQUEST, "app/first", "mine.txt")
    assert (imported.address, imported.type) == ("app/first", "Demo.Notes/notes")
    changes = {c.address: c for c in plan(REQUEST).plan.changes}
    assert changes["app/first"].action is Action.MODIFY
    assert [(p.path, p.before, p.after) for p in changes["app/first"].delta] == [
        (("properties", "text"), "as it was", "as declared")
    ]
    assert [f.read_text() for f in notes.iterdir()] == ["as it was"]


def test_the_next_deploy_makes_it_so_and_destroy_takes_it_away(folder, notes):
    (folder / "mine.txt").write_text("as it was")
    (folder / "app.bicep").write_text(FILE.partition("resource there")[0])
    adopt(REQUEST, "app/first", "mine.txt")
    outcome = deploy(REQUEST)
    assert outcome.changed == {"app/first": "modify", "app/second": "create"}
    assert sorted(f.read_text() for f in notes.iterdir()) == ["2 words", "as declared"]
    destroy(Where("app"))
    assert not list(notes.iterdir())


def test_what_is_as_declared_needs_nothing(folder):
    (folder / "mine.txt").write_text("as declared")
    adopt(REQUEST, "app/first", "mine.txt")
    assert next(c for c in plan(REQUEST).plan.changes if c.address == "app/first").action is Action.NO_CHANGE


def test_what_hangs_on_others_is_taken_over_before_them(folder, notes):
    (folder / "mine.txt").write_text("2 words")
    (folder / "app.bicep").write_text(FILE.partition("resource there")[0])
    adopt(REQUEST, "app/second", "mine.txt")
    assert deploy(REQUEST).changed == {"app/first": "create"}
    assert sorted(f.read_text() for f in notes.iterdir()) == ["2 words", "as declared"]


def test_the_same_again_says_the_same(folder):
    (folder / "mine.txt").write_text("as it was")
    imported = adopt(REQUEST, "app/first", "mine.txt")
    assert adopt(REQUEST, "app/first", imported.id) == imported


def test_again_gives_the_same(folder, monkeypatch):
    (folder / "mine.txt").write_text("as it was")
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr("engine.apply.engine.Engine.adopted", _interrupted)
        adopt(REQUEST, "app/first", "mine.txt")
    assert adopt(REQUEST, "app/first", "mine.txt").address == "app/first"


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("address", "id", "code", "message"),
    [
        ("app/frist", "mine.txt", "ULN530", "The file declares no resource 'app/frist'"),
        ("app/there", "mine.txt", "ULN531", "'app/there' is declared as existing, and is only read"),
        ("app/log", "mine.txt", "ULN531", "'app/log' cannot be imported: a resource of type 'Ulna.Core/values' is never taken over"),
        ("app/first", "none.txt", "ULN532", "'none.txt' cannot be taken over: there is no file 'none.txt'"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_over_says_why_and_leaves_nothing(folder, address, id, code, message):
    (folder / "mine.txt").write_text("as it was")
    with pytest.raises(UlnaError) as raised:
        adopt(REQUEST, address, id)
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == (code, message)
    assert (folder / "mine.txt").exists()
    assert all(c.action is Action.CREATE for c in plan(REQUEST).plan.changes)


def test_what_has_something_keeps_it(folder):
    for name in ("mine.txt", "other.txt"):
        (folder / name).write_text(name)
    adopt(REQUEST, "app/first", "mine.txt")
    with pytest.raises(UlnaError) as raised:
        adopt(REQUEST, "app/first", "other.txt")
    assert raised.value.diagnostics[0].code == "ULN533"


def test_the_file_of_a_deployment_is_known_once_it_was_used(folder):
    with pytest.raises(UlnaError) as raised:
        file_of("app/first", None, None)
    assert raised.value.diagnostics[0].code == "ULN530"
    (folder / "mine.txt").write_text("as it was")
    adopt(REQUEST, "app/first", "mine.txt")
    assert file_of("app/second", None, None) == str(folder / "app.bicep")
