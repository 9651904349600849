"""Offsets of a text as an editor counts them: lines and columns from 0, columns in the units that were agreed."""

from __future__ import annotations

from bisect import bisect_right

from engine.diagnostics.source import Source


class Positions:
    """The two ways to name a place in one text; `encoding` is `utf-16` unless the editor asked for another."""

    __slots__ = ("encoding", "plain", "source")

    def __init__(self, source: Source, encoding: str = "utf-16") -> None:
        self.source = source
        self.encoding = encoding
        self.plain = encoding == "utf-32" or source.text.isascii()
        """Whether every character is one unit."""

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; one beyond the end of its line or of the text is the end."""
        starts = self.source.starts
        if line >= len(starts):
            return len(self.source.text)
        start, text = starts[max(line, 0)], self.source.line(max(line, 0) + 1)
        if self.plain or text.isascii():
            return start + min(max(column, 0), len(text))
        units = 0
        for index, character in enumerate(text):
            if units >= column:
                return start + index
            units += self.units(character)
        return start + len(text)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        starts = self.source.starts
        line = max(0, bisect_right(starts, offset) - 1)
        return line, self.length(starts[line], max(offset, starts[line]))

    def length(self, start: int, end: int) -> int:
        """How many units a stretch of the text has."""
        if self.plain:
            return min(end, len(self.source.text)) - start
        text = self.source.text[start:end]
        return len(text) if text.isascii() else sum(map(self.units, text))

    def units(self, character: str) -> int:
        """How many units a character has."""
        match self.encoding:
            case "utf-8":
                return len(character.encode("utf-8", "replace"))
            case "utf-32":
                return 1
            case _:
                return 2 if character > "\uffff" else 1
