"""The list of types: how it is read, what it spells, and that nothing happens without one."""

import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build.build import build
from engine.check import type_names
from engine.check.check import check
from engine.check.model import Model
from engine.check.type_names import TypeNames
from engine.cli.main import main
from engine.contract.cache import cache_folder
from engine.sources.memory import MemorySources

LIST = """
# comment
My.Rp/things@2023-01-01
My.Rp/Things@2024-01-01
My.Rp/Things/Parts@2024-01-01
My.Rp/things/parts@2023-01-01
"""
MAIN = """
resource outer 'MY.RP/THINGS@2024-01-01' = {
  name: 'outer'
  resource part 'PARTS' = {
    name: 'part'
  }
  resource old 'PARTS@2023-01-01' = {
    name: 'old'
  }
}
resource there 'my.rp/things@2024-01-01' existing = {
  name: 'there'
}
resource none 'my.rp/none@2024-01-01' = {
  name: 'none'
}
module inner 'inner/part.bicep' = {}
output ids array = [there.id, outer::part.id, none.id, there.type]
"""
INNER = """
resource a 'my.Rp/thinGs@2023-01-01' = {
  name: 'a'
}
"""


@pytest.fixture(autouse=True)
def no_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(type_names, "_indexes", {})
    yield


def names(content: str | bytes) -> TypeNames:
    return TypeNames("/list", MemorySources({"list": content}))


def program(variables: dict[str, str] | None = None, **files: str | bytes) -> Model:
    contents = {"main.bicep": MAIN, "inner/part.bicep": INNER, "list": LIST}
    return check("main.bicep", MemorySources(contents | {k.replace("_", "."): v for k, v in files.items()}, variables))


def spelled(model: Model) -> dict[str, str]:
    """The types in a template and those in it, by symbolic name or name."""
    found: dict[str, str] = {}
    stack = [build(model)[0].document]
    while stack:
        listed = stack.pop()["resources"]
        for name, resource in listed.items() if isinstance(listed, dict) else [(r["name"], r) for r in listed]:
            if "template" in resource.get("properties", {}):
                stack.append(resource["properties"]["template"])
            else:
                found[name] = resource["type"]
    return found


def test_types_are_spelled_as_the_list_has_them_for_their_version() -> None:
    model = program({"ULNA_TYPE_NAMES": "list"})
    assert spelled(model) == {
        "outer::part": "My.Rp/Things/Parts",
        "outer::old": "My.Rp/things/parts",
        "outer": "My.Rp/Things",
        "there": "My.Rp/Things",
        "none": "my.rp/none",
        "a": "My.Rp/things",
    }
    ids = str(build(model)[0].document["outputs"])
    assert "resourceId('My.Rp/Things', 'there')" in ids
    assert "resourceId('My.Rp/Things/Parts', 'outer', 'part')" in ids
    assert "resourceId('my.rp/none', 'none')" in ids
    assert [d.code for d in model.diagnostics] == ["BCP081"]


def test_without_a_list_nothing_is_said_or_changed_or_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TypeNames, "__init__", None)
    model = program()
    assert spelled(model)["outer::part"] == "MY.RP/THINGS/PARTS"
    assert spelled(model)["there"] == "my.rp/things"
    assert spelled(model)["a"] == "my.Rp/thinGs"
    assert model.diagnostics == ()


def test_what_an_unlisted_type_gives_is_what_it_gives_without_a_list() -> None:
    text = "resource a 'my.rp/none@2024-01-01' = {\n  name: 'a'\n  x: 1\n}\noutput b string = a.properties.y\n"
    with_list, without = program({"ULNA_TYPE_NAMES": "list"}, main_bicep=text), program(main_bicep=text)
    assert build(with_list)[0].document == build(without)[0].document


def test_the_variable_goes_before_the_setting() -> None:
    settings = '{"ulna": {"typeNames": "other"}}'
    other = "my.rp/THINGS@2024-01-01"
    assert spelled(program(bicepconfig_json=settings, other=other))["outer"] == "my.rp/THINGS"
    given = program({"ULNA_TYPE_NAMES": "list"}, bicepconfig_json=settings, other=other)
    assert spelled(given)["outer"] == "My.Rp/Things"


def test_the_setting_is_seen_from_the_file_it_stands_in() -> None:
    base = {"sub/base.json": '{"ulna": {"typeNames": "../list"}}', "list": LIST}
    files = base | {"a/b/bicepconfig.json": '{"extends": "../../sub/base.json"}', "a/b/main.bicep": INNER}
    model = check("a/b/main.bicep", MemorySources(files))
    assert [r["type"] for r in build(model)[0].document["resources"]] == ["My.Rp/things"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ("My.Rp/a@1\nnonsense\n", "line 2"),
        ("My.Rp/a@\n", "line 1"),
        (b"\xff\xfe\x00\xd8", "UTF-8"),
        (b"\xfd7zXZ\x00rubbish", "damaged"),
        (lzma.compress(LIST.encode())[:-20], "cut off"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_error_and_nothing_else(content: str | bytes, reason: str) -> None:
    model = program({"ULNA_TYPE_NAMES": "list"}, list=content)
    assert [d.code for d in model.diagnostics] == ["ULN022"]
    assert reason in model.diagnostics[0].message


def test_a_list_that_is_not_there_is_an_error() -> None:
    found = program({"ULNA_TYPE_NAMES": "nowhere"}).diagnostics
    assert [(d.code, "does not exist" in d.message) for d in found] == [("ULN022", True)]


def test_a_packed_list_is_as_good_as_a_plain_one() -> None:
    packed = names(lzma.compress(LIST.encode()))
    assert packed.official("my.rp/things", "2024-01-01") == names(LIST).official("my.rp/things", "2024-01-01")
    assert packed.official("my.rp/things", "2024-01-01") == "My.Rp/Things"


def test_an_unpacked_list_may_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_names, "LARGEST", 1_000_000)
    bomb = names(lzma.compress(b"\n" * 3_000_000))
    assert bomb.empty
    assert "too long" in bomb.problem


def test_the_index_of_a_long_list_is_kept_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "".join(f"My.Rp/Thing{n}@2024-01-01\n" for n in range(500))
    assert names(long).official("my.rp/thing7", "2024-01-01") == "My.Rp/Thing7"
    assert len(list(cache_folder().glob("types-*"))) == 1
    monkeypatch.setattr(type_names, "_indexes", {})
    monkeypatch.setattr(type_names, "_made", None)
    assert names(long).official("MY.RP/THING499", "2024-01-01") == "My.Rp/Thing499"
    assert names(long).official("My.Rp/Thing500", "2024-01-01") is None


def test_an_index_that_was_not_written_to_its_end_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "".join(f"My.Rp/Thing{n}@2024-01-01\n" for n in range(500))
    assert names(long).has("my.rp/thing7")
    (index,) = cache_folder().glob("types-*")
    for damage in (index.read_bytes()[:-9], b"\0" * index.stat().st_size, b""):
        index.write_bytes(damage)
        monkeypatch.setattr(type_names, "_indexes", {})
        assert names(long).has("my.rp/thing7")
        assert "Did you mean 'My.Rp/Thing9" in names(long).instead("My.Rb/Thing9x", "2024-01-01")


def test_an_index_that_cannot_be_kept_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    long = "".join(f"My.Rp/Thing{n}@2024-01-01\n" for n in range(500))
    assert names(long).has("my.rp/thing7")


@given(
    st.dictionaries(
        st.from_regex(r"[A-C][a-c.]{0,3}/[A-C][a-c]{0,2}(/[a-c]{1,2})?", fullmatch=True),
        st.sets(st.sampled_from(["2020-01-01", "2020-01-01-Preview", "v1"]), min_size=1),
        min_size=1,
    )
)
def test_every_listed_name_is_found_however_it_is_written(listed: dict[str, set[str]]) -> None:
    found = names("\n".join(f"{type}@{version}" for type, versions in listed.items() for version in versions))
    for type, versions in listed.items():
        for version in versions:
            official = found.official(type.swapcase(), version.upper())
            assert official is not None
            assert official.lower() == type.lower()
            assert any(version in vs for t, vs in listed.items() if t == official)
        assert set(found.versions(type)) >= {v.lower() for v in versions}
    assert found.official("D/d", "v1") is None


def test_the_option_gives_lint_and_build_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ULNA_TYPE_NAMES", "hidden")
    Path("a.bicep").write_text(INNER)
    Path("list").write_text(LIST)
    Path("other").write_text("My.Rp/others@2023-01-01\n")
    assert main(["lint", "a.bicep", "--types", "list"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["lint", "a.bicep", "--types", "other"]) == 0
    assert "BCP081" in capsys.readouterr().err
    assert main(["build", "a.bicep", "--stdout", "--types", "list"]) == 0
    assert '"My.Rp/things"' in capsys.readouterr().out
    assert main(["lint", "a.bicep"]) == 1
    assert "ULN022" in capsys.readouterr().err


def test_many_files_are_linted_with_one_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("list").write_text(LIST)
    for n in range(40):
        Path(f"{n}.bicep").write_text("resource a 'My.Rp/no@2024-01-01' = {\n  name: 'a'\n}\n")
    assert main(["lint", "--pattern", "*.bicep", "--jobs", "2", "--types", "list"]) == 0
    assert capsys.readouterr().err.count("BCP081") == 40
