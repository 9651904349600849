"""What a template cannot say is refused, with a code, and at its place."""

from __future__ import annotations

import pytest

from engine.build.build import build
from engine.build.limits import limits
from engine.check.check import check
from engine.diagnostics.diagnostic import has_errors
from engine.sources.memory import MemorySources
from tests.types.described import beside

A = "resource a 'My.Rp/things@2023-01-01' = {\n  name: 'a'\n}\n"
M = "module m 'part.bicep' = {\n  name: 'm'\n}\n"
EXISTS = "resource b 'My.Rp/things@2023-01-01' existing = {\n  name: a.properties.x\n}\n"
EXISTING = "resource a 'My.Rp/things@2023-01-01' existing = {\n  name: string(m.outputs.x)\n}\n"
FILES = {"part.bicep": "output x bool = true", "group.bicep": "targetScope = 'managementGroup'"}


def problems(program: str) -> list[tuple[str, str]]:
    """The codes, and the text that each points at."""
    sources = MemorySources({"/app/main.bicep": program, **{f"/app/{k}": v for k, v in FILES.items()}})
    model = check("/app/main.bicep", sources)
    assert not has_errors(model.diagnostics)
    _, found = build(model)
    assert limits(model) == found
    return [(d.code, program[d.primary.span.start : d.primary.span.end]) for d in found if d.primary]


@pytest.mark.parametrize(
    ("program", "code", "place"),
    [
        (A + "var v = [for i in [1]: a.properties.x]", "BCP182", "a.properties"),
        (A + "var s = a.properties.x\nvar v = [for i in [1]: s]", "BCP182", "s"),
        (A + "resource b 'My.Rp/things@2023-01-01' = {\n  name: a.properties.x\n}", "BCP120", "a.properties"),
        (A + "var n = a.properties.x\nresource b 'My.Rp/things@2023-01-01' = {\n  name: n\n}", "BCP120", "n"),
        (A + "resource b 'My.Rp/things@2023-01-01' = {\n  name: 'b'\n  tags: a.tags\n}", "BCP120", "a.tags"),
        (
            A + "resource b 'My.Rp/things@2023-01-01' = if (a.properties.x) {\n  name: 'b'\n}",
            "BCP177",
            "a.properties",
        ),
        (
            A + "resource b 'My.Rp/things@2023-01-01' = [for i in a.properties.x: {\n  name: 'b${i}'\n}]",
            "BCP178",
            "a.properties",
        ),
        (
            "module m 'part.bicep' = {\n  name: 'm'\n}\nmodule n 'part.bicep' = if (m.outputs.x) {}",
            "BCP177",
            "m.outputs",
        ),
        (A + "var v = [for i in a.tags: i]", "BCP178", "a.tags"),
        (A + "var v = [for i in [1]: a]", "BCP182", "a"),
        (A + "param k string\nvar v = [for i in [1]: a[k]]", "BCP182", "a[k]"),
        ("func f() string => reference('x').y", "BCP341", "reference('x')"),
        ("resource b 'My.Rp/things@2023-01-01' = if (listKeys('x', '1').y) {\n  name: 'b'\n}", "BCP066", "listKeys"),
        ("module m 'group.bicep' = {\n  scope: subscription()\n}", "BCP134", "subscription()"),
        ("module m 'group.bicep' = {\n  scope: managementGroup('x')\n}", "BCP116", "managementGroup('x')"),
        (
            "targetScope = 'tenant'\nmodule m 'part.bicep' = {\n  scope: resourceGroup('x')\n}",
            "BCP113",
            "resourceGroup('x')",
        ),
        (
            "targetScope = 'managementGroup'\nmodule m 'part.bicep' = {\n  scope: resourceGroup('x')\n}",
            "BCP114",
            "resourceGroup('x')",
        ),
        (
            A + EXISTS + "resource c 'My.Rp/others@2023-01-01' = {\n  name: 'c'\n  dependsOn: [b]\n}",
            "BCP434",
            "b",
        ),
        (A + EXISTS.replace("\n}", "\n  dependsOn: [a]\n}"), "BCP433", "dependsOn: [a]"),
        (A + "extension kubernetes with {\n  kubeConfig: a.tags.x\n  namespace: 'n'\n}", "BCP444", "a.tags"),
        (
            "targetScope = 'subscription'\nmodule m 'group.bicep' = {\n  scope: managementGroup('x')\n}",
            "BCP115",
            "managementGroup('x')",
        ),
        (M + "output o string = reference(string(m.outputs.x), '1').y", "BCP181", "m.outputs"),
        (M + "var v = m.outputs.x\noutput o object = az.listKeys(string(v), '1')", "BCP181", "v"),
        (M + A + "output o object = a.listKeys('1', { x: m.outputs.x })", "BCP181", "m.outputs"),
        (M + EXISTING + "output o object = a.properties.y", "BCP307", "a.properties"),
        (M + EXISTING + "output o object = a.listKeys()", "BCP307", "a.listKeys()"),
    ],
)
def test_a_template_cannot_say(program: str, code: str, place: str) -> None:
    assert problems(program) == [(code, place)]


def test_one_name_twice_is_refused_at_both() -> None:
    assert problems(A + A.replace("resource a", "resource b")) == [("BCP121", "'a'"), ("BCP121", "'a'")]
    module = "module m 'part.bicep' = {\n  name: 'x'\n}\n"
    assert problems(module + module.replace("module m", "module n")) == [("BCP122", "'x'"), ("BCP122", "'x'")]


@pytest.mark.parametrize(
    "program",
    [
        A + "resource b 'My.Rp/things@2023-01-01' existing = {\n  name: 'a'\n}",
        A + "resource b 'My.Rp/others@2023-01-01' = {\n  name: 'a'\n}",
        A + "resource b 'My.Rp/things@2023-01-01' = {\n  name: 'a'\n  scope: a\n}",
        "param p bool\n"
        + A.replace("= {", "= if (p) {")
        + A.replace("resource a", "resource b").replace("= {", "= if (!p) {"),
        A + "resource b 'My.Rp/things@2023-01-01' = {\n  name: '${a.name}b'\n  location: a.id\n}",
        A + "resource b 'My.Rp/things@2023-01-01' existing = {\n  name: a.properties.x\n}",
        M + EXISTING + "output o string = '${a.id}${a.name}'",
        A + "output o object = listKeys(a.id, a.apiVersion)",
        A + "var v = [for i in [1]: a.id]",
        A + "var v = [for i in [1]: nameof(a.properties.x)]",
        "extension radius\nparam app string\nresource g 'Applications.Core/gateways@2023-10-01-preview' = {\n  name: 'g'\n"
        "  properties: {\n    application: app\n    routes: []\n  }\n}\nresource e 'Applications.Core/extenders@2023-10-01-preview' = "
        "if (g.properties.url != '') {\n  name: 'e'\n  properties: {\n    application: app\n    environment: app\n  }\n}",
    ],
)
def test_what_it_can_say_is_not_refused(program: str) -> None:
    assert problems(program) == []


def test_one_name_is_seen_through_variables_and_other_resources() -> None:
    again = "var n = a.name\n" + A.replace("resource a", "resource b").replace("'a'", "'${n}'")
    assert problems(A + again) == [("BCP121", "'a'"), ("BCP121", "'${n}'")]


@pytest.mark.parametrize(
    "read", ["a.id", "a['name']", "a[true ? 'id' : 'type']", "a[w]", "a['${w}']", "nameof(a)", "a[first([w, 'tags'])]"]
)
def test_what_the_declaration_settles_is_early(read: str) -> None:
    assert problems(f"{A}var w = 'id'\nvar v = [for i in [1]: {read}]") == []


def test_a_module_for_another_scope_must_be_given_one() -> None:
    assert problems("module m 'group.bicep' = {}") == [("BCP035", "m"), ("BCP134", "{}")]


def test_a_subscription_does_not_reach_a_management_group() -> None:
    program = "targetScope = 'subscription'\nmodule m 'group.bicep' = {\n  scope: managementGroup('x')\n}"
    assert problems(program) == [("BCP115", "managementGroup('x')")]


def test_a_path_into_a_file_must_lead_somewhere() -> None:
    program = "var v = loadJsonContent('some.json', '.nowhere')"
    sources = MemorySources({"/app/main.bicep": program, "/app/some.json": '{"here": 1}'})
    (found,) = limits(check("/app/main.bicep", sources))
    assert found.code == "BCP235" and found.primary is not None
    assert program[found.primary.span.start : found.primary.span.end] == "'.nowhere'"


STORE = (
    "resource a 'Test.Rp/stores@2024-01-01' = {\n  name: 'aaa'\n  location: 'x'\n  properties: {\n    size: 1\n  }\n"
)
GARDEN = "extension './garden' with {\n  gate: 'a'\n  key: 'b'\n} as garden\n"
ROSE = "resource rose 'plant@v1' = {\n  label: 'rose'\n  bed: {}\n}\n"


@pytest.mark.parametrize(
    ("program", "places"),
    [
        (STORE + "}\n" + STORE.replace(" a ", " b ").replace("'aaa'", "'bbb'") + "  early: a.etag\n}", ["a.etag"]),
        (STORE + "}\n" + STORE.replace(" a ", " b ").replace("'aaa'", "'bbb'") + "  early: a.id\n}", []),
        (STORE + "}\n" + STORE.replace(" a ", " b ").replace("'aaa'", "'bbb'") + "  zones: [a.etag]\n}", ["a.etag"]),
        (GARDEN + ROSE + "resource b 'plant@v1' = {\n  label: 'b'\n  bed: {}\n  plot: rose.label\n}", ["rose.label"]),
        (GARDEN + ROSE + "resource b 'plant@v1' = {\n  label: rose.label\n  bed: {}\n  plot: 'x'\n}", []),
    ],
)
def test_types_tell_what_must_be_known_early(program: str, places: list[str]) -> None:
    config = '{"ulna": {"types": "types"}}'
    sources = MemorySources({"main.bicep": program, "bicepconfig.json": config, **beside()})
    model = check("main.bicep", sources)
    assert not has_errors(model.diagnostics), model.diagnostics
    found = [d for d in limits(model) if d.code == "BCP120" and d.primary]
    assert [program[d.primary.span.start : d.primary.span.end] for d in found if d.primary] == places
