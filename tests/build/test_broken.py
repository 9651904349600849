"""Whatever is in a file, building it gives a template or a diagnostic, never an exception."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build.build import build
from engine.build.parameters import Unevaluable, build_parameters
from engine.build.render import render
from engine.check.check import check
from engine.sources.memory import MemorySources
from tests.build.pages import cases

CASES = list(cases())
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|'[^'\n]*'|\s+|.", re.DOTALL)


def attempt(files: dict[str, str]) -> None:
    name = "main.bicepparam" if "main.bicepparam" in files else "main.bicep"
    model = check(f"/app/{name}", MemorySources({f"/app/{k}": v for k, v in files.items()}))
    if name == "main.bicep":
        template, _ = build(model)
        assert render(template).startswith("{")
    else:

        def evaluate(text: str) -> object:
            if len(text) % 3 == 0:
                raise Unevaluable("It has no value")
            return text

        build_parameters(model, evaluate)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_program_with_words_lost_swapped_or_doubled_does_not_break_the_builder(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(CASES))
    files = dict(case.files)
    name = data.draw(st.sampled_from(sorted(files)))
    words = TOKEN.findall(files[name])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(words) - 1))
        other = data.draw(st.integers(0, len(words) - 1))
        match data.draw(st.sampled_from(("drop", "swap", "double"))):
            case "drop":
                words[at] = ""
            case "swap":
                words[at], words[other] = words[other], words[at]
            case _:
                words[at] += words[other]
    files[name] = "".join(words)
    attempt(files)


@pytest.mark.parametrize(
    "program",
    [
        "var a = b\nvar b = a\noutput c string = a",
        "resource a 'My.Rp/t@1' = { name: a.name }\noutput b string = a.name",
        "resource a 'My.Rp/t@1' = { parent: a\n name: 'a' }",
        "resource a 'My.Rp/t@1' = { scope: a\n name: 'a' }\noutput b string = a.id",
        "resource a 'My.Rp/t/u@1' = { parent: b\n name: 'a' }\nresource b 'My.Rp/t@1' = { parent: a\n name: 'b' }",
        "type a = a\nparam b a",
        "type a = b.x\ntype b = a.x",
        "type a = b\ntype b = a\n@discriminator('k')\ntype c = a | b",
        "func f() int => f()\noutput a int = f()",
        "module a 'main.bicep' = {}",
        "module a 'none.bicep' = {\n params: {\n x: 1\n }\n}\noutput b string = a.outputs.x",
        "var a = reference('x')\nvar b = [for x in a: b]",
        "resource a 'x' = {}\nresource b '' = []\nresource c = {}",
        "import * as a from 'none.bicep'\nvar b = a.c\noutput d a.e = a.f()",
        "output a array = [for x in [for y in z: y]: x]",
        "extension\nextension x\nresource a 'x:y/z@1' = {}",
        "param a = 1\nparam a string\noutput a",
    ],
)
def test_what_makes_no_sense_does_not_break_the_builder(program: str) -> None:
    attempt({"main.bicep": program})


@pytest.mark.parametrize("depth", [50, 500, 5000])
@pytest.mark.parametrize(
    ("opener", "closer"), [("[", "]"), ("(", ")"), ("{ a: ", " }"), ("!", ""), ("length(", ")"), ("-", "")]
)
def test_deep_programs_do_not_break_the_builder(depth: int, opener: str, closer: str) -> None:
    attempt({"main.bicep": f"param p object\nvar a = {opener * depth}p{closer * depth}\noutput b object = a"})


def test_a_long_chain_of_variables_does_not_break_the_builder() -> None:
    lines = ["resource r 'My.Rp/t@2023-01-01' = {\n  name: 'r'\n}", "var v0 = r.properties.x"]
    lines += [f"var v{i} = v{i - 1}" for i in range(1, 1500)]
    attempt({"main.bicep": "\n".join([*lines, "output o string = v1499"])})
