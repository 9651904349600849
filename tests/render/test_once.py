"""What every turn of a loop has wrong is told once, with the turns."""

from __future__ import annotations

import pytest

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.render.once import once

SOURCE = Source("app.bicep", "resource a 'T' = [for n in x: {}]\nresource b 'T' = {}\n")
LOOP, OTHER, INSIDE = (Label(SOURCE, Span(*span)) for span in ((0, 33), (34, 53), (30, 32)))


def turn(name: str, origin: Label = LOOP) -> Resource:
    return Resource(f"app/{name}", "T", "1", name, f"/{name}", {}, origin=origin)


def wrong(name: str, what: str = "is wrong", at: Label | None = INSIDE) -> Diagnostic:
    return Diagnostic("ULN337", Severity.ERROR, f"'size' of '{name}' {what}", at, help=f"Mend '{name}'.")


def told(problems: list[Diagnostic], declared: list[Resource]) -> list[str]:
    return [p.message for p in once(problems, declared)]


@pytest.mark.parametrize(
    ("turns", "names"),
    [
        (1, "'a0'"),
        (2, "'a0' and 'a1'"),
        (4, "'a0', 'a1', 'a2' and 'a3'"),
        (9, "'a0', 'a1', 'a2' and 6 more"),
    ],
)
def test_the_turns_of_a_loop_are_told_together(turns, names):
    declared = [turn(f"a{n}") for n in range(turns)]
    (one,) = once([wrong(str(r.name)) for r in declared], declared)
    assert (one.message, one.help, one.primary) == (f"'size' of {names} is wrong", f"Mend {names}.", INSIDE)


def test_what_differs_in_more_than_the_turn_is_told_apart_and_in_order():
    declared = [turn("a0"), turn("a1"), turn("b", OTHER)]
    problems = [wrong("a0"), wrong("a0", "is late"), wrong("b"), wrong("a1", "is 3"), wrong("a1"), wrong("a1", at=None)]
    assert told(problems, declared) == [
        "'size' of 'a0' and 'a1' is wrong",
        "'size' of 'a0' is late",
        "'size' of 'b' is wrong",
        "'size' of 'a1' is 3",
        "'size' of 'a1' is wrong",
    ]
