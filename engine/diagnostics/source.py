"""A text with a name, spans of it, and the lines they fall on."""

from __future__ import annotations

from engine.record import Record


class Span(Record):
    """Characters `start` up to, not including, `end`."""

    start: int
    end: int


class Source:
    """One text that was read: its name is what people see, a path as they wrote it.

    Equal only to itself: two reads of one file are two sources.
    """

    __slots__ = ("_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts: list[int] | None = None

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    @property
    def starts(self) -> list[int]:
        """The offset at which each line starts, the first after a byte order mark; a line ends with LF, CRLF or CR."""
        if self._starts is None:
            starts, text, at = [0], self.text, 0
            for line in text.splitlines(keepends=True):
                at += len(line)
                if line.endswith(("\n", "\r")):
                    starts.append(at)
            starts[0] = 1 if text.startswith("\ufeff") else 0
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; the column counts characters."""
        from bisect import bisect_right  # who only parses asks for no line

        line = max(1, bisect_right(self.starts, offset))
        return line, max(1, offset - self.starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        starts = self.starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")
