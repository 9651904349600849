"""The lines of a file: statement by statement, with what stands between them; what could not be read stays as it is."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from engine.diagnostics.diagnostic import Diagnostic
from engine.format.brackets import Rows
from engine.format.cursor import Cursor
from engine.format.document import BLANK, HARD, Doc, Document
from engine.format.layout import layout
from engine.format.types import decorators
from engine.parse import tree
from engine.parse.expected import DANGLING


def lines(cursor: Cursor, file: tree.File, problems: tuple[Diagnostic, ...]) -> Document:
    """The document of a whole file."""
    rows = Rows()
    spoilt = Spoilt(problems)
    skipped = _leftovers(cursor, file.statements[0].start if file.statements else len(cursor.text), rows)
    limits = [*(s.start for s in file.statements[1:]), len(cursor.text)]
    for statement, limit in zip(file.statements, limits, strict=False):
        skipped = rows.above(cursor, skipped) < skipped
        line = BLANK if cursor.blank and not skipped else HARD
        if cursor.start < limit:
            rows.add(line, *_statement(cursor, statement, limit, spoilt))
        skipped = _leftovers(cursor, limit, rows)
    rows.above(cursor, skipped)
    return Doc(*rows.parts)


class Spoilt:
    """Where syntax errors are; a decorator before nothing is none of them, it can be laid out."""

    __slots__ = ("_reaches", "spans")

    def __init__(self, problems: tuple[Diagnostic, ...]) -> None:
        found = (d.primary.span for d in problems if d.primary is not None and d.code not in DANGLING)
        self.spans = sorted((span.start, span.end) for span in found)
        self._reaches = list(accumulate((end for _, end in self.spans), max))

    def touches(self, start: int, end: int) -> bool:
        """Whether an error is in a stretch of text, or something is missing at its end."""
        place = bisect_left(self.spans, (end, 0))
        missing = place < len(self.spans) and self.spans[place] == (end, end)
        return missing or (place > 0 and self._reaches[place - 1] >= start)


def _statement(cursor: Cursor, statement: tree.Statement, limit: int, spoilt: Spoilt) -> list[Document]:
    reach = max(statement.end, cursor.end_of_line(statement.end)) if _lacks(statement) else statement.end
    if isinstance(statement, tree.BrokenStatement) or spoilt.touches(statement.start, reach):
        return [cursor.verbatim(_end(cursor, statement, limit))]
    if not spoilt.spans:
        return _clean(cursor, statement)
    saved = cursor.saved(limit)
    try:
        documents = _clean(cursor, statement)
        if cursor.has_read(statement.end):
            return documents
    except (IndexError, KeyError):  # tokens that the tree does not have were skipped, to get over an error nearby
        pass
    cursor.back_to(saved)
    return [cursor.verbatim(_end(cursor, statement, limit))]


def _clean(cursor: Cursor, statement: tree.Statement) -> list[Document]:
    if isinstance(statement, tree.Resource):
        return [layout(cursor, statement)]
    above = decorators(cursor, statement.decorators)
    return [*above, layout(cursor, statement)]


def _lacks(statement: tree.Statement) -> bool:
    """Whether a statement lacks a part that may be left out, so that the rest of its line may have been meant as one."""
    if isinstance(statement, tree.Param):
        return statement.value is None
    return isinstance(statement, tree.ExtensionConfig) and statement.config is None


def _end(cursor: Cursor, statement: tree.Statement, limit: int) -> int:
    """Where what belongs to a broken statement ends: at the next one, unless it left a bracket open that is closed later."""
    end = min(statement.end, limit - 1)
    if (name := _missing_member(statement)) is not None:
        return name.start
    gaps = [n for n in tree.children(statement) if isinstance(n, tree.Broken)]
    for gap in gaps:
        line = cursor.end_of_line(gap.start)
        if line < gap.end or (isinstance(statement, tree.Test) and gap is statement.path):
            return line
    unclosed = cursor.unclosed(statement.start, end)
    if len(unclosed) == 1 and isinstance(_value(statement), tree.Object) and (closed := cursor.closing_brace(end)):
        return closed
    if gaps or unclosed or _lacks(statement):
        return max(end, cursor.end_of_line(end))
    return end


def _value(statement: tree.Statement) -> tree.Node | None:
    return getattr(statement, "value", None)


def _missing_member(statement: tree.Statement) -> tree.Identifier | None:
    """The name that is missing after the dot at the end of a statement, and stands for what was skipped there."""
    node: tree.Node | None = statement
    while node is not None:
        *_, last = (None, *tree.children(node))
        if isinstance(node, tree.Member) and not node.name.text:
            return node.name
        node = last
    return None


def _leftovers(cursor: Cursor, limit: int, rows: Rows) -> bool:
    """What was skipped up to the next statement: each line as it stands, but for its margin.

    Whether all of it is the rest of a statement's line; then what follows moves up to it.
    """
    found, close = False, not cursor.starts_line
    while cursor.at < cursor.end and cursor.start < limit:
        rows.above(cursor)
        rows.add(BLANK if cursor.blank else HARD, cursor.verbatim(cursor.end_of_line(cursor.start)))
        close &= not found
        found = True
    return found and close
