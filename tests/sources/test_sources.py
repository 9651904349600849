"""Reading: the two implementations agree, and every refusal says why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.sources.local import LocalSources
from engine.sources.memory import MemorySources
from engine.sources.port import Sources, Unreadable, join, relative
from engine.sources.text import decode, read_text


@pytest.fixture(params=["local", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Sources, str]:
    files = {"main.bicep": b"param a string", "modules/web.bicep": b"// web", "modules/deep/x.bicep": b""}
    if request.param == "memory":
        return MemorySources({f"/root/{k}": v for k, v in files.items()}, {"HOME": "here"}), "/root"
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return LocalSources(), str(tmp_path)


def test_a_file_is_read(place: tuple[Sources, str]) -> None:
    sources, root = place
    assert sources.read(f"{root}/main.bicep") == b"param a string"
    assert sources.exists(f"{root}/main.bicep")


def test_a_missing_file_is_refused(place: tuple[Sources, str]) -> None:
    sources, root = place
    with pytest.raises(Unreadable, match="it does not exist"):
        sources.read(f"{root}/other.bicep")
    assert not sources.exists(f"{root}/other.bicep")


def test_a_folder_is_no_file(place: tuple[Sources, str]) -> None:
    sources, root = place
    with pytest.raises(Unreadable, match="it is a folder"):
        sources.read(f"{root}/modules")
    assert not sources.exists(f"{root}/modules")


def test_a_folder_lists_what_is_in_it_by_name(place: tuple[Sources, str]) -> None:
    sources, root = place
    assert [(e.name, e.folder) for e in sources.entries(f"{root}/modules")] == [("deep", True), ("web.bicep", False)]
    with pytest.raises(Unreadable):
        sources.entries(f"{root}/nowhere")


def test_references_are_seen_from_the_file_they_stand_in(place: tuple[Sources, str]) -> None:
    sources, root = place
    assert sources.resolve(f"{root}/modules/web.bicep", "../main.bicep") == f"{root}/main.bicep"
    assert sources.resolve(f"{root}/main.bicep", "./modules/./web.bicep") == f"{root}/modules/web.bicep"


def test_environment_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ULNA_TEST", "x")
    assert LocalSources().environment("ULNA_TEST") == "x"
    assert MemorySources({}, {"A": "b"}).environment("A") == "b"
    assert MemorySources({}).environment("A") is None


@pytest.mark.parametrize(
    ("base", "reference", "path"),
    [
        ("/a/b/c.bicep", "d.bicep", "/a/b/d.bicep"),
        ("/a/b/c.bicep", "../../../../d.bicep", "/d.bicep"),
        ("/a.bicep", "x//y/../z.bicep", "/x/z.bicep"),
        ("c.bicep", "d/e.bicep", "d/e.bicep"),
    ],
)
def test_paths_are_joined(base: str, reference: str, path: str) -> None:
    assert join(base, reference) == path


@pytest.mark.parametrize(
    ("path", "folder", "shown"),
    [("/a/b/c", "/a", "b/c"), ("/a/b/c", "/a/b", "c"), ("/a/c", "/a/b", "../c"), ("/x/c", "/a/b", "../../x/c")],
)
def test_paths_are_shown_from_a_folder(path: str, folder: str, shown: str) -> None:
    assert relative(path, folder) == shown


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="not a regular file"):
        LocalSources().read(str(tmp_path / "pipe"))


def test_a_path_with_a_null_is_malformed() -> None:
    with pytest.raises(Unreadable, match="malformed"):
        LocalSources().read("a\0b")


@pytest.mark.parametrize(
    "content",
    ["ä".encode(), b"\xef\xbb\xbf" + "ä".encode(), "ä".encode("utf-16"), b"\xfe\xff" + "ä".encode("utf-16-be")],
)
def test_the_mark_of_a_file_says_its_encoding(content: bytes) -> None:
    assert decode("x", content) == "ä"


def test_other_bytes_are_no_text() -> None:
    with pytest.raises(Unreadable, match="it is not UTF-8 text"):
        decode("x", b"\xff\xe4")
    with pytest.raises(Unreadable, match="binary"):
        decode("x", b"a\0b")
    assert decode("x", b"\xe4", "iso-8859-1") == "ä"


def test_a_huge_file_is_refused() -> None:
    with pytest.raises(Unreadable, match="too large"):
        read_text(MemorySources({"/a": b" " * (10 * 1024 * 1024 + 1)}), "/a")
