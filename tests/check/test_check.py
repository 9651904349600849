"""What pages cannot show: files that cannot be read, models of several files, and what the model tells."""

from __future__ import annotations

import time

import pytest

from engine.check.check import check
from engine.check.load import Loader
from engine.check.model import Model
from engine.check.symbols import Kind
from engine.parse import tree
from engine.sources.memory import MemorySources


def model_of(text: str, **files: str) -> Model:
    return check(
        "main.bicep", MemorySources({"main.bicep": text, **{k.replace("_", "."): v for k, v in files.items()}})
    )


def codes(model: Model) -> list[str]:
    return [d.code for d in model.diagnostics]


def test_a_missing_file_is_one_error() -> None:
    model = check("gone.bicep", MemorySources({}))
    assert [(d.code, d.message) for d in model.diagnostics] == [
        ("ULN004", "'gone.bicep' cannot be read: it does not exist")
    ]


def test_a_binary_file_is_no_text() -> None:
    assert codes(check("a.bicep", MemorySources({"a.bicep": b"a\0b"}))) == ["ULN005"]
    assert codes(check("a.bicep", MemorySources({"a.bicep": b"\xff\xff"}))) == ["ULN005"]


def test_an_empty_file_is_fine() -> None:
    assert codes(model_of("")) == []


def test_files_are_read_once_and_called_as_people_call_them() -> None:
    files = {
        "proj/app/main.bicep": "module a '../lib/a.bicep' = {}\nmodule b 'b.bicep' = {}",
        "proj/app/b.bicep": "module a '../lib/a.bicep' = {}",
        "proj/lib/a.bicep": "output o int = 1",
    }
    model = check("proj/app/main.bicep", MemorySources(files))
    names = [m.source.name for m in model.everything()]
    assert sorted(names) == ["proj/app/b.bicep", "proj/app/main.bicep", "proj/lib/a.bicep"]


def test_a_name_is_bound_to_its_symbol_and_counted() -> None:
    model = model_of("param a string\nvar b = '${a}${a}'")
    a = model.symbols["a"]
    assert a.kind is Kind.PARAM
    assert [type(n) for n in model.uses[a]] == [tree.Name, tree.Name]
    assert all(model.symbol(n) is a for n in model.uses[a])
    assert model.unused(model.symbols["b"])


def test_built_in_functions_are_no_symbols() -> None:
    model = model_of("var a = toLower('X')\nvar b = sys.concat('a', 'b')\nvar c = az.listKeys('x', 'y')")
    calls = [*model.nodes(tree.Call), *model.nodes(tree.MethodCall)]
    assert [(f.namespace, f.name) for c in calls if (f := model.builtin(c))] == [
        ("sys", "toLower"),
        ("sys", "concat"),
        ("az", "listKeys"),
    ]


def test_imported_symbols_know_their_home() -> None:
    model = model_of(
        "import { a as b } from 'lib.bicep'\nimport * as l from 'lib.bicep'\noutput o int = b + l.a",
        lib_bicep="@export()\nvar a = 1",
    )
    assert codes(model) == []
    b = model.symbols["b"]
    assert b.kind is Kind.VAR
    assert b.home is not None and b.original is b.home.symbols["a"]
    (member,) = model.nodes(tree.Member)
    through = model.symbol(member)
    assert through is not None and through.original is b.original


def test_nested_resources_know_their_parent_and_full_type() -> None:
    model = model_of(
        "resource a 'A.B/c@1' = {\n  name: 'a'\n  resource d 'e@2' = {\n    name: 'd'\n    resource f 'g' = {\n      name: 'f'\n    }\n  }\n}"
    )
    a = model.symbols["a"]
    assert codes(model) == []
    assert a.declaration is not None
    d = model.nested[id(a.declaration)]["d"]
    f = model.nested[id(d.declaration)]["f"]
    assert d.parent is a and f.parent is d
    assert model.resource_types[f].type == "A.B/c/e/g"
    assert model.resource_types[f].version == "2"


def test_a_resource_belongs_to_the_extension_of_its_type() -> None:
    text = "extension radius\nextension kubernetes as k8s\n" + "\n".join(
        f"resource {name} '{type}@1' existing = {{ name: 'x' }}"
        for name, type in {"a": "Applications.Core/x", "b": "apps/Deployment", "c": "Microsoft.Web/sites"}.items()
    )
    model = model_of(text)
    owner = {n: getattr(model.extension_of(model.symbols[n]), "name", None) for n in "abc"}
    assert owner == {"a": "radius", "b": "k8s", "c": None}


def test_the_target_scope_is_read() -> None:
    assert model_of("targetScope = 'subscription'").target_scope == "subscription"
    assert codes(model_of("targetScope = 'galaxy'")) == ["BCP033"]
    assert codes(model_of("targetScope = 'tenant'\ntargetScope = 'tenant'")) == ["BCP112", "BCP112"]


def test_time_grows_with_the_size_of_the_file() -> None:
    def seconds(count: int) -> float:
        text = "param p string\n" + "".join(
            f"resource r{i} 'A.B/c@1' = {{ name: 'r{i}', properties: {{ a: p, b: {f'r{i - 1}.id' if i else 'p'} }} }}\n"
            for i in range(count)
        )
        sources = MemorySources({"main.bicep": text})
        before = time.process_time()
        assert check("main.bicep", sources).diagnostics == ()
        return time.process_time() - before

    seconds(50)
    small, large = min(seconds(150) for _ in range(3)), seconds(1500)
    assert large < 25 * small + 0.2, (small, large)


def test_long_chains_and_deep_nests_do_not_break() -> None:
    assert codes(model_of("var a = " + " + ".join(["1"] * 100))) == []
    assert set(codes(model_of("var a = " + " + ".join(["1"] * 3000)))) <= {"ULN001"}
    deep = model_of("var a = " + "[" * 400 + "]" * 400)
    assert all(c.startswith("ULN") for c in codes(deep))


@pytest.mark.parametrize(
    ("root", "shown"),
    [
        ("infra/sub/b.bicep", "infra/a.bicep"),
        ("sub/b.bicep", "a.bicep"),
        ("./sub/b.bicep", "./a.bicep"),
        ("b.bicep", "../a.bicep"),
        ("../b.bicep", "../../a.bicep"),
        ("/top/sub/b.bicep", "/top/a.bicep"),
        ("/sub/b.bicep", "/a.bicep"),
    ],
)
def test_a_module_above_has_the_name_that_it_has_for_other_files(root: str, shown: str) -> None:
    files = {
        "/here/top/sub/b.bicep": "module a '../a.bicep' = { name: 'a' }",
        "/here/top/a.bicep": "output o string = nope",
    }
    loader = Loader("/here/top/sub/b.bicep", root, MemorySources(files), None)
    assert loader.shown("/here/top/a.bicep") == shown
