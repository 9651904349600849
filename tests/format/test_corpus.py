"""The reference programs, where they are: their canonical text, to the letter."""

from __future__ import annotations

from pathlib import Path

from engine.diagnostics.source import Source
from engine.format.format import format
from engine.format.options import Options
from tests.parse.corpus import CONFORMANCE, needs_corpus, read


def _cases() -> list[tuple[Path, Path, int]]:
    found: list[tuple[Path, Path, int]] = []
    for folder, name in (("baselines", "main.bicep"), ("params", "parameters.bicepparam")):
        for path in sorted((CONFORMANCE / folder).glob(f"*/{name}")):
            for kind, width in (("formatted", 120), ("pprint.w40", 40), ("pprint.w80", 80)):
                expected = path.with_name(f"{path.stem}.{kind}{path.suffix}")
                found += [(path, expected, width)] * expected.exists()
    return found + [(p, p, 120) for p in sorted((CONFORMANCE / "user_submitted").rglob("*.bicep"))]


@needs_corpus
def test_the_reference_programs_look_as_they_should() -> None:
    cases = _cases()
    wrong = [
        str(path.relative_to(CONFORMANCE))
        for path, expected, width in cases
        if format(Source(path.name, read(path)), Options(width=width)) != read(expected).replace("\r\n", "\n")
    ]
    assert len(cases) > 200
    assert wrong == []
