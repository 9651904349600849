"""The part of JSONPath that people use with `loadJsonContent`: names, indexes, `*`, `..` and comparisons."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_STEP = re.compile(
    r"\.\.(?P<deep>\w[\w-]*|\*)|\.(?P<star>\*)|\.?(?P<name>[A-Za-z_$][\w$-]*)|\[\s*(?P<all>\*)\s*\]"
    r"|\[\s*(?P<index>-?\d+)\s*\]|\[\s*'(?P<quoted>(?:[^'\\]|\\.)*)'\s*\]"
    r"|\[\s*(?P<start>-?\d*)\s*:\s*(?P<stop>-?\d*)\s*\]|\[\?\(\s*(?P<filter>.*?)\s*\)\]"
)
_COMPARISON = re.compile(r"@((?:\.\w+|\['[^']*'\])*)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$")
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def select(document: Any, path: str) -> list[Any]:
    """All that the path leads to, in the order of the document; nothing if the path cannot be read."""
    found, at = [document], 1 if path.startswith("$") else 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            return []
        found = [below for value in found for below in _step(value, match)]
        at = match.end()
    return found


def _step(value: Any, match: re.Match[str]) -> Iterable[Any]:
    kind, text = match.lastgroup, match[match.lastgroup or 0]
    match kind:
        case "name" | "quoted":
            return [value[text]] if isinstance(value, dict) and text in value else []
        case "star" | "all":
            return _children(value)
        case "index":
            return value[int(text) :][:1] if isinstance(value, list) else []
        case "deep":
            return (v for each in _descend(value) for v in _named(each, text))
        case "filter":
            return (each for each in _children(value) if _holds(each, text))
        case _:
            start, stop = match["start"], match["stop"]
            return value[int(start or 0) : int(stop) if stop else None] if isinstance(value, list) else []


def _children(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []


def _descend(value: Any) -> Iterator[Any]:
    yield value
    for child in _children(value):
        yield from _descend(child)


def _named(value: Any, name: str) -> list[Any]:
    if name == "*":
        return _children(value)
    return [value[name]] if isinstance(value, dict) and name in value else []


def _holds(value: Any, condition: str) -> bool:
    match = _COMPARISON.match(condition)
    if match is None:
        return False
    found = select(value, match[1])
    if match[2] is None:
        return bool(found)
    right = _constant(match[3].strip())
    try:
        return bool(found) and bool(_OPERATORS[match[2]](found[0], right))
    except TypeError:
        return False


def _constant(text: str) -> Any:
    if text[:1] in "'\"":
        return text[1:-1]
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return {"true": True, "false": False, "null": None}.get(text)
