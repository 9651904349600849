"""A template that is kept is never an old one: it is compiled again when anything it rested on has changed."""

import os
from pathlib import Path

import pytest

from engine.contract.cache import cache_folder, keep
from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.compiling import Compiled, compile
from engine.pipeline.keeping import find
from engine.pipeline.reading import RememberingSources
from tests.pipeline.conftest import Write

MAIN = """
module part 'part.bicep' = { params: { size: 2 } }
var text = loadTextContent('text.txt')
output text string = text
output size int = part.outputs.size
"""
PART = """
param size int
var unused = 1
output size int = size
"""


@pytest.fixture(autouse=True)
def program(write: Write) -> None:
    write("main.bicep", MAIN)
    write("part.bicep", PART)
    write("text.txt", "hello")


def kept() -> bool:
    return find("main.bicep", RememberingSources()) is not None


def fresh() -> Compiled:
    return compile("main.bicep", RememberingSources())


def test_the_second_time_gives_the_same(folder: Path) -> None:
    assert not kept()
    first = fresh()
    assert kept()
    second = fresh()
    assert second.template.document == first.template.document
    assert second.file == first.file
    assert [(d.code, d.message) for d in second.diagnostics] == [(d.code, d.message) for d in first.diagnostics]
    for pointer, label in first.template.origins.items():
        again = second.template.origins[pointer]
        assert (again.source.name, again.source.text, again.span) == (label.source.name, label.source.text, label.span)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("main.bicep", MAIN + "output more int = 1\n"),
        ("part.bicep", PART + "output more int = 1\n"),
        ("text.txt", "hallo"),
        ("bicepconfig.json", "{}"),
    ],
)
def test_a_change_of_what_it_rests_on_compiles_it_again(write: Write, name: str, text: str) -> None:
    fresh()
    write(name, text)
    assert not kept()
    fresh()
    assert kept()


def test_a_file_that_goes_compiles_it_again(folder: Path) -> None:
    fresh()
    (folder / "text.txt").unlink()
    assert not kept()
    with pytest.raises(UlnaError, match=r"text\.txt"):
        fresh()


def test_another_compiler_compiles_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh()
    monkeypatch.setattr("engine.pipeline.keeping._compiler", lambda: 0)
    assert not kept()


def test_a_program_with_errors_is_not_kept(write: Write) -> None:
    write("main.bicep", "output x int = nothing\n")
    for _ in range(2):
        with pytest.raises(UlnaError, match="nothing"):
            fresh()
    assert not kept()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"compiler": 1}', b"\xff\xfe"])
def test_a_damaged_cache_is_none(folder: Path, damage: bytes) -> None:
    document = fresh().template.document
    (file,) = (folder / "cache" / "ulna").glob("template-*.json")
    file.write_bytes(damage)
    assert not kept()
    assert fresh().template.document == document


def test_a_cache_that_cannot_be_written_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "cache").write_text("a file in its place")
    assert fresh().template.document
    assert not kept()


def test_it_is_for_its_owner_only(folder: Path) -> None:
    fresh()
    (file,) = (folder / "cache" / "ulna").glob("template-*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_the_values_of_a_parameter_file_are_never_kept(
    write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("part.bicepparam", "using 'part.bicep'\nparam size = length(readEnvironmentVariable('PLANTED'))\n")
    monkeypatch.setenv("PLANTED", "a-planted-secret")
    assert compile("part.bicepparam", RememberingSources()).arguments == {"size": 16}
    assert not list((folder / "cache").rglob("template-*"))


def test_the_same_file_called_from_elsewhere_is_another(folder: Path) -> None:
    fresh()
    os.chdir(folder.parent)
    path = f"{folder.name}/main.bicep"
    compiled = compile(path, RememberingSources())
    assert compiled.file == path
    assert {label.source.name for label in compiled.template.origins.values()} == {path, f"{folder.name}/part.bicep"}


def test_the_cache_is_where_the_user_says_if_that_is_a_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    assert cache_folder() == tmp_path / "c" / "ulna"
    monkeypatch.setenv("XDG_CACHE_HOME", "c")  # relative ones are to be ignored, else every project would have one
    assert cache_folder() == tmp_path / ".cache" / "ulna"


def test_who_has_no_home_has_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    keep(cache_folder() / "file", "text")
    assert not cache_folder().exists()


def test_a_kept_template_rests_on_the_list_of_types(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("main.bicep", "resource a 'my.rp/a@2024-01-01' existing = {\n  name: 'a'\n}\noutput id string = a.id\n")
    write("types.txt", "My.Rp/A@2024-01-01\n")
    write("others.txt", "My.RP/a@2024-01-01\n")

    def id() -> str:
        return str(fresh().template.document["outputs"]["id"])

    assert "my.rp/a" in id()
    assert kept()
    monkeypatch.setenv("ULNA_TYPE_NAMES", "types.txt")
    assert not kept()
    assert "My.Rp/A" in id()
    assert kept()
    write("types.txt", "My.RP/a@2024-01-01\n")
    assert not kept()
    assert "My.RP/a" in id()
    monkeypatch.setenv("ULNA_TYPE_NAMES", "others.txt")
    assert not kept()
    monkeypatch.delenv("ULNA_TYPE_NAMES")
    assert not kept()
    assert "my.rp/a" in id()
