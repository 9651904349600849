"""A value as people read it in a plan: secrets hidden, what only the deployment knows named so."""

from __future__ import annotations

from _json import encode_basestring  # what `json` writes a text with, without loading the rest of it

from engine.contract.difference import step
from engine.contract.value import PLAIN, Deferred, Output, Secret, Unknown, Value


def scalar(value: Value) -> str:
    """A value that has no parts, as it is shown."""
    if type(value) is str:
        return encode_basestring(value)
    match value:
        case Secret():
            return "(secret)"
        case Unknown() | Output() | Deferred():
            return "(known after deploy)"
        case dict():
            return "{}"
        case list() | tuple():
            return "[]"
        case _:
            import json

            return json.dumps(value, ensure_ascii=False)


def on_one_line(text: str) -> str:
    """What may have several lines, such as the last words of a process, where there is room for one; each is told once."""
    return " / ".join(dict.fromkeys(line for line in map(str.strip, text.splitlines()) if line))


def excerpt(text: str, most: int = 120) -> str:
    """The beginning of it on one line, for a table: 'ulna why' and JSON have the whole."""
    line = on_one_line(text)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def lines_of(value: Value, indent: int) -> list[str]:
    """A value from top to bottom: properties by their dotted path, aligned; lists in brackets, item by item."""
    pad = " " * indent
    if not nested(value):
        return [pad + scalar(value)]
    if not isinstance(value, dict):
        return _listed(pad, value, indent)
    flat: list[tuple[str, Value]] = []
    _flatten(value, "", flat)
    width = max((len(label) for label, leaf in flat if not nested(leaf)), default=0) + 1
    lines: list[str] = []
    for label, leaf in flat:
        if nested(leaf):
            lines += _listed(f"{pad}{label}: ", leaf, indent)
        else:
            lines.append(f"{pad}{label + ':':<{width}} {scalar(leaf)}")
    return lines


def _listed(start: str, items: Value, indent: int) -> list[str]:
    pad = " " * indent
    lines = [f"{start}["]
    for n, item in enumerate(items):
        if nested(item):
            lines.append(f"{pad}  {n}:")
            lines += lines_of(item, indent + 4)
        else:
            lines.append(f"{pad}  {n}: {scalar(item)}")
    lines.append(f"{pad}]")
    return lines


def _flatten(value: dict[str, Value], start: str, into: list[tuple[str, Value]]) -> None:
    """Each property with its path, which begins with `start`, in the order of the keys."""
    for key in sorted(value):
        inner, label = value[key], (start + step(key)).removeprefix(".")
        if isinstance(inner, dict) and inner:
            _flatten(inner, label, into)
        else:
            into.append((label, inner))


def nested(value: Value) -> bool:
    """Whether a value has parts."""
    return type(value) not in PLAIN and isinstance(value, dict | list | tuple) and len(value) > 0
