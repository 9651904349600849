"""The choice of line breaks: each group stays on one line if it fits there; what follows it does not count."""

from __future__ import annotations

from engine.format.document import Align, Doc, Document, Group, Hug, Indent, Line, Suffix
from engine.format.options import Options

_Item = tuple[str, bool, Document]
"""What is still to be written: where its lines start, whether they break, and the document itself."""


def render(document: Document, options: Options) -> str:
    """The text of a document; its lines have no blanks at their ends."""
    out: list[str] = []
    newline = options.newline
    width, column = options.width, 0
    align = "\t" if options.indent == "\t" else "  "
    ended = False  # whether a comment stands at the end of the line, after which nothing may
    stack: list[_Item] = [("", True, document)]
    while stack:
        start, breaking, top = stack.pop()
        if type(top) is str:
            if ended and top:
                out.append(newline + start)
                column, ended = len(start), False
                top = top.lstrip(" ")
            out.append(top)
            column = column + len(top) if "\n" not in top else len(top) - top.rfind("\n") - 1
            continue
        assert isinstance(top, Doc)
        kind = type(top)
        if kind is Line:
            assert isinstance(top, Line)
            if breaking or top.broken or ended:
                _strip(out)
                out.append(newline * (1 + top.blank))
                out.append(start + top.lead)
                column, ended = len(start) + len(top.lead), False
            else:
                out.append(top.flat)
                column += len(top.flat)
            continue
        if kind is Suffix:
            assert isinstance(top, Suffix)
            if out and out[-1].strip(" \t\n"):
                out.append(newline + start if ended or top.text.startswith("#") else " ")
            out.append(top.text)
            ended = True
            continue
        if kind is Hug:
            assert isinstance(top, Hug)
            stack.append(_arguments(top, start, breaking, width - column))
            continue
        if kind is Group:
            breaking = top.broken or (breaking and not _fits(width - column, top))
        elif kind is Indent:
            start += options.indent
        elif kind is Align:
            start += align
        stack += [(start, breaking, part) for part in reversed(top.parts)]
    return "".join(out)


def _strip(out: list[str]) -> None:
    """Take blanks from the end of a line; `out` may hold them as pieces of their own."""
    while out and not out[-1].strip(" \t"):
        out.pop()


def _arguments(hug: Hug, start: str, breaking: bool, room: int) -> _Item:
    """The form of a call's arguments that fits."""
    flat = Doc(*hug.parts)
    if not hug.broken and (not breaking or _fits(room, flat)):
        return (start, False, flat)
    if hug.last is not None and not hug.head.broken:
        opens = hug.last.broken or not _fits(room, Doc(hug.head, hug.last.parts[0]))
        if opens and _fits(room, Doc(hug.head, _Opening(hug.last))):
            return (start, True, Doc(hug.head, hug.last))
    return (start, True, hug.rows)


class _Opening(Doc):
    """What breaks at its first line if its whole does not fit."""

    __slots__ = ()


def _fits(room: int, document: Document) -> bool:
    """Whether a document, up to its first line that must break, takes no more than `room` columns."""
    stack = [(document, False)]
    while stack and room >= 0:
        top, breaking = stack.pop()
        if type(top) is str:
            room -= len(top)
            continue
        assert isinstance(top, Doc)
        kind = type(top)
        if kind is Line:
            assert isinstance(top, Line)
            if top.broken or breaking:
                return True
            room -= len(top.flat)
        elif kind is Hug and top.broken:
            assert isinstance(top, Hug)
            stack.append((top.rows if top.last is None or top.head.broken else Doc(top.head, top.last), breaking))
        else:
            breaking = breaking or kind is _Opening or (kind is Group and top.broken)
            stack += [(part, breaking) for part in reversed(top.parts)]
    return room >= 0
