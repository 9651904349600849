"""The entry: `format(source)` gives the text in its canonical form."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Diagnostic
from engine.diagnostics.source import Source
from engine.format.cursor import Cursor
from engine.format.fit import render
from engine.format.layout import fill
from engine.format.lines import lines
from engine.format.options import Options
from engine.parse.parser import parse
from engine.parse.tree import File

_ROUNDS = 3
"""A file with mistakes is formatted again until it stays the same: on lines of its own, the rest may be read otherwise."""


Read = tuple[File, tuple[Diagnostic, ...]]
"""What `parse` gives."""


def format(source: Source, options: Options = Options(), read: Read | None = None) -> str:  # noqa: B008  frozen
    """The canonical text of a file, a `.bicepparam` file if its name ends so; what cannot be read stays as it is.

    Who has `read` the source already need not have it read again.
    """
    fill()
    options = options if options.newline else options.replace(newline=first_newline(source.text))
    file, problems = read or parse(source)
    text = _text(file, problems, options)
    for _ in range(_ROUNDS if problems else 0):
        file, problems = parse(Source(source.name, text))
        before, text = text, _text(file, problems, options)
        if text == before:
            break
    return text


def _text(file: File, problems: tuple[Diagnostic, ...], options: Options) -> str:
    text = render(lines(Cursor(file, options.newline), file, problems), options)
    return text + options.newline if options.final_newline else text


def first_newline(text: str) -> str:
    """The line end that the first line has; LF if there is only one line."""
    at = min((i for i in (text.find("\n"), text.find("\r")) if i >= 0), default=-1)
    if at < 0 or text[at] == "\n":
        return "\n"
    return "\r\n" if text[at : at + 2] == "\r\n" else "\r"
