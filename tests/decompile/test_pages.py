"""The pages of `tests/spec/decompile`: a template, and the Bicep it becomes."""

from __future__ import annotations

import pytest

from engine.decompile.decompile import decompile
from engine.diagnostics.source import Source
from engine.parse.parser import parse
from tests.decompile.pages import Case, cases


@pytest.mark.parametrize("case", [pytest.param(c, id=f"{c.heading} {n}") for n, c in enumerate(cases())])
def test_a_page_says_what_a_template_becomes(case: Case) -> None:
    source = Source("main.json", case.template)
    files, diagnostics = decompile(source)
    if case.refusal:
        place, _, words = case.refusal.partition(" ")
        (diagnostic,) = diagnostics
        assert diagnostic.primary is not None
        line, _ = source.position(diagnostic.primary.span.start)
        assert (f"{line}:", files) == (place, {})
        assert words in diagnostic.message
    else:
        assert diagnostics == ()
        assert files == case.files
        for name, text in files.items():
            assert "?" in text or not parse(Source(name, text))[1]


def test_there_are_pages() -> None:
    assert len(list(cases())) > 15
