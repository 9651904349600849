"""The reference programs: all that are right are read without a word, and nearly all syntax errors get the same code."""

from __future__ import annotations

import re

from engine.diagnostics.source import Source
from engine.parse.parser import parse
from tests.parse.corpus import CONFORMANCE, needs_corpus, programs, read

WRONG = {"nested_StorageRoleDeploymentResource.bicep", "nested_testnested.bicep"}
"""Decompiled programs that hold `?` for a type that is not known."""

SYNTAX = set(
    [
        "BCP001",
        "BCP002",
        "BCP004",
        "BCP006",
        "BCP007",
        "BCP008",
        "BCP009",
        "BCP010",
        "BCP012",
        "BCP013",
        "BCP015",
        "BCP016",
        "BCP017",
        "BCP018",
        "BCP019",
        "BCP020",
        "BCP022",
        "BCP024",
        "BCP068",
        "BCP090",
        "BCP096",
        "BCP103",
        "BCP117",
        "BCP118",
        "BCP123",
        "BCP140",
        "BCP167",
        "BCP202",
        "BCP226",
        "BCP236",
        "BCP238",
        "BCP243",
        "BCP249",
        "BCP266",
        "BCP279",
        "BCP292",
        "BCP325",
        "BCP337",
    ]
)


@needs_corpus
def test_every_correct_program_is_read_without_a_word() -> None:
    wrong = []
    found = programs("baselines", "params", "user_submitted", "decompile")
    for path in found:
        text = "".join(line for line in read(path).splitlines(keepends=True) if not line.startswith("//@["))
        if parse(Source(path.name, text))[1] and path.name not in WRONG:
            wrong.append(path)
    assert not wrong
    assert len(found) > 300


@needs_corpus
def test_syntax_errors_get_the_expected_code_and_place() -> None:
    expected: set[tuple[str, int, int, str]] = set()
    actual: set[tuple[str, int, int, str]] = set()
    for path in sorted((CONFORMANCE / "baselines").glob("Invalid*/main.diagnostics.bicep")):
        line = -1
        for text in read(path).replace("\r\n", "\n").split("\n"):
            if found := re.match(r"//@\[(\d+):\d+\) \[([\w-]+) ", text):
                if found[2] in SYNTAX:
                    expected.add((path.parent.name, line, int(found[1]), found[2]))
            elif not text.startswith("//@["):
                line += 1
        source = Source("main.bicep", read(path.with_name("main.bicep")))
        for diagnostic in parse(source)[1]:
            assert diagnostic.primary is not None
            row, column = source.position(diagnostic.primary.span.start)
            if diagnostic.code in SYNTAX:
                actual.add((path.parent.name, row - 1, column - 1, diagnostic.code))
    assert len(expected & actual) / len(expected) > 0.85
    assert len(actual - expected) / len(actual) < 0.12
