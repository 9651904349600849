"""Bytes to text: by byte order mark, else UTF-8, else by the encoding that was asked for."""

from __future__ import annotations

from engine.sources.port import Sources, Unreadable

LIMIT = 10 * 1024 * 1024
"""No source file is larger; what is, is something else."""

ENCODINGS = {
    "us-ascii": "ascii",
    "iso-8859-1": "latin-1",
    "utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "utf-16be": "utf-16-be",
}
"""The names of the language, in lower case, and Python's."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16BE"))


def marked(content: bytes) -> tuple[str, int] | None:
    """The encoding that a byte order mark announces, and the length of the mark."""
    return next(((name, len(mark)) for mark, name in _MARKS if content.startswith(mark)), None)


def decode(path: str, content: bytes, encoding: str | None = None) -> str:
    """The text; a mark beats the `encoding` that was asked for, and no line end is changed."""
    found = marked(content)
    name, skip = found or (encoding or "utf-8", 0)
    try:
        text = content[skip:].decode(ENCODINGS.get(name.lower(), name), "strict" if encoding is None else "replace")
    except UnicodeDecodeError as problem:
        raise Unreadable(path, f"it is not {name.upper()} text (byte {problem.start + skip})") from None
    if encoding is None and "\0" in text:
        raise Unreadable(path, "it is a binary file, not text")
    return text


def read_text(sources: Sources, path: str) -> str:
    """The text of a source file, or `Unreadable` with the reason."""
    content = sources.read(path)
    if len(content) > LIMIT:
        raise Unreadable(path, f"it is too large: {len(content) / 1024 / 1024:.1f} MB, where 10 MB are allowed")
    return decode(path, content)
