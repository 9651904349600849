"""Parsing keeps Python's collector out of the way, and leaves it as it was."""

import gc

import pytest

from engine.diagnostics.source import Source
from engine.parse import parser


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("text", ["var a = [\n  1\n]\n", "var a = [\n"])
def test_the_collector_is_as_it_was(monkeypatch: pytest.MonkeyPatch, on: bool, text: str) -> None:
    seen = []
    original = parser._parse
    monkeypatch.setattr(parser, "_parse", lambda *given: (seen.append(gc.isenabled()), original(*given))[1])
    before = gc.isenabled()
    try:
        gc.enable() if on else gc.disable()
        parser.parse(Source("a.bicep", text))
        assert gc.isenabled() is on and seen == [False]
    finally:
        gc.enable() if before else gc.disable()
