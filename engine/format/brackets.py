"""What stands between brackets: items on one line if they fit, else each on its own, with the comments between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.format.cursor import Cursor
from engine.format.document import (
    BLANK,
    COMMA,
    HARD,
    SOFT,
    SPACE,
    Doc,
    Document,
    Group,
    Hug,
    Indent,
    Line,
    Suffix,
)

Item = TypeVar("Item")
Layout = Callable[[Cursor, Item], Document]


class Rows:
    """Items in the making: a document each, with the line break before it."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts: list[Document] = []

    def add(self, line: Line, *documents: Document) -> None:
        """One more."""
        if self.parts:
            self.parts.append(line)
        self.parts += documents

    def above(self, cursor: Cursor, close: bool = False) -> bool:
        """The comments on lines of their own that come next, the first one `close` to what is before; whether there are any."""
        comments = cursor.above()
        for place, (blank, comment) in enumerate(comments):
            self.add(BLANK if blank and (place or not close) else HARD, Suffix(comment))
        return bool(comments)


def enclosed(
    cursor: Cursor, items: Sequence[Item], layout: Layout[Item], padding: Line = SOFT, keep: bool = True
) -> Document:
    """`[…]` or `{…}`, open without commas; where asked to `keep` it so, open if its line ends after the bracket."""
    keep = keep and cursor.breaks_after() and bool(items)
    opener = cursor.take()
    rows = Rows()
    for item in items:
        rows.above(cursor)
        line = BLANK if cursor.blank else COMMA
        document = layout(cursor, item)
        rows.add(line, document, *(cursor.drop() if cursor.looks_at(",") else ()))
        while cursor.looks_at(","):
            rows.parts += cursor.drop()
    rows.above(cursor)
    for comment in cursor.before():
        rows.add(SPACE, comment)
    closer = cursor.take()
    if not rows.parts:
        return Doc(opener, closer)
    edge = HARD if keep else padding
    return Group(opener, Indent(edge, *rows.parts), edge, closer)


def parameters(cursor: Cursor, items: Sequence[Item], layout: Layout[Item]) -> Document:
    """`(…)` of a function or lambda: names on one line if they fit."""
    opener = cursor.take()
    rows = Rows()
    for item in items:
        rows.above(cursor)
        rows.add(SPACE, *separated(cursor, layout(cursor, item)))
    rows.above(cursor)
    closer = cursor.take()
    if not rows.parts:
        return Doc(opener, closer)
    return Group(opener, Indent(SOFT, *rows.parts), SOFT, closer)


def separated(cursor: Cursor, document: Document) -> list[Document]:
    """An item of a list, and the comma that stands right behind it, if there is one."""
    return [cursor.joined(document), cursor.take()] if cursor.looks_at(",") else [document]


def arguments(cursor: Cursor, items: Sequence[Item], layout: Layout[Item], may_hug: bool, opens: bool) -> Document:
    """`(…)` of a call."""
    opener = cursor.take()
    rows = Rows()
    flat: list[Document] = [opener]
    said, head = False, 1
    document: Document = ""
    for item in items:
        said |= rows.above(cursor)
        head = len(flat)
        document, *comma = separated(cursor, layout(cursor, item))
        rows.add(HARD, document, *comma)
        flat += [document, *comma, " "] if comma else [document]
    said |= rows.above(cursor)
    for comment in cursor.before():
        rows.parts += [" ", comment]
        flat += [" ", comment] if items else [comment]
        may_hug = False
    closer = cursor.take()
    whole = Doc(*flat, closer)
    opened = Doc(opener, Indent(HARD, *rows.parts), HARD, closer)
    if said:
        return opened
    ended = not isinstance(document, str) and document.ended
    if len(items) < 2 and not ended:
        return whole
    first = type(document) is not Doc or all(isinstance(p, str) or not p.broken for p in document.parts[:-1])
    opens |= not isinstance(document, str) and document.broken
    last = Doc(document, closer) if may_hug and first and opens and not ended else None
    return Hug(whole, Doc(*flat[:head]), last, opened)
