"""What a project may choose about the form of its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.record import Record

NEWLINES = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
"""The line ends, by the names that configurations have for them; `auto` keeps that of the file's first line."""


class Options(Record):
    """The form of a text: `indent` is one level of it, `newline` "" the file's own."""

    width: int = 120
    indent: str = "  "
    newline: str = "\n"
    final_newline: bool = True


def from_settings(settings: Mapping[str, Any]) -> Options:
    """The options under `formatting` of a configuration; what makes no sense there is left at its default."""
    kind, newline = str(settings.get("indentKind")).lower(), str(settings.get("newlineKind")).lower()
    final = settings.get("insertFinalNewline")
    return Options(
        _size(settings.get("width"), 120),
        "\t" if kind == "tab" else " " * min(_size(settings.get("indentSize"), 2), 1000),
        "" if newline == "auto" else NEWLINES.get(newline, "\n"),
        final if isinstance(final, bool) else True,
    )


def _size(value: Any, default: int) -> int:
    return value if type(value) is int and value >= 0 else default
