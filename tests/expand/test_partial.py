"""Partial evaluation: what is deferred, resolved later, is what would have come out at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.contract.value import Deferred, Output, Secret, Unknown, decode, encode, is_known, leaves, needs
from engine.expand.functions.signature import EvaluationError
from engine.expand.resolve import resolve
from engine.expand.vault import MemoryVault

DB = {"id": "/x", "name": "db", "type": "T", "apiVersion": "1", "properties": {
    "n": 3, "s": "Text", "b": True, "f": False, "z": None, "list": [3, 1, 2], "names": ["b", "a"], "o": {"k": {"v": 7}, "B": 1}, "empty": [],
}}  # fmt: skip
RESOURCES = {"db": {"import": "ulna", "type": "Ulna.Core/values@2026-12-01", "properties": {"name": "db"}}}


def document(expression: str) -> dict[str, Any]:
    return {
        "resources": RESOURCES,
        "functions": [{"namespace": "my", "members": {
            "twice": {"parameters": [{"name": "x", "type": "int"}], "output": {"type": "int", "value": "[mul(parameters('x'), 2)]"}},
            "grow": {"parameters": [{"name": "p", "type": "int"}, {"name": "a", "type": "array"}], "output": {"type": "array", "value": "[map(parameters('a'), lambda('x', add(lambdaVariables('x'), parameters('p'))))]"}},
        }}],
        "variables": {"r": "[reference('db').properties]", "one": 1, "copy": [{"name": "squares", "count": "[reference('db').properties.n]", "input": "[mul(copyIndex('squares'), copyIndex('squares'))]"}]},
        "parameters": {"p": {"type": "int", "defaultValue": "[variables('r').n]"}},
        "outputs": {"x": {"type": "object", "value": f"[{expression}]"}},
    }  # fmt: skip


def lookup(address: str) -> Any:
    return DB if address == "app/db" else None


# ---------------------------------------------------------------- generated expressions

LEAF = {
    "int": ["1", "0", "5", "variables('r').n", "parameters('p')", "reference('db').properties.n", "variables('r').list[1]", "variables('r').o.k.v"],
    "string": ["'a'", "'Text'", "''", "variables('r').s", "reference('db').properties.names[0]", "reference('db').name"],
    "bool": ["true()", "false()", "variables('r').b", "variables('r').f"],
    "ints": ["createArray(2, 9)", "variables('r').list", "variables('r').empty", "range(0, variables('r').n)", "variables('squares')"],
    "object": ["createObject('k', 1)", "variables('r').o", "createObject('k', variables('r').n)", "createObject(variables('r').s, 1)"],
}  # fmt: skip
SHAPES = {
    "int": ["add({int}, {int})", "sub({int}, {int})", "div({int}, {int})", "mod({int}, {int})", "if({bool}, {int}, {int})", "length({string})", "length({ints})", "coalesce(null(), {int})", "coalesce(variables('r').z, {int})", "max({ints})", "my.twice({int})", "reduce({ints}, 0, lambda('a', 'b', add(lambdaVariables('a'), mul(lambdaVariables('b'), {int}))))", "{ints}[{int}]", "indexOf({string}, {string})"],
    "string": ["format('{{0}}-{{1}}', {string}, {int})", "concat({string}, {string})", "toUpper({string})", "if({bool}, {string}, {string})", "string({int})", "string({ints})", "take({string}, {int})", "uniqueString({string}, {string})", "join({ints}, {string})", "string(tryGet({object}, 'k'))"],
    "bool": ["equals({int}, {int})", "equals({string}, {string})", "and({bool}, {bool})", "or({bool}, {bool})", "not({bool})", "less({int}, {int})", "empty({ints})", "contains({object}, {string})", "contains({ints}, {int})"],
    "ints": ["map({ints}, lambda('x', add(lambdaVariables('x'), {int})))", "filter({ints}, lambda('x', greater(lambdaVariables('x'), {int})))", "sort({ints}, lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))", "concat({ints}, {ints})", "createArray({int}, {int})", "take({ints}, {int})", "skip({ints}, {int})", "union({ints}, {ints})", "if({bool}, {ints}, {ints})", "my.grow({int}, {ints})", "flatten(map({ints}, lambda('x', map({ints}, lambda('x', mul(lambdaVariables('x'), {int}))))))", "map({ints}, lambda('x', length(my.grow(lambdaVariables('x'), {ints}))))", "flatten(map({ints}, lambda('x', my.grow(lambdaVariables('x'), {ints}))))"],
    "object": ["createObject('a', {int}, 'b', {string})", "union({object}, {object})", "shallowMerge(createArray({object}, {object}))", "toObject({ints}, lambda('x', string(lambdaVariables('x'))), lambda('x', {int}))", "mapValues({object}, lambda('v', {string}))", "if({bool}, {object}, {object})"],
}  # fmt: skip


@st.composite
def expressions(draw: Any, kind: str, depth: int) -> str:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(LEAF[kind]))
    shape = draw(st.sampled_from(SHAPES[kind]))
    for wanted in LEAF:
        while f"{{{wanted}}}" in shape:
            shape = shape.replace(f"{{{wanted}}}", draw(expressions(wanted, depth - 1)), 1)
    return shape.replace("{{", "{").replace("}}", "}")


FAILED = object()


def at_once_and_later(expander: Any, expression: str) -> tuple[Any, Any]:
    """The value with everything known, and the value deferred and then resolved; an error is its message."""
    now, problems = expander(document(expression), known={"app/db": DB})
    direct = FAILED if problems else now.outputs["x"]
    later, problems = expander(document(expression))
    if problems:
        return direct, FAILED
    value = later.outputs["x"]
    assert needs(value) <= {"app/db"}
    assert all(isinstance(leaf, Output | Deferred) for leaf in leaves(value))
    assert decode(json.loads(json.dumps(encode(value)))) == value
    try:
        return direct, resolve(value, lookup)
    except EvaluationError:
        return direct, FAILED


@settings(deadline=None)
@given(st.sampled_from([*LEAF]).flatmap(lambda kind: expressions(kind, 3)))
def test_deferred_then_resolved_is_what_is_evaluated_at_once(expression: str) -> None:
    from tests.expand.conftest import Expander

    direct, later = at_once_and_later(Expander(), expression)
    if (
        direct is not FAILED
    ):  # what fails at once may come out later: a failing part that nothing needs is never looked at
        assert later == direct


# ---------------------------------------------------------------- by hand

FORMS = [
    ("reference('db').properties.s", Output("app/db", ("properties", "s"))),
    ("reference('db').properties.list[0]", Output("app/db", ("properties", "list", 0))),
    ("reference('db').name", "db"),
    ("reference('db').id", "/planes/radius/local/resourceGroups/default/providers/Ulna.Core/values/db"),
    ("reference('db').type", "Ulna.Core/values"),
    ("reference('db').apiVersion", "2026-12-01"),
    ("reference('db', '2026-12-01', 'full').name", "db"),
    ("format('a{0}', variables('r').s)", Deferred("format", ("a{0}", Output("app/db", ("properties", "s"))))),
    ("if(true(), 1, variables('r').n)", 1),
    ("and(false(), variables('r').b)", False),
    ("length(createArray(variables('r').n, 2))", 2),
    ("createArray(variables('r').n, 2)[1]", 2),
    ("first(map(createArray(1), lambda('x', createObject('a', variables('r').n)))).a", Output("app/db", ("properties", "n"))),
    ("coalesce(variables('r').s, fail('late'))", Deferred("coalesce", (Output("app/db", ("properties", "s")), Deferred("fail", ("late",))))),
    ("if(variables('r').b, div(1, 0), 2)", Deferred("if", (Output("app/db", ("properties", "b")), Deferred("fail", ("div() cannot divide by 0",)), 2))),
    ("resourceId('A.B/c', variables('r').s)", Deferred("format", ("{0}/providers/A.B/c/{1}", "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/default", Output("app/db", ("properties", "s"))))),
    ("map(variables('r').list, lambda('x', add(lambdaVariables('x'), variables('one'))))", Deferred("map", (Output("app/db", ("properties", "list")), Deferred("lambda", ("x#0", Deferred("add", (Deferred("lambdaVariables", ("x#0",)), 1))))))),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "residual"), FORMS, ids=[e for e, _ in FORMS])
def test_only_what_run_time_knows_stays_deferred(expression: str, residual: Any, expander: Any) -> None:
    assert expander.clean(document(expression)).outputs["x"] == residual


def test_what_is_still_unknown_stays_while_the_rest_is_resolved() -> None:
    value = {
        "a": Deferred("format", ("{0}{1}", Output("x", ("p",)), Output("y", ("p",)))),
        "b": Output("x", ("p",)),
        "c": 1,
    }
    half = resolve(value, lambda a: {"p": "1"} if a == "x" else None)
    assert half == {"a": Deferred("format", ("{0}{1}", "1", Output("y", ("p",)))), "b": "1", "c": 1}
    assert resolve(half, lambda a: {"p": "2"}) == {"a": "12", "b": "1", "c": 1}


def test_a_value_without_deferred_parts_is_returned_as_it_is() -> None:
    value = {"a": [1, {"b": Secret("s", "d")}]}
    assert resolve(value, lookup) is value


def test_an_unknown_stays_unknown_through_functions() -> None:
    value = Deferred("toUpper", (Output("x", ("p",)),))
    assert resolve(value, lambda a: {"p": Unknown()}) == Deferred("toUpper", (Unknown(),))


def test_a_missing_output_is_an_error_that_names_resource_and_output() -> None:
    with pytest.raises(EvaluationError) as error:
        resolve(Output("app/db", ("properties", "hots")), lambda a: {"properties": {"host": 1}})
    assert (
        error.value.message
        == "'app/db' has no output 'properties.hots': The property 'hots' does not exist; there is 'host'"
    )


def test_list_secrets_falls_back_to_the_secrets_among_the_properties(expander: Any) -> None:
    body = {"properties": {"secrets": {"password": "p"}}}
    value = expander.clean(
        {
            "resources": RESOURCES,
            "outputs": {"x": {"type": "string", "value": "[listSecrets('db', '2026-12-01').password]"}},
        }
    ).outputs["x"]
    assert value == Output("app/db", ("listSecrets()", "password"))
    assert resolve(value, lambda a: body) == "p"


# ---------------------------------------------------------------- secrets


def secret_document(expression: str) -> dict[str, Any]:
    return {
        "resources": RESOURCES,
        "parameters": {"pw": {"type": "securestring"}, "so": {"type": "secureObject"}},
        "outputs": {"x": {"type": "string", "value": f"[{expression}]"}},
    }


SECRETS = [
    ("parameters('pw')", "hunter2"),
    ("format('p={0}', parameters('pw'))", "p=hunter2"),
    ("parameters('so').user", "u"),
    ("length(parameters('pw'))", 7),
    ("string(createArray(parameters('pw'), 1))", '["hunter2",1]'),
    ("equals(parameters('pw'), 'hunter2')", True),
    ("map(parameters('so').list, lambda('x', format('{0}{1}', lambdaVariables('x'), parameters('pw'))))", ["ahunter2", "bhunter2"]),
    ("if(empty(parameters('pw')), 'none', parameters('pw'))", "hunter2"),
    ("coalesce(parameters('pw'), 'x')", "hunter2"),
]  # fmt: skip
ARGUMENTS = {"pw": "hunter2", "so": {"user": "u", "list": ["a", "b"]}}


@pytest.mark.parametrize(("expression", "inside"), SECRETS, ids=[e for e, _ in SECRETS])
def test_what_is_made_of_a_secret_is_a_secret(expression: str, inside: Any, expander: Any) -> None:
    value = expander.clean(secret_document(expression), ARGUMENTS).outputs["x"]
    assert isinstance(value, Secret)
    assert expander.vault.open(value) == inside


def test_a_condition_on_a_secret_opens_it_and_leaves_the_branches_as_they_are(expander: Any) -> None:
    assert (
        expander.clean(secret_document("if(empty(parameters('pw')), 'none', 'some')"), ARGUMENTS).outputs["x"] == "some"
    )


def test_secrets_beside_other_values_in_a_list_stay_apart(expander: Any) -> None:
    value = expander.clean(secret_document("createArray('plain', parameters('pw'))"), ARGUMENTS).outputs["x"]
    assert value[0] == "plain"
    assert isinstance(value[1], Secret)


def test_an_error_over_a_secret_does_not_quote_it(expander: Any) -> None:
    _, diagnostics = expander(secret_document("int(parameters('pw'))"), ARGUMENTS)
    assert diagnostics[0].message.startswith("int() refuses the value of the secret 'pw'")
    assert "hunter2" not in str(diagnostics)


def test_a_secret_joined_to_an_output_is_sealed_when_the_output_is_known(expander: Any) -> None:
    value = expander.clean(
        secret_document("format('{0}:{1}', reference('db').properties.s, parameters('pw'))"), ARGUMENTS
    ).outputs["x"]
    assert not is_known(value)
    assert "hunter2" not in repr(value)
    done = resolve(value, lookup, expander.vault)
    assert isinstance(done, Secret)
    assert expander.vault.open(done) == "Text:hunter2"


def test_without_a_vault_functions_of_secrets_wait() -> None:
    value = Deferred("toUpper", (Secret("s", "d"),))
    assert resolve(value, lookup) == value


def test_a_secret_another_run_sealed_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="not known to this run"):
        resolve(Deferred("toUpper", (Secret("s", "d"),)), lookup, MemoryVault(b"k"))


def test_equal_values_have_equal_digests_under_one_key_only() -> None:
    one, two = MemoryVault(b"1"), MemoryVault(b"2")
    assert one.seal({"a": 1, "b": 2}, "x") == one.seal({"b": 2, "a": 1}, "x")
    assert one.seal("v", "x").digest != two.seal("v", "x").digest
