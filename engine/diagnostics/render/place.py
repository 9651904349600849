"""Where a label stands, as other programs count: lines and columns from 1, columns in UTF-16 units."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Source
from engine.record import Record


class Place(Record):
    """A stretch of a file; the end column is the one after the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


def place(label: Label) -> Place:
    """Where a label stands."""
    return Place(
        label.source.name, *_position(label.source, label.span.start), *_position(label.source, label.span.end)
    )


def _position(source: Source, offset: int) -> tuple[int, int]:
    line, column = source.position(offset)
    before = source.text[offset - column + 1 : offset]
    return line, 1 + len(before) + (0 if before.isascii() else sum(c > "\uffff" for c in before))
