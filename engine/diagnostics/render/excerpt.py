"""The line a label stands on and the carets below it, as wide as a terminal shows them."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Label
from engine.record import Record

TAB = 4
"""A tab reaches to the next multiple of so many columns."""

WIDEST = 120
"""Of a longer line only the part around the label is shown, in so many columns."""

_BEFORE = 40
"""Of which so many stand before the label."""


class Excerpt(Record):
    """A source line as shown; the marks start at column `indent` and are `width` wide."""

    line: int
    column: int
    text: str
    indent: int
    width: int


def excerpt(label: Label) -> Excerpt:
    """What to show of a label; of one over many lines its first line."""
    source, span = label.source, label.span
    line, column = source.position(span.start)
    text = source.line(line)
    begin = min(column - 1, len(text))
    end = min(max(begin, begin + span.end - span.start), len(text))
    cells = _cells(text)
    indent = sum(w for _, w in cells[:begin])
    width = max(1, sum(w for _, w in cells[begin:end]))
    shown = "".join(c for c, _ in cells)
    if sum(w for _, w in cells) <= WIDEST:
        return Excerpt(line, column, shown.rstrip(), indent, width)
    return _cut(line, column, cells, begin, indent, width)


def _cut(line: int, column: int, cells: list[tuple[str, int]], begin: int, indent: int, width: int) -> Excerpt:
    """The part of a long line around the marks, with an ellipsis where something is left out."""
    first, skipped = begin, 0
    while first and skipped + cells[first - 1][1] <= _BEFORE:
        first -= 1
        skipped += cells[first][1]
    kept, used = first, 0
    while kept < len(cells) and used + cells[kept][1] <= WIDEST:
        used += cells[kept][1]
        kept += 1
    text = "".join(c for c, _ in cells[first:kept])
    head, tail = "…" if first else "", "…" if kept < len(cells) else ""
    indent = skipped + len(head)
    return Excerpt(line, column, (head + text).rstrip() + tail, indent, max(1, min(width, WIDEST + len(head) - indent)))


def _cells(text: str) -> list[tuple[str, int]]:
    """Each character as shown, and how many columns it takes."""
    if text.isascii() and text.isprintable():
        return [(c, 1) for c in text]
    from unicodedata import combining, east_asian_width

    cells: list[tuple[str, int]] = []
    column = 0
    for character in text:
        if character == "\t":
            cell = (" " * (TAB - column % TAB), TAB - column % TAB)
        elif character == "\ufeff" or combining(character) or character in "\u200b\u200d\ufe0f":
            cell = ("" if character == "\ufeff" else character, 0)
        elif not character.isprintable():
            cell = ("\ufffd", 1)
        else:
            cell = (character, 2 if east_asian_width(character) in "WF" else 1)
        cells.append(cell)
        column += cell[1]
    return cells


def printable(text: str) -> str:
    """The text without anything that a terminal would obey or could not encode."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
