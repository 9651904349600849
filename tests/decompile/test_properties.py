"""Whatever the JSON: files that can be read, or one refusal with its place."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.decompile import simplify
from engine.decompile.decompile import decompile
from engine.decompile.simplify import Node, key
from engine.diagnostics.source import Source
from engine.format.format import format
from engine.parse.parser import parse
from engine.sources.jsonc import load
from tests.decompile.pages import cases

TEMPLATES = [load(Source("main.json", case.template)) for case in cases() if not case.refusal]
VALUES: list[Any] = [
    None, 1, -1, 1.5, True, "", "x", "[x]", "[[a]", "/", [], {}, [1], {"a": 1}, "[concat('a', copyIndex())]", "[reference()]",
    "[parameters('a')]", "[format('{0:D2}{1', 1)]", "[if(true(), 1)]", "[createObject('a')]", "[tryGet()]", "[lambda('x')]",
]  # fmt: skip


def check(text: str) -> None:
    source = Source("main.json", text)
    files, diagnostics = decompile(source)
    if not files:
        (diagnostic,) = diagnostics
        assert diagnostic.code in ("ULN010", "ULN012")
        assert diagnostic.primary is not None
        assert diagnostic.primary.span.end <= len(text)
    for name, bicep in files.items():
        assert format(Source(name, bicep)) == bicep


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for at, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, at))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TEMPLATES), st.randoms(use_true_random=False))
def test_a_spoilt_template_is_refused_or_read(template: dict[str, Any], chance: random.Random) -> None:
    template = copy.deepcopy(template)
    for _ in range(chance.randrange(1, 4)):
        path = chance.choice(list(places(template)) or [("resources",)])
        holder: Any = template
        for at in path[:-1]:
            holder = holder[at]
        if chance.random() < 0.3:
            holder.pop(path[-1], None) if isinstance(holder, dict) else holder.pop(path[-1])
        else:
            holder[path[-1]] = chance.choice(VALUES)
    check(json.dumps(template, indent=1))


@settings(max_examples=60, deadline=None)
@given(st.text("[](){}'\",.:ab0 \n", max_size=40))
def test_odd_texts_and_expressions_are_refused_or_read(text: str) -> None:
    check(text)
    check(json.dumps({"variables": {"a": f"[{text}]"}}))


def test_deep_documents_get_an_answer() -> None:
    for opener, closer in (('{"a":', "}"), ("[", "]")):
        check(f'{{"variables": {{"v": {opener * 600}1{closer * 600}}}}}')
        check(f'{{"variables": {{"v": {opener * 300}1{closer * 300}}}}}')
    check(json.dumps({"variables": {"v": f"[{'not(' * 400}1{')' * 400}]"}}))
    check(json.dumps({"variables": {"v": f"[{'not(' * 190}true(){')' * 190}]"}}))
    nested: Any = {"resources": []}
    for _ in range(40):
        body = {"template": nested, "mode": "Incremental", "expressionEvaluationOptions": {"scope": "inner"}}
        module = {
            "type": "Microsoft.Resources/deployments",
            "apiVersion": "2020-06-01",
            "name": "n",
            "properties": body,
        }
        nested = {"resources": [module]}
    check(json.dumps(nested))


def test_what_comes_out_of_a_page_can_be_compiled_again() -> None:
    for template in TEMPLATES:
        files, _ = decompile(Source("main.json", json.dumps(template)))
        for name, text in files.items():
            assert "?" in text or parse(Source(name, text))[1] == ()


def test_many_resources_that_name_each_other_cost_the_same_each(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def counted(node: Node) -> str:
        nonlocal calls
        calls += 1
        return key(node)

    monkeypatch.setattr(simplify, "key", counted)

    def told(count: int) -> int:
        names = [f"format('t{{0}}-{n}', parameters('p'))" for n in range(count)]
        resources = [
            {
                "type": "My.Rp/things",
                "apiVersion": "2020-01-01",
                "name": f"[{name}]",
                "dependsOn": [f"[resourceId('My.Rp/things', {before})]"],
            }
            for before, name in pairwise(names)
        ]
        before = calls
        text = json.dumps({"parameters": {"p": {"type": "string"}}, "resources": resources})
        assert decompile(Source("main.json", text))[0]
        return calls - before

    assert 0 < told(201) < told(51) * 5
