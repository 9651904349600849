"""Types as data: what is read of an index and when, what is kept, and what is said of damaged ones."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build.build import build
from engine.check import type_names
from engine.check.check import check
from engine.check.model import Model
from engine.check.type_index import TypeIndex
from engine.check.types import ANY, ArrayType, ObjectType, StringType
from engine.cli.main import main
from engine.contract.cache import cache_folder
from engine.sources.memory import MemorySources
from engine.sources.port import Unreadable
from tests.types.described import arm, large
from tests.types.writing import Index, packed, prop

MAIN = """
resource store 'test.rp/STORES@2024-01-01' = {
  name: 'store'
  location: 'here'
  properties: {
    size: 'x'
  }
}
"""


@pytest.fixture(autouse=True)
def no_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(type_names, "_indexes", {})
    yield


class Watched(MemorySources):
    """Sources that remember which files were read."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.seen: list[str] = []

    def read(self, path: str) -> bytes:
        self.seen.append(path)
        return super().read(path)


def program(text: str = MAIN, files: dict[str, str] | None = None, path: str = "types", **more: str | bytes) -> Model:
    given = arm() if files is None else files
    contents = {"main.bicep": text, **{f"types/{k}": v for k, v in given.items()}, **more}
    return check("main.bicep", Watched(contents, {"ULNA_TYPES": path}))


def codes(model: Model) -> list[str]:
    return [d.code for d in model.diagnostics]


def test_only_the_file_of_the_type_that_is_asked_for_is_read() -> None:
    model = program()
    assert codes(model) == ["BCP036"]
    assert isinstance(model.sources, Watched)
    read = [path for path in model.sources.seen if path.startswith("/types")]
    assert read == ["/types/index.json", "/types/test/test.rp/2024-01-01/types.json"]
    assert build(model)[0].document["resources"][0]["type"] == "Test.Rp/stores"


def test_nothing_is_read_for_a_program_without_resources() -> None:
    model = program("output a int = 1\n")
    assert isinstance(model.sources, Watched)
    assert not [path for path in model.sources.seen if path.startswith("/types")]


def test_the_index_is_kept_compact_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    files = large(200)
    text = "resource a 'Fake.Rp7/things7@2015-01-01' existing = {\n  name: 1\n}\n"
    assert codes(program(text, files)) == ["BCP036"]
    (kept,) = cache_folder().glob("type-index-*")
    assert kept.stat().st_size < len(files["index.json"])
    monkeypatch.setattr(type_names, "_indexes", {})
    monkeypatch.setattr("engine.check.type_index._made", None)
    assert codes(program(text, files)) == ["BCP036"]


def test_a_packed_index_is_as_good_as_a_folder() -> None:
    assert codes(program(path="types.tgz", **{"types.tgz": packed(arm())})) == ["BCP036"]
    assert codes(program(path="types/index.json")) == ["BCP036"]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("index.json", "{", "not valid JSON"),
        ("index.json", "[]", "no 'resources'"),
        ("index.json", '{"resources": {"a b": {}}}', "is no type"),
        ("test/test.rp/2024-01-01/types.json", "{", "not valid JSON"),
        ("test/test.rp/2024-01-01/types.json", "{}", "no list of types"),
        ("test/test.rp/2024-01-01/types.json", "[]", "no type at place"),
        ("test/test.rp/2024-01-01/types.json", None, "does not exist"),
    ],
)
def test_damaged_data_are_one_error_and_nothing_else(name: str, text: str | None, reason: str) -> None:
    files = {k: v for k, v in (arm() | ({name: text} if text is not None else {})).items() if k != name or text}
    model = program(files=files)
    assert set(codes(model)) == {"ULN022"}
    assert reason in model.diagnostics[0].message


@pytest.mark.parametrize("place", ["../secret.json#/0", "/etc/passwd#/0", "types.json", "types.json#/x", "#/0"])
def test_no_reference_leads_out_of_the_folder(place: str) -> None:
    files = {"index.json": json.dumps({"resources": {"Test.Rp/stores@2024-01-01": {"$ref": place}}})}
    model = program(files=files, **{"secret.json": "[]"})
    assert set(codes(model)) == {"ULN022"}
    assert isinstance(model.sources, Watched)
    assert not [p for p in model.sources.seen if "secret" in p or "passwd" in p]


def test_a_package_that_is_none_is_said() -> None:
    assert codes(program(path="types.tgz", **{"types.tgz": b"nothing"})) == ["ULN022"]


def test_references_may_lead_to_other_files_and_back() -> None:
    index = Index()
    one, two = index.file("one.json"), index.file("two.json")
    loop = two.object("Loop", self=prop({"$ref": "#/0"}), text=prop({"$ref": "one.json#/0"}))
    assert loop == {"$ref": "#/0"}
    text = one.text()
    one.resource("My.Rp/a@v1", one.object("a", name=prop(text, "required"), loop=prop({"$ref": "two.json#/0"})))
    main = "resource a 'My.Rp/a@v1' = {\n  name: 'x'\n  loop: { self: { self: { text: 1 } } }\n}\n"
    assert codes(program(main, index.written())) == ["BCP036"]


def test_types_that_hold_themselves_everywhere_end() -> None:
    entries = [
        {"$type": "ArrayType", "itemType": {"$ref": "#/0"}},
        {"$type": "UnionType", "elements": [{"$ref": "#/1"}, {"$ref": "#/0"}]},
        {"$type": "ObjectType", "name": "o", "properties": {"a": {"type": {"$ref": "#/1"}, "flags": 0}}, "additionalProperties": {"$ref": "#/2"}},
        {"$type": "ResourceType", "name": "My.Rp/a@v1", "body": {"$ref": "#/2"}, "scopeType": 8, "flags": 0},
    ]  # fmt: skip
    files = {"index.json": '{"resources": {"My.Rp/a@v1": {"$ref": "t.json#/3"}}}', "t.json": json.dumps(entries)}
    model = program("resource a 'My.Rp/a@v1' = {\n  name: 'x'\n  a: [[[]]]\n}\noutput o object = a.a\n", files)
    assert "ULN022" not in codes(model)


def test_what_an_older_or_newer_form_has_is_taken_for_anything() -> None:
    entries = [
        {"$type": "FutureType", "more": 1},
        {"$type": "BuiltInType", "kind": 5},
        {"$type": "BuiltInType", "kind": 99},
        {
            "$type": "ObjectType",
            "name": "o",
            "properties": {n: {"type": {"$ref": f"#/{p}"}, "flags": 0} for n, p in (("a", 0), ("b", 1), ("c", 2))},
        },
        {"$type": "ResourceType", "name": "My.Rp/a@v1", "body": {"$ref": "#/3"}},
    ]
    files = {
        "index.json": '{"resources": {"My.Rp/a@v1": {"$ref": "t.json#/4"}}, "new": 1}',
        "t.json": json.dumps(entries),
    }
    index = TypeIndex("/types", MemorySources({f"types/{k}": v for k, v in files.items()}))
    data = index.data("my.rp/A", "V1")
    assert data is not None and isinstance(data.body, ObjectType)
    assert [data.body.properties[n].type for n in "abc"] == [ANY, StringType(), ANY]


def test_every_type_of_an_index_can_be_read() -> None:
    index = TypeIndex("/types", MemorySources({f"types/{k}": v for k, v in arm().items()}))
    names = list(index.names())
    assert "Test.Rp/stores/shelves@2024-06-01-preview" in names
    for name in names:
        data = index.data(*name.split("@"))
        assert data is not None and f"{data.name}@{data.version}" == name
        stack, seen = [data.body], 0
        while stack and seen < 500:
            top = stack.pop()
            seen += 1
            if isinstance(top, ObjectType):
                stack += [p.type for p in top.properties.values()]
            elif isinstance(top, ArrayType):
                stack.append(top.item)
    assert not index.problem


ENTRIES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.sampled_from(["#/0", "#/1", "#/2", "t.json#/1", "x", "ObjectType"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["$type", "$ref", "name", "properties", "type", "flags", "itemType", "elements", "body", "functions"]),
        inner,
        max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip
KINDS = (
    "ObjectType",
    "ArrayType",
    "UnionType",
    "DiscriminatedObjectType",
    "ResourceType",
    "StringType",
    "FunctionType",
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KINDS), ENTRIES), min_size=1, max_size=4), ENTRIES)
def test_no_data_bring_the_checker_down(given_: list[tuple[str, object]], other: object) -> None:
    entries = [{**(e if isinstance(e, dict) else {"x": e}), "$type": kind} for kind, e in given_]
    entries.append({"$type": "ResourceType", "name": "Test.Rp/stores@2024-01-01", "body": {"$ref": "#/0"}})
    place = {"$ref": f"t.json#/{len(entries) - 1}"}
    document = {"resources": {"Test.Rp/stores@2024-01-01": place}, "settings": other, "resourceFunctions": other}
    files = {"index.json": json.dumps(document), "t.json": json.dumps(entries)}
    program(MAIN + "output o object = store.properties\noutput l object = store.listKeys()\n", files)


def test_the_option_gives_lint_and_build_the_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in arm().items():
        place = Path("types") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    Path("main.bicep").write_text(MAIN)
    assert main(["lint", "main.bicep", "--types", "types"]) == 0
    assert "BCP036" in capsys.readouterr().err
    assert main(["build", "main.bicep", "--stdout", "--types", "types"]) == 0
    assert '"Test.Rp/stores"' in capsys.readouterr().out
    monkeypatch.setenv("ULNA_TYPES", "types")
    assert main(["lint", "main.bicep"]) == 0
    assert "BCP036" in capsys.readouterr().err


def test_sources_that_fail_while_a_type_is_read_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(MemorySources):
        def read(self, path: str) -> bytes:
            if path.endswith("types.json"):
                raise Unreadable(path, "it may not be read: permission denied")
            return super().read(path)

    files = {"main.bicep": MAIN, **{f"types/{k}": v for k, v in arm().items()}}
    model = check("main.bicep", Failing(files, {"ULNA_TYPES": "types"}))
    assert set(codes(model)) == {"ULN022"}
    assert "permission denied" in model.diagnostics[0].message


def test_without_types_nothing_of_them_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ULNA_TYPES", raising=False)
    program = (
        "import sys; from engine.cli.main import main; main(['lint', 'a.bicep']);"
        "print(*sorted(m for m in sys.modules if m.startswith('engine.check.')))"
    )
    with_types = {"type_index", "type_file", "type_names", "type_sources", "resource_body", "deployable", "lengths"}
    text = "resource a 'My.Rp/a@2024-01-01' = {\n  name: 'a'\n  properties: {}\n}\n"
    Path("a.bicep").write_text(text)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("engine.check.") for name in run.stdout.split()}
    assert "expect" in loaded
    assert not loaded & (with_types | {"indirect", "extension_data"})


def test_types_that_hold_themselves_in_many_ways_are_compared_in_no_time() -> None:
    index = Index()
    for version in ("2023-01-01", "2024-01-01"):
        t = index.file(f"{version}.json")
        inner = {name: prop(t.ref(0)) for name in "abcdef"}
        t.entries.append({"$type": "ObjectType", "name": "Many", "properties": inner})
        body = t.arm("My.Rp/many", version, properties=prop(t.ref(0)), more=t.list(t.ref(0)), rest=t.any())
        t.resource(f"My.Rp/many@{version}", body)
    text = """
param given resourceInput<'My.Rp/many@2023-01-01'>.properties
param other { a: { b: { c: { d: { e: { f: string } } } } } }
resource one 'My.Rp/many@2023-01-01' existing = {
  name: 'one'
}
resource two 'My.Rp/many@2024-01-01' = {
  name: 'two'
  properties: one.properties
  more: [one.properties.a, given, given.f.e, one.more[0], other]
}
module part 'part.bicep' = {
  params: { given: one.properties.c, listed: one.more }
}
output o object = two.more[0].a.b.c.d.e.f
"""
    part = """
param given resourceInput<'My.Rp/many@2024-01-01'>.properties
param listed resourceInput<'My.Rp/many@2024-01-01'>.more
output o array = [given, listed]
"""
    model = program(text, index.written(), **{"part.bicep": part})
    assert codes(model) == ["BCP036"]


def test_what_ulna_knows_itself_is_checked_by_its_own_schema() -> None:
    index = Index()
    t = index.file("types.json")
    type = "Applications.Core/extenders@2023-10-01-preview"
    t.modern(type, t.object("extenders", name=prop(t.text(), "required")), 0, 8)
    index.document["settings"] = {"name": "Radius", "version": "1.0.0", "isSingleton": False}
    text = f"extension radius\nresource a '{type}' = {{\n  name: 'a'\n  properties: {{\n    environment: 'x'\n    more: 1\n  }}\n}}\n"
    settings = '{"extensions": {"radius": "./types.tgz"}}'
    model = program(text, {}, path="", **{"bicepconfig.json": settings, "types.tgz": packed(index.written())})
    assert codes(model) == []
    document = build(model)[0].document
    assert document["imports"] == {"radius": {"provider": "Radius", "version": "1.0.0"}}
    assert document["resources"]["a"]["import"] == "radius"
