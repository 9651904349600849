"""The algebra of layouts: a document says where lines may break, the printer decides where they do.

A document is a text or a `Doc`. Each knows at once whether something in it must stand on a line of its own (`broken`), so
that nothing has to be searched for that later.
"""

from __future__ import annotations


class Doc:
    """Documents in a row."""

    __slots__ = ("broken", "ended", "parts")

    def __init__(self, *parts: Document) -> None:
        self.parts = parts
        self.broken = False
        self.ended = False
        """Whether it ends in a comment that ends its line."""
        for part in parts:
            if isinstance(part, str):
                if self.ended and part:
                    self.broken = True
                    break
            elif part.broken or self.ended:
                self.broken = True
                break
            else:
                self.ended = part.ended
        if self.broken:
            last = parts[-1]
            self.ended = not isinstance(last, str) and last.ended


class Group(Doc):
    """Documents whose lines all break or none: none if all fit on one line and nothing in them must break."""

    __slots__ = ()


class Indent(Doc):
    """Documents whose lines start one level further in."""

    __slots__ = ()


class Align(Doc):
    """Documents whose lines start two columns further in: as far as the `? ` or `| ` before them."""

    __slots__ = ()


class Line(Doc):
    """A place where a line may break: `flat` stands there if it does not. A hard one always breaks."""

    __slots__ = ("blank", "flat", "lead")

    def __init__(self, flat: str, hard: bool = False, blank: bool = False, lead: str = "") -> None:
        self.parts = ()
        self.flat = flat
        self.broken = hard
        self.ended = False
        self.blank = blank
        """Whether an empty line comes with it."""
        self.lead = lead
        """What the new line starts with."""


class Suffix(Doc):
    """A comment that ends its line: it never makes the line too long, and nothing follows it there."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.parts = ()
        self.broken = False
        self.ended = True
        self.text = text


class Hug(Doc):
    """The arguments of a call: on one line, or with the last one open at its end, or each on its own line.

    `head` is all but the last, `last` None if that one may not be held so; `rows` is the third form.
    """

    __slots__ = ("head", "last", "rows")

    def __init__(self, flat: Document, head: Doc, last: Doc | None, rows: Doc) -> None:
        super().__init__(flat)
        self.head = head
        self.last = last
        self.rows = rows


Document = str | Doc


def extended(document: Document, more: Document) -> Document:
    """A document with one more right behind its last text, in whatever that is part of."""
    if isinstance(document, Hug):
        last = extended(document.last, more) if document.last is not None else None
        flat, rows = extended(Doc(*document.parts), more), extended(document.rows, more)
        assert isinstance(rows, Doc) and (last is None or isinstance(last, Doc))
        return Hug(flat, document.head, last, rows)
    if isinstance(document, str) or not document.parts:
        return Doc(document, more)
    return type(document)(*document.parts[:-1], extended(document.parts[-1], more))


SOFT = Line("")
SPACE = Line(" ")
COMMA = Line(", ")
HARD = Line("", hard=True)
BLANK = Line("", hard=True, blank=True)
