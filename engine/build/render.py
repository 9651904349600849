"""A template as text: JSON with two spaces a level, as Bicep prints it."""

from __future__ import annotations

from _json import encode_basestring  # what `json` writes a text with, without loading the rest of it
from collections.abc import Mapping

from engine.contract.patterns import pattern
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_SURROGATE = pattern("[\ud800-\udfff]")
_ESCAPED = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def render(template: Template) -> str:
    """The text of a template, without a final newline."""
    return render_json(template.document)


def render_json(value: Any) -> str:
    """The text of any JSON value."""
    parts: list[str] = []
    _write(value, "\n", parts.append)
    text = "".join(parts)
    return text if text.isascii() else whole_characters(text).translate(_ESCAPED)


def whole_characters(text: str) -> str:
    """The text with pairs of surrogates joined; one that stands alone can be written by nobody, and is replaced."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _write(value: Any, newline: str, put: Any) -> None:
    kind = type(value)
    if kind is str:
        put(encode_basestring(value))
    elif value is None or value is True or value is False:
        put("null" if value is None else "true" if value else "false")
    elif kind is int:
        put(str(value))
    elif isinstance(value, Mapping):
        if not value:
            put("{}")
            return
        inner, before = newline + "  ", "{"
        for key, below in value.items():
            put(f"{before}{inner}{encode_basestring(key)}: ")
            if type(below) is str:
                put(encode_basestring(below))
            else:
                _write(below, inner, put)
            before = ","
        put(newline + "}")
    elif isinstance(value, (list, tuple)):
        if not value:
            put("[]")
            return
        inner, before = newline + "  ", "["
        for below in value:
            put(before + inner)
            _write(below, inner, put)
            before = ","
        put(newline + "]")
    elif isinstance(value, float):
        put(repr(value) if value == value and abs(value) != float("inf") else "null")
    else:
        put(encode_basestring(str(value)))
