"""Extensions from a registry: published, restored with their digest in the lock file, and used from the cache."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from tests.registry.conftest import Fake, Ulna
from tests.types.described import extension

PROGRAM = """
@secure()
param key string
extension 'br:{place}' with {{ gate: 'north', key: key }} as garden
resource rose 'plant@v1' = {{
  label: 'rose'
  bed: {{ soil: 'Snad' }}
}}
"""


def folder(name: str = "types") -> Path:
    place = Path(name)
    place.mkdir()
    for path, text in extension().items():
        (place / path).write_text(text)
    return place


def test_an_extension_goes_to_a_real_registry_and_comes_back(registry: str, ulna: Ulna) -> None:
    place = f"{registry}/tests/{uuid4().hex}/garden:1.0.0"
    folder()
    published = ulna("publish", "types/index.json", "--target", f"br:{place}", "--format", "json")
    assert published.code == 0, published.err
    digest = json.loads(published.out)["digest"]
    again = ulna("publish", "types/index.json", "--target", f"br:{place}", "--force", "--format", "json")
    assert digest.startswith("sha256:")
    assert json.loads(again.out)["digest"].startswith("sha256:")
    Path("main.bicep").write_text(PROGRAM.format(place=place))
    assert ulna("lint", "main.bicep", "--no-restore").err == ""
    found = ulna("lint", "main.bicep")
    assert "BCP088" in found.err
    assert found.code == 0
    assert "BCP088" in ulna("lint", "main.bicep", "--no-restore").err
    assert not Path("ulna.lock").exists()
    restored = ulna("restore", "main.bicep")
    assert restored.code == 0, restored.err
    assert place in Path("ulna.lock").read_text()
    built = ulna("build", "main.bicep", "--stdout")
    assert json.loads(built.out)["imports"]["garden"]["provider"] == "Garden"


def test_what_is_no_extension_is_said_when_it_is_restored(fake: Fake, ulna: Ulna) -> None:
    fake.add(path="garden")
    place = f"{fake.host}/garden:v1"
    Path("main.bicep").write_text(PROGRAM.format(place=place))
    restored = ulna("restore", "main.bicep")
    assert restored.code == 1
    assert "BCP192" in restored.err
    assert "it is no extension" in restored.err
    assert ulna("lint", "main.bicep", "--no-restore").err == ""


def test_an_extension_that_is_not_there_is_said_when_it_is_restored(fake: Fake, ulna: Ulna) -> None:
    Path("main.bicep").write_text(PROGRAM.format(place=f"{fake.host}/garden:v1"))
    restored = ulna("restore", "main.bicep")
    assert restored.code == 1
    assert "error BCP192" in restored.err
    requests = len(fake.seen)
    assert ulna("build", "main.bicep", "--stdout", "--no-restore").err == ""
    assert len(fake.seen) == requests
    built = ulna("build", "main.bicep", "--stdout")
    assert built.code == 0
    assert "warning BCP192" in built.err
    assert "nothing of the extension is checked" in built.err


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("index.json", "{}", "no 'resources'"),
        ("index.json", "[", "not valid JSON"),
        ("types.json", "[]", "no type at place"),
        ("types.json", "{}", "no list of types"),
    ],
)
def test_types_that_are_damaged_are_not_published(name: str, text: str, reason: str, fake: Fake, ulna: Ulna) -> None:
    (folder() / name).write_text(text)
    published = ulna("publish", "types/index.json", "--target", f"br:{fake.host}/garden:v1")
    assert published.code == 1
    assert "ULN022" in published.err
    assert reason in published.err
    assert not fake.seen
