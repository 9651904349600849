"""A value as people read it in a plan: secrets hidden, what only the deployment knows named so."""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract.difference import Path, dotted
from engine.contract.value import Deferred, Output, Secret, Unknown, Value


def scalar(value: Value) -> str:
    """A value that has no parts, as it is shown."""
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
    """What may have several lines, such as the last words of a process, where there is room for one."""
    return " / ".join(text.splitlines())


def lines_of(value: Value, indent: int) -> Iterator[str]:
    """A value from top to bottom: properties by their dotted path, aligned; lists in brackets, item by item."""
    pad = " " * indent
    if not isinstance(value, dict) or not value:
        yield from _listed("", value, indent) if nested(value) else (f"{pad}{scalar(value)}",)
        return
    flat = sorted(_flat(value, ()), key=lambda pair: [str(k) for k in pair[0]])
    width = max((len(dotted(path)) for path, leaf in flat if not nested(leaf)), default=0)
    for path, leaf in flat:
        if nested(leaf):
            yield from _listed(f"{dotted(path)}: ", leaf, indent)
        else:
            yield f"{pad}{f'{dotted(path)}:':<{width + 1}} {scalar(leaf)}"


def _listed(start: str, items: Value, indent: int) -> Iterator[str]:
    pad = " " * indent
    yield f"{pad}{start}["
    for n, item in enumerate(items):
        if nested(item):
            yield f"{pad}  {n}:"
            yield from lines_of(item, indent + 4)
        else:
            yield f"{pad}  {n}: {scalar(item)}"
    yield f"{pad}]"


def _flat(value: Value, path: Path) -> Iterator[tuple[Path, Value]]:
    if isinstance(value, dict) and (value or path):
        if not value:
            yield path, value
        for key, inner in value.items():
            yield from _flat(inner, (*path, key))
    else:
        yield path, value


def nested(value: Value) -> bool:
    """Whether a value has parts."""
    return isinstance(value, dict | list | tuple) and len(value) > 0
