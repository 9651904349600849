"""From a string as written to its value."""

from __future__ import annotations

from engine.contract.patterns import pattern
from engine.parse.tokens import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_ESCAPE = r"\\(?:u\{([0-9A-Fa-f]+)\}|(u[^'\s]?)|([\s\S]?))"
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", "$": "$"}
_HELP = r"Write one of \$ \' \\ \n \r \t \u{…}, or double the backslash."


def cook(raw: str, start: int, problems: list[Problem]) -> str:
    """The value of a piece of a single-line string that starts at `start`; bad escapes stay as they are."""
    if "\\" not in raw:
        return raw

    def value(match: re.Match[str]) -> str:
        place, end = start + match.start(), start + match.end()
        if match[1] is not None:
            code = int(match[1], 16) if len(match[1]) < 20 else 0x110000
            if code < 0x110000:
                return chr(code)
            problems.append(Problem("BCP133", place, end, "There is no such character", "The highest is \\u{10ffff}."))
        elif match[2] is not None:
            problems.append(Problem("BCP133", place, end, "The character's number is missing", "Write \\u{1f600}."))
        elif match[3] in _SIMPLE:
            return _SIMPLE[match[3]]
        else:
            problems.append(Problem("BCP006", place, end, f"'{match[0]}' is no escape sequence", _HELP))
        return match[0]

    return pattern(_ESCAPE).sub(value, raw)


def without_first_newline(text: str) -> str:
    """A multi-line string's text: one line end right after the opening quotes is not part of it."""
    if text.startswith("\r\n"):
        return text[2:]
    return text[1:] if text.startswith(("\n", "\r")) else text
