"""Every code that is used has a page, and every page is of use."""

from __future__ import annotations

import re
from pathlib import Path

from engine.diagnostics.codes import explain, registered
from engine.diagnostics.codes_unsaid import reasons

ROOT = Path(__file__).parents[2]


def test_every_code_in_the_source_has_a_page() -> None:
    used = set()
    for folder in ("engine", "providers"):
        for file in (ROOT / folder).rglob("*.py"):
            if not file.name.startswith("codes"):
                used |= set(re.findall(r'"((?:BCP|ULN)\d{3})"', file.read_text(encoding="utf-8")))
    assert used - registered() == set()


def test_a_page_has_a_title_and_advice() -> None:
    page = explain("bcp057")
    assert page is not None
    assert page.startswith("BCP057: A name is not declared\n\n")
    assert all("\n\n" in (explain(code) or "") for code in registered())


def test_a_code_of_bicep_that_is_never_reported_says_why() -> None:
    page = explain("bcp367")
    assert page is not None
    assert page.startswith("BCP367: A code of Bicep that Ulna never reports\n\n")
    assert not set(reasons()) & registered()
    assert all(reasons().values())


def test_a_code_that_does_not_exist_has_none() -> None:
    assert explain("BCP999") is None
