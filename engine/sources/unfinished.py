"""JSON that ends before its brackets do: Bicep and ARM read it as if they were closed there."""

from __future__ import annotations

from engine.contract.patterns import pattern

_PART = r'(?s)"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[\[\]{}"]'
_CLOSERS = {"{": "}", "[": "]"}


def finished(text: str) -> str | None:
    """The text with its open brackets closed; None where it ends before a value, or amid one, or has none open."""
    missing: list[str] = []
    for part in pattern(_PART).findall(text):
        if part in _CLOSERS:
            missing.append(_CLOSERS[part])
        elif part in ("}", "]"):
            if not missing or missing.pop() != part:
                return None
        elif part == '"':
            return None
    body = text.rstrip()
    if not missing or body.endswith((":", "{", "[")):
        return None
    return body.removesuffix(",") + "".join(reversed(missing))
