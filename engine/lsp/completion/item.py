"""One offer of a completion."""

from __future__ import annotations

from engine.diagnostics.source import Span
from engine.record import Record


class Item(Record):
    """A word and what it is; `insert` is what is written for it if that is another text, a snippet where it says so.

    `order` sorts: 0 what fits best, 9 what fits least. `replaces` is what it stands for, the word at the cursor by default.
    """

    label: str
    kind: str
    detail: str = ""
    text: str = ""
    insert: str = ""
    snippet: bool = False
    order: int = 5
    replaces: Span | None = None
