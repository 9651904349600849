"""The pages of `tests/spec/places`: Bicep files, and what is told of an error in evaluating them.

`ULNA_ACCEPT=1` writes what comes out into the page; review the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from engine.build.build import build
from engine.check.check import check
from engine.diagnostics.render.json import render as as_json
from engine.diagnostics.render.sarif import render as as_sarif
from engine.diagnostics.render.text import render as as_text
from engine.expand.expand import expand
from engine.expand.vault import MemoryVault
from engine.sources.memory import MemorySources
from tests.expand.conftest import SCOPE

PAGES = Path(__file__).parents[1] / "spec" / "places"
SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"```(?:bicep|json) (\S+)\n(.*?)```", re.DOTALL)
EXPECTED = re.compile(r"```text\n(.*?)```", re.DOTALL)


def sections() -> list[Any]:
    pages = sorted(PAGES.glob("*.md"))
    return [
        pytest.param(p, m[2], id=f"{p.stem}: {m[1]}") for p in pages for m in SECTION.finditer(p.read_text("utf-8"))
    ]


def problems(files: dict[str, str]) -> Any:
    model = check("main.bicep", MemorySources(files))
    template, _ = build(model, symbolic=True, hashed=False)
    return expand(template, {}, SCOPE, MemoryVault(b"key"))[1]


@pytest.mark.parametrize(("page", "section"), sections())
def test_a_page_says_where_an_error_is(page: Path, section: str) -> None:
    shown = as_text(problems(dict(FILE.findall(section))))
    expected = EXPECTED.search(section)
    assert expected is not None
    if os.environ.get("ULNA_ACCEPT"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(section, section.replace(expected[0], f"```text\n{shown}```")), encoding="utf-8")
    else:
        assert shown == expected[1]


def test_programs_are_told_of_the_modules_too() -> None:
    inner = "param list array\noutput o int = list[3]\n"
    found = problems(
        {"main.bicep": "module m 'a.bicep' = { params: { list: [1] } }\noutput o int = m.outputs.o\n", "a.bicep": inner}
    )
    (told,) = json.loads(as_json(found))
    assert (told["file"], told["start"]["line"], told["start"]["column"]) == ("a.bicep", 2, 16)
    assert [(s["file"], s["start"]["line"], s["text"]) for s in told["stack"]] == [("main.bicep", 1, "in module 'm'")]
    (result,) = json.loads(as_sarif(found))["runs"][0]["results"]
    assert result["relatedLocations"][0]["message"] == {"text": "in module 'm'"}
