"""What formatting must keep, as values that can be compared."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.diagnostics.source import Source
from engine.format.format import Read
from engine.parse.parser import TERMINALS, parse, tokens
from tests.parse.sketch import sketch

_ASIDE = re.compile(r"(?<=[^\s])[ \t]*#(?:disable-next-line|disable-diagnostics|restore-diagnostics)(?![\w-])[ \t\w-]*")

_FREE = {TERMINALS[name] for name in ("NEWLINE", "COMMA", "VBAR", "$END")}
"""The tokens that come and go with the layout."""


@lru_cache(8)
def read(text: str, name: str) -> Read:
    """What a text is parsed to: once, for all who compare something of it."""
    return parse(Source(name, text))


def words(text: str, name: str) -> list[str]:
    """The tokens of a text, those left out that belong to the layout.

    A pragma behind a statement is none, but gets a line of its own, and is one from then on: it counts neither time.
    """
    text = _ASIDE.sub("", text)
    read = tokens(Source(name, text))
    stretches = zip(read.kinds, read.starts, read.ends, strict=True)
    return [_plain(text[start:end]) for kind, start, end in stretches if kind not in _FREE and end > start]


def comments(text: str, name: str) -> list[str]:
    """The comments of a text, without blanks, in order."""
    file, _ = read(text, name)
    return sorted("".join(text[c.start : c.end].split()) for c in file.comments)


def tree(text: str, name: str) -> list[str] | None:
    """The statements of a correct text; None for one with mistakes."""
    file, problems = read(_lines(text), name)
    return None if problems else [sketch(s) for s in file.statements]


def _plain(text: str) -> str:
    return _lines(text).rstrip("\n")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
