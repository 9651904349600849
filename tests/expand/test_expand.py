"""The step as a whole: order, places of problems, loops of modules, speed of thought."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract.value import Output, Secret, Unknown
from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Source, Span
from engine.expand.desired import Scope
from engine.expand.expand import expand
from engine.expand.order import order
from engine.expand.vault import MemoryVault
from engine.template.template import Template


def value(name: str, input: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "import": "ulna",
        "type": "Ulna.Core/values@2026-12-01",
        "properties": {"name": name, "properties": {"input": input}},
        **more,
    }


def module(template: dict[str, Any], **more: Any) -> dict[str, Any]:
    parameters = more.pop("parameters", {})
    inner = {
        "expressionEvaluationOptions": {"scope": "inner"},
        "mode": "Incremental",
        "template": {"languageVersion": "2.0", **template},
    }
    return {
        "type": "Microsoft.Resources/deployments",
        "apiVersion": "2025-04-01",
        "name": "m",
        "properties": {**inner, "parameters": parameters},
        **more,
    }


def waits(desired: Any) -> dict[str, tuple[str, ...]]:
    return {r.address: r.depends_on for r in desired.resources}


# ---------------------------------------------------------------- order


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25))
def test_dependencies_come_before_what_waits_for_them(seed: int, size: int) -> None:
    from tests.expand.conftest import Expander

    rnd = random.Random(seed)
    resources: dict[str, Any] = {}
    for i in range(size):
        after = rnd.sample(range(i), min(i, rnd.randint(0, 3)))
        refer = rnd.sample(range(i), min(i, rnd.randint(0, 2)))
        body = value(
            f"v{i}", [f"[reference('v{j}').properties.output]" for j in refer], dependsOn=[f"v{j}" for j in after]
        )
        if rnd.random() < 0.2:
            inner = {"resources": {"x": value(f"v{i}x"), "y": value(f"v{i}y", "[reference('x').id]")}}
            body = module(inner, name=f"m{i}", dependsOn=[f"v{j}" for j in after])
            resources[f"m{i}"] = body
            body = value(f"v{i}", dependsOn=[f"m{i}"])
        resources[f"v{i}"] = body
    shuffled = dict(rnd.sample([*resources.items()], len(resources)))
    desired = Expander().clean({"resources": shuffled})
    placed: set[str] = set()
    for resource in desired.resources:
        assert set(resource.depends_on) <= placed, resource.address
        placed.add(resource.address)
    assert len(placed) == len(desired.resources)


@given(st.dictionaries(st.integers(0, 12).map(str), st.lists(st.integers(0, 12).map(str), max_size=4)))
def test_an_order_is_complete_or_a_cycle_is_shown(needs: dict[str, list[str]]) -> None:
    placed, cycle = order(needs)
    if cycle:
        assert cycle[0] == cycle[-1]
        assert all(b in needs[a] for a, b in pairwise(cycle))
    else:
        assert sorted(placed) == sorted(needs)
        at = {key: i for i, key in enumerate(placed)}
        assert all(at[n] < at[key] for key in needs for n in needs[key] if n in needs)


def test_a_chain_of_thousands_is_no_recursion() -> None:
    chain = {str(i): [str(i + 1)] for i in range(20000)}
    assert order(chain)[0][0] == "19999"


def test_a_resource_may_use_its_own_id_but_no_output_of_its_own(expander: Any) -> None:
    desired = expander.clean({"resources": {"a": value("a", "[reference('a').id]")}})
    assert waits(desired) == {"app/a": ()}
    _, diagnostics = expander({"resources": {"a": value("a", "[reference('a').properties.output]")}})
    assert [(d.code, d.message) for d in diagnostics] == [("ULN205", "'a' refers to an output of its own")]


def test_a_reference_in_a_default_or_a_variable_is_a_dependency_of_what_uses_it(expander: Any) -> None:
    document = {
        "parameters": {"p": {"type": "string", "defaultValue": "[reference('a').id]"}},
        "variables": {"v": "[parameters('p')]"},
        "resources": {"b": value("b", "[variables('v')]"), "c": value("c"), "a": value("a")},
    }
    assert waits(expander.clean(document)) == {"app/a": (), "app/b": ("app/a",), "app/c": ()}


# ---------------------------------------------------------------- modules


def test_all_of_a_module_waits_through_its_first_resources(expander: Any) -> None:
    inner = {"resources": {"x": value("x"), "y": value("y", "[reference('x').properties.output]"), "z": value("z")}}
    desired = expander.clean(
        {"resources": {"a": value("a"), "m": module(inner, dependsOn=["a"]), "b": value("b", dependsOn=["m"])}}
    )
    assert waits(desired) == {
        "app/a": (),
        "app/m/x": ("app/a",),
        "app/m/y": ("app/m/x",),
        "app/m/z": ("app/a",),
        "app/b": ("app/m/x", "app/m/y", "app/m/z"),
    }


def test_a_module_in_a_module_inherits_from_both(expander: Any) -> None:
    inner = {"resources": {"x": value("x")}}
    outer = {"resources": {"p": value("p"), "n": module(inner, dependsOn=["p"])}}
    desired = expander.clean({"resources": {"a": value("a"), "m": module(outer, dependsOn=["a"])}})
    assert waits(desired) == {"app/a": (), "app/m/p": ("app/a",), "app/m/n/x": ("app/m/p",)}


def test_only_the_output_that_is_asked_for_is_evaluated(expander: Any) -> None:
    inner = {
        "parameters": {"in": {"type": "string"}},
        "resources": {"x": value("x")},
        "outputs": {
            "plain": {"type": "string", "value": "made"},
            "back": {"type": "string", "value": "[parameters('in')]"},
        },
    }
    resources = {
        "m": module(inner, parameters={"in": {"value": "[reference('a').properties.output]"}}),
        "a": value("a", "[reference('m').outputs.plain.value]"),
    }
    desired = expander.clean(
        {"resources": resources, "outputs": {"o": {"type": "string", "value": "[reference('m').outputs.back.value]"}}}
    )
    assert waits(desired) == {"app/m/x": (), "app/a": ()}
    assert desired.outputs["o"] == Output("app/a", ("properties", "output"))


def test_a_false_condition_drops_a_module_with_all_in_it(expander: Any) -> None:
    inner = {"resources": {"x": value("x", "[div(1, 0)]")}}
    desired = expander.clean({"resources": {"m": module(inner, condition=False), "b": value("b", dependsOn=["m"])}})
    assert waits(desired) == {"app/b": ()}


def test_a_wrong_module_argument_is_reported_at_the_module(expander: Any) -> None:
    inner = {"parameters": {"n": {"type": "int"}, "must": {"type": "string"}}}
    _, diagnostics = expander({"resources": {"m": module(inner, parameters={"n": {"value": "x"}})}})
    assert [d.message for d in diagnostics] == [
        "Parameter 'must' has no value",
        "The value of parameter 'n' does not fit: it must be an integer, not a string",
    ]


def test_a_secure_parameter_from_an_output_is_sealed_when_it_is_known(expander: Any) -> None:
    from engine.expand.resolve import resolve

    inner = {"parameters": {"pw": {"type": "securestring"}}, "resources": {"x": value("x", "[parameters('pw')]")}}
    resources = {
        "db": value("db"),
        "m": module(inner, parameters={"pw": {"value": "[listSecrets('db', '1').password]"}}),
    }
    desired = expander.clean({"resources": resources})
    late = next(r for r in desired.resources if r.address == "app/m/x").properties["properties"]["input"]
    done = resolve(late, lambda a: {"properties": {"secrets": {"password": "hunter2"}}}, expander.vault)
    assert isinstance(done, Secret)
    assert expander.vault.open(done) == "hunter2"


def test_a_key_vault_reference_reads_the_secret_that_exists(expander: Any) -> None:
    vault = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv"
    inner = {"parameters": {"pw": {"type": "securestring"}}, "resources": {"x": value("x", "[parameters('pw')]")}}
    reference = {"reference": {"keyVault": {"id": vault}, "secretName": "pw"}}
    desired = expander.clean({"resources": {"m": module(inner, parameters={"pw": reference})}})
    secret, x = desired.resources
    assert (secret.type, secret.name, secret.existing) == ("Microsoft.KeyVault/vaults/secrets", "pw", True)
    assert x.depends_on == (secret.address,)


# ---------------------------------------------------------------- undecided


def test_what_waits_for_an_undecided_module_waits_for_its_address(expander: Any) -> None:
    inner = {
        "resources": {"x": value("x")},
        "outputs": {"o": {"type": "string", "value": "[reference('x').properties.output]"}},
    }
    resources = {
        "src": value("src"),
        "m": module(inner, condition="[reference('src').properties.output]"),
        "b": value("b", "[reference('m').outputs.o.value]", dependsOn=["m"]),
    }
    desired = expander.clean({"resources": resources})
    assert waits(desired) == {"app/src": (), "app/b": ("app/m",)}
    assert desired.pending[0].covers("app/m/x")
    later = expander.clean({"resources": resources}, known={"app/src": {"properties": {"output": True}}})
    assert waits(later)["app/b"] == ("app/m/x",)
    assert later.pending == ()


def test_an_undecided_part_of_a_module_is_part_of_the_module(expander: Any) -> None:
    inner = {
        "parameters": {"n": {"type": "int"}},
        "resources": {"x": value("[format('x{0}', copyIndex())]", copy={"name": "x", "count": "[parameters('n')]"})},
    }
    resources = {
        "src": value("src"),
        "m": module(inner, parameters={"n": {"value": "[reference('src').properties.output]"}}),
        "b": value("b", dependsOn=["m"]),
    }
    desired = expander.clean({"resources": resources})
    assert waits(desired)["app/b"] == ("app/m/x",)
    assert [(p.address, p.needs) for p in desired.pending] == [("app/m/x", frozenset({"app/src"}))]
    later = expander.clean({"resources": resources}, known={"app/src": {"properties": {"output": 2}}})
    assert waits(later)["app/b"] == ("app/m/x[0]", "app/m/x[1]")


def test_what_is_known_only_in_part_stays_an_output(expander: Any) -> None:
    resources = {
        "src": value("src"),
        "b": value("b", ["[reference('src').properties.output.a]", "[reference('src').properties.output.b]"]),
    }
    known = {"app/src": {"properties": {"output": {"a": 1, "b": Unknown()}}}}
    desired = expander.clean({"resources": resources}, known=known)
    assert desired.resources[1].properties["properties"]["input"] == [
        1,
        Output("app/src", ("properties", "output", "b")),
    ]
    assert desired.resources[1].depends_on == ("app/src",)


# ---------------------------------------------------------------- places


def test_a_problem_is_placed_at_the_nearest_known_origin() -> None:
    source = Source("app.json", "x" * 100)
    pointers = [
        "",
        "/resources/m",
        "/resources/m/properties/template/resources/x/properties/properties/input/deep",
        "/parameters/p",
        "/outputs/o",
    ]
    origins = {pointer: Label(source, Span(i, i + 1)) for i, pointer in enumerate(pointers)}
    inner = {"resources": {"x": value("x", {"deep": ["[div(1, 0)]"]})}}
    document = {
        "languageVersion": "2.0",
        "parameters": {"p": {"type": "int", "defaultValue": "[add(1, 'a')]"}},
        "resources": {"m": module(inner)},
        "outputs": {"o": {"type": "int", "value": "[mod(1, 0)]"}},
    }
    template = Template("app", document, origins)
    _, diagnostics = expand(template, {"p": 1}, Scope("app"), MemoryVault(b"k"))
    assert [(d.primary.span.start, d.message) for d in diagnostics if d.primary] == [
        (2, "div() cannot divide by 0, in [div(1, 0)]"),
        (4, "mod() cannot divide by 0, in [mod(1, 0)]"),
    ]
    _, diagnostics = expand(template, {}, Scope("app"), MemoryVault(b"k"))
    assert [(d.primary.span.start, d.message) for d in diagnostics if d.primary] == [
        (3, "Argument 2 of add() must be an integer, not a string, in [add(1, 'a')]")
    ]


def test_now_and_new_guids_come_from_the_scope(expander: Any) -> None:
    document = {
        "parameters": {
            "now": {"type": "string", "defaultValue": "[utcNow()]"},
            "day": {"type": "string", "defaultValue": "[utcNow('yyyy-MM-dd')]"},
            "a": {"type": "string", "defaultValue": "[newGuid()]"},
            "b": {"type": "string", "defaultValue": "[newGuid()]"},
        },
        "outputs": {k: {"type": "string", "value": f"[parameters('{k}')]"} for k in ("now", "day", "a", "b")},
    }
    one, two = expander.clean(document).outputs, expander.clean(document).outputs
    assert (one["now"], one["day"]) == ("20260304T050607Z", "2026-03-04")
    assert one == two
    assert one["a"] != one["b"]
    other = expander.clean(document, scope=Scope("app", now="2026-03-04T05:06:07Z", seed="other")).outputs
    assert other["a"] != one["a"]


def test_nothing_plain_of_a_secret_is_in_the_graph(expander: Any) -> None:
    inner = {
        "parameters": {"pw": {"type": "securestring"}},
        "resources": {"x": value("x", "[format('p={0}', parameters('pw'))]")},
        "outputs": {"s": {"type": "securestring", "value": "plain-s3cret"}},
    }
    document = {
        "parameters": {"pw": {"type": "securestring"}, "o": {"type": "secureObject"}},
        "resources": {
            "m": module(inner, parameters={"pw": {"value": "[parameters('pw')]"}}),
            "y": value(
                "y",
                [
                    "[parameters('o').key]",
                    "[listOutputsWithSecureValues('m', '2025-04-01').s]",
                    "[concat(reference('m/x').properties.output, parameters('pw'))]",
                ],
            ),
        },
    }
    document["resources"]["y"]["properties"]["properties"]["input"].pop()
    desired = expander.clean(document, {"pw": "hunter2", "o": {"key": "hunter3"}})
    shown = repr(desired)
    assert not any(word in shown for word in ("hunter", "s3cret"))
