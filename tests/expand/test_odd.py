"""Odd input: a broken template is a diagnostic, an odd argument an error of its function, never an exception."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.expand.desired import Scope
from engine.expand.expand import expand
from engine.expand.functions.find import every
from engine.expand.functions.signature import EvaluationError
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


JUNK = [None, 5, -1, True, 1.5, "x", "", "[", "[]", "[foo", "[foo()]", "[[x]", "[copyIndex()]", "[reference('v')]", "[createArray(1)]", [], {}, [1], [None], {"a": 1}, {"copy": [{"name": "x", "count": 2, "input": 1}]}, "[null()]", "[reference('v').properties.output]"]  # fmt: skip


def _paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(p for k, v in inner for p in _paths(v, (*path, k)))]


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_broken_template_is_a_diagnostic_never_an_exception(rnd: random.Random) -> None:
    inner = {
        "parameters": {"n": {"$ref": "#/definitions/d"}},
        "definitions": {
            "d": {"type": "object", "properties": {"a": {"type": "int", "minValue": 1}}, "additionalProperties": False}
        },
        "functions": [
            {
                "namespace": "f",
                "members": {
                    "g": {
                        "parameters": [{"name": "x", "type": "int"}],
                        "output": {"type": "int", "value": "[parameters('x')]"},
                    }
                },
            }
        ],
        "resources": [
            {
                "type": "A.B/c",
                "apiVersion": "1",
                "name": "[format('c{0}', f.g(1))]",
                "copy": {"name": "l", "count": 2},
                "properties": {"copy": [{"name": "p", "count": 1, "input": "x"}]},
                "dependsOn": [],
            }
        ],
        "outputs": {"o": {"type": "array", "copy": {"count": 2, "input": "[copyIndex()]"}}},
    }
    document = {
        "variables": {
            "a": "[reference('v').properties]",
            "copy": [{"name": "b", "count": 2, "input": "[copyIndex('b')]"}],
        },
        "resources": {
            "v": value("v", "[variables('b')]", metadata={"ulna": {"operator": "x"}}),
            "m": module(
                inner,
                parameters={"n": {"value": {"a": 1}}},
                condition="[contains(variables('b'), 1)]",
                scope="/subscriptions/s/resourceGroups/g",
                dependsOn=["v"],
            ),
            "w": value("w", "[reference('m').outputs.o.value]"),
        },
        "outputs": {"o": {"type": "object", "value": "[variables('a')]", "condition": True}},
    }
    document = json.loads(json.dumps(document))
    for _ in range(rnd.choice([1, 1, 2, 4])):
        *way, last = rnd.choice([p for p in _paths(document) if p])
        at: Any = document
        for key in way:
            at = at[key]
        if rnd.random() < 0.8 or isinstance(at, list):
            at[last] = json.loads(json.dumps(rnd.choice(JUNK)))
        else:
            del at[last]
    expand(Template("app", document), {}, Scope("app"), MemoryVault(b"k"))


def test_starting_up_loads_nothing_heavy() -> None:
    heavy = [
        "datetime",
        "ipaddress",
        "uuid",
        "hashlib",
        "decimal",
        "dataclasses",
        "inspect",
        "difflib",
        "urllib.parse",
        "logging",
        "lark",
    ]
    code = (
        "import sys; from engine.template.template import Template; from engine.expand.expand import expand; from engine.expand.desired import Scope;"
        "from engine.expand.vault import MemoryVault;"
        "expand(Template('a', {'outputs': {'x': {'type': 'string', 'value': \"[format('{0}', concat('a', 'b'))]\"}}}), {}, Scope('a'), MemoryVault(b'k'));"
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_body_ten_thousand_levels_deep_is_a_diagnostic(expander: Any) -> None:
    deep: Any = []
    for _ in range(10000):
        deep = [deep]
    _, diagnostics = expander({"resources": {"v": value("v", deep)}})
    assert [d.message for d in diagnostics] == ["The template nests too deeply"]


def test_a_function_that_calls_itself_is_a_diagnostic(expander: Any) -> None:
    loop = {
        "parameters": [{"name": "x", "type": "int"}],
        "output": {"type": "int", "value": "[my.loop(parameters('x'))]"},
    }
    _, diagnostics = expander(
        {
            "functions": [{"namespace": "my", "members": {"loop": loop}}],
            "outputs": {"o": {"type": "int", "value": "[my.loop(1)]"}},
        }
    )
    assert diagnostics[0].message.startswith("The expression nests too deeply, or a function calls itself without end")


ODD_TEXTS = ["", "a", "2020-01-01T00:00:00Z", "P1D", "10.0.0.0/8", "{0:D3}{1}", "u", "yyyy", "\ud800", "http://a/b", "http://[", "data:,x", "YQ==", "9999-12-31", "fd00::/8", "{0:0.0#;(0)}", "{0:E500}", "{0,9", "P99999999Y", "A.B/c", "1e5", "[1]", "true"]  # fmt: skip
TEXT = st.sampled_from(ODD_TEXTS) | st.text(max_size=6)
SCALARS = {
    1: TEXT,
    2: st.integers(-3, 12) | st.sampled_from([2**31, -(2**31), 2**63 - 1, -(2**63), 10**6]),
    4: st.booleans(),
    32: st.none(),
    64: st.sampled_from([0.0, 1.5, -2.25, 1e300, -1e-300]),
}
ANYTHING = st.one_of(*SCALARS.values()) | st.lists(st.one_of(*SCALARS.values()), max_size=3)
KINDS = {
    **SCALARS,
    8: st.lists(ANYTHING | st.dictionaries(TEXT, ANYTHING, max_size=2), max_size=3),
    16: st.dictionaries(st.sampled_from(["host", "port", "scheme", "path", "query", "a", "A"]), ANYTHING, max_size=4),
    128: ANYTHING.map(lambda answer: lambda *_: answer),
}
PLAIN = [f for f in every().values() if not f.special]


@settings(deadline=None)
@given(st.data())
def test_a_function_gives_a_value_or_an_error_of_its_own(data: Any) -> None:
    function = data.draw(st.sampled_from(PLAIN))
    most = len(function.parameters) + (3 if function.rest else 0)
    count = data.draw(st.integers(function.least, max(most, function.least)))
    kinds = [*function.parameters, *[function.rest] * 3][:count]
    arguments = [data.draw(st.one_of(*(s for k, s in KINDS.items() if k & kind))) for kind in kinds]
    try:
        json.dumps(function.run(*arguments))
    except EvaluationError as error:
        assert error.message
