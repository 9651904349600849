"""Where in its file a property of a resource is written: a small scanner, since a parser costs more than the rest of a plan.

It knows objects, arrays, texts and comments, of Bicep and of JSON, and skips everything else. What is not written where the
resource is (a variable, a loop, a parameter) is placed at the nearest thing around it that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from engine.diagnostics.diagnostic import Label
from engine.diagnostics.source import Span

Path = tuple[str | int, ...]

_BLANK = r"(?:\s|//[^\n]*|/\*.*?\*/)*"
_SPACE = r"(?:[ \t]|/\*.*?\*/)*"
_NAME = r"[A-Za-z_]\w*"
_CLOSING = {"{": "}", "[": "]", "(": ")"}


def place(origin: Label | None, path: Path) -> Label | None:
    """The place of a property, by its path in the body of a resource or below its `properties`; the nearest one around it."""
    if origin is None:
        return None
    text = origin.source.text
    try:
        start = _body(text, origin.span.start)
        found, deep = _descend(text, start, path)
        if deep == 0 and path[:1] != ("properties",):
            found, deep = _descend(text, start, ("properties", *path))
            deep -= 1
    except (IndexError, RecursionError):
        return origin
    return origin if found is None or deep <= 0 else Label(origin.source, found)


def _descend(text: str, at: int, path: Path) -> tuple[Span | None, int]:
    """The place of the last step of a path that is written, and how many steps are."""
    found: Span | None = None
    for depth, step in enumerate(path):
        at = _over(_BLANK, text, at)
        entries = _properties(text, at) if isinstance(step, str) else _items(text, at)
        entry = next(((span, value) for key, span, value in entries if key == step), None)
        if entry is None:
            return found, depth
        found, at = entry
    return found, len(path)


def _body(text: str, at: int) -> int:
    """The brace that opens the body of the resource whose name begins here."""
    while text[at] != "{":
        at = _skip(text, at) if text[at] in "'\"(" else at + 1
    return at


def _properties(text: str, at: int) -> Iterator[tuple[str, Span, int]]:
    """The properties of the object that begins here: name, place of the name, beginning of the value."""
    if text[at : at + 1] != "{":
        return
    at += 1
    while True:
        at = _over(_BLANK, text, at)
        if text[at] == "}":
            return
        begin, start, key = at, at, ""
        if (name := _pattern(_NAME).match(text, at)) is not None:
            key, at = name[0], name.end()
        elif text[at] in "'\"":
            at = _skip(text, at)
            key = text[start:at].strip("'\"")
        end = at
        at = _over(_SPACE, text, at)
        if key and text[at] == ":":
            yield key, Span(start, end), at + 1
            at = _over(_BLANK, text, at + 1)
        at = _past(text, at)
        if at == begin:
            return


def _items(text: str, at: int) -> Iterator[tuple[int, Span, int]]:
    """The items of the array that begins here: index, place, beginning."""
    if text[at : at + 1] != "[":
        return
    at, index = at + 1, 0
    while True:
        at = _over(_BLANK, text, at)
        if text[at] == "]" or re.match(r"for\b", text[at : at + 4]):
            return
        if text[at] == ",":
            at += 1
            continue
        end = _past(text, at)
        if end == at:
            return
        line = text.find("\n", at, end)
        yield index, Span(at, (line if line >= 0 else end)), at
        at, index = end, index + 1


def _past(text: str, at: int) -> int:
    """Past a value: up to the end of its line, a comma, or what closes around it; over all that is in brackets."""
    while text[at] not in "\n,}])":
        at = _skip(text, at)
    return at + 1 if text[at] in "\n," else at


def _skip(text: str, at: int) -> int:
    """Past one thing: a text, a comment, all between brackets, or a character."""
    character = text[at]
    if text.startswith("'''", at):
        return text.index("'''", at + 3) + 3 if "'''" in text[at + 3 :] else len(text)
    if character in "'\"":
        return _text(text, at)
    if text.startswith(("//", "/*"), at):
        return _comment(text, at)
    if character in _CLOSING:
        at += 1
        while text[at] != _CLOSING[character]:
            at = _skip(text, at)
    return at + 1


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Compiled when it is first needed: most runs have nothing to place."""
    return re.compile(text, re.S)


def _over(pattern: str, text: str, at: int) -> int:
    """Past what matches a pattern that matches nothing as well."""
    found = _pattern(pattern).match(text, at)
    return found.end() if found is not None else at


def _comment(text: str, at: int) -> int:
    """Past a comment: to the end of the line, which is not part of it, or past its closing mark."""
    end = text.find("\n", at) if text[at + 1] == "/" else text.find("*/", at + 2) + 2
    return end if end > at else len(text)


def _text(text: str, at: int) -> int:
    """Past a text in quotes, with the expressions in it."""
    quote = text[at]
    at += 1
    while text[at] not in (quote, "\n"):
        if text[at] == "\\":
            at += 2
        elif quote == "'" and text.startswith("${", at):
            at = _skip(text, at + 1)
        else:
            at += 1
    return at + 1
