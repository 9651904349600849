"""The codes that can be silenced, after `#disable-…`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.diagnostics.source import Span
from engine.lint.run import all_rules
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item

_KINDS = ("disable-next-line", "disable-diagnostics", "restore-diagnostics")


def is_pragma(cursor: Cursor) -> bool:
    """Whether the line is a pragma."""
    return cursor.before.lstrip().startswith("#")


def pragmas(cursor: Cursor) -> Iterator[Item]:
    """The words after the number sign, or the codes: those of the findings of the file first, then the rules."""
    text = cursor.analysis.text
    start = cursor.offset
    while start > cursor.line_start and (text[start - 1].isalnum() or text[start - 1] in "-_"):
        start -= 1
    place = Span(start, cursor.offset)
    head = text[cursor.line_start : start]
    if re.fullmatch(r"\s*#", head):
        yield from (Item(kind, "keyword", insert=f"{kind} ", order=1, replaces=place) for kind in _KINDS)
        return
    found = dict.fromkeys(d.code for d in cursor.analysis.findings)
    yield from (Item(code, "literal", "found in this file", order=1, replaces=place) for code in found)
    yield from (Item(code, "literal", order=3, replaces=place) for code in all_rules() if code not in found)
