"""The pages of `tests/spec/format`: a program, and its canonical text."""

from __future__ import annotations

import pytest

from engine.diagnostics.source import Source
from engine.format.format import format
from tests.format.pages import Case, cases


@pytest.mark.parametrize("case", [pytest.param(c, id=f"{c.heading} {n}") for n, c in enumerate(cases())])
def test_a_page_says_what_a_program_looks_like(case: Case) -> None:
    assert format(Source(case.name, case.text), case.options) == case.expected


def test_there_are_pages() -> None:
    assert len(list(cases())) > 20
