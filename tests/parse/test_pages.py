"""The pages of `tests/spec/parse`: a program, and what is said about it, as people see it.

`ULNA_ACCEPT=1` writes what comes out into the page; review the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.diagnostics.render.text import render
from engine.diagnostics.source import Source
from engine.parse.parser import parse
from tests.parse.corpus import ROOT

PAGES = sorted((ROOT / "tests/spec/parse").glob("*.md"))
CASE = re.compile(r"^## (.+?)$(.*?)^```(bicep|bicepparam)\n(.*?)^```\n+^```text\n(.*?)^```$", re.M | re.S)


def cases() -> list[tuple[Path, re.Match[str]]]:
    """Every case of every page."""
    return [(page, match) for page in PAGES for match in CASE.finditer(page.read_text(encoding="utf-8"))]


def test_there_are_pages_and_every_heading_is_a_case() -> None:
    assert len(PAGES) >= 3
    assert sum(page.read_text(encoding="utf-8").count("\n## ") for page in PAGES) == len(cases())


@pytest.mark.parametrize(("page", "case"), [pytest.param(p, m, id=f"{p.stem}: {m[1]}") for p, m in cases()])
def test_a_page_says_what_people_see(page: Path, case: re.Match[str]) -> None:
    _, diagnostics = parse(Source(f"main.{case[3]}", case[4]))
    shown = render(diagnostics) or "nothing\n"
    if os.environ.get("ULNA_ACCEPT"):
        text = page.read_text(encoding="utf-8")
        page.write_text(
            text.replace(case[0], case[0].replace(f"```text\n{case[5]}", f"```text\n{shown}")), encoding="utf-8"
        )
    else:
        assert shown == case[5]
