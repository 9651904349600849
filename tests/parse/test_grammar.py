"""The grammars: without conflict, and the tables made from them up to date."""

from __future__ import annotations

import pytest

from engine.parse import generate
from engine.parse.build_statements import Build
from engine.parse.driver import bind
from engine.parse.table import load
from engine.parse.tokens import Tokens


@pytest.mark.parametrize("name", generate.GRAMMARS)
def test_a_grammar_has_no_conflict_and_its_table_is_fresh(name: str) -> None:
    assert generate.table(name, strict=True) == generate.path(name).read_text(encoding="utf-8"), (
        "stale: run python -m engine.parse.generate"
    )


def test_every_rule_of_the_grammar_has_its_method() -> None:
    table = load("bicep")
    assert len(bind(table, Build(Tokens("")))) == len(table.rules)
    used = {r.name for r in table.rules}
    methods = {m for c in Build.__mro__[:-1] for m in vars(c) if not m.startswith("_")}
    unused = (
        methods - used - {"end", "say", "missing", "ends", "problems", "quiet", "spoilt", "starts", "text", "tokens"}
    )
    assert not unused
