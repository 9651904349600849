"""How a text is written between quotes."""

from __future__ import annotations

_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def escaped(text: str) -> str:
    """A text as it stands between quotes."""
    return text.translate(_ESCAPES).replace("${", "\\${")
