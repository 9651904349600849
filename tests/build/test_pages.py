"""The pages of `tests/spec/build`: a program, and the template it becomes, without what is the same in every template.

`ULNA_ACCEPT=1` writes what comes out into the page; review the difference.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.build.pages import Case, accept, bare, cases, pretty


@pytest.mark.parametrize("case", [pytest.param(c, id=f"{c.page.stem}: {c.heading}") for c in cases()])
def test_a_page_says_what_a_program_becomes(case: Case, compile_: Any, evaluate_parameters: Any) -> None:
    files = dict(case.files)
    if "main.bicepparam" in files:
        shown = pretty(bare(evaluate_parameters(files))) + "\n"
    else:
        shown = pretty(bare(dict(compile_(files.pop("main.bicep"), files).document))) + "\n"
    if os.environ.get("ULNA_ACCEPT"):
        accept(case, shown)
    else:
        assert shown == case.expected
