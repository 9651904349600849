"""Copies as loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.scope import Loop
from engine.decompile.simplify import Call, Literal, Node, key
from engine.decompile.writer import Writer

_INDEXES = "ijklmnopq"


def property_loops(writer: Writer, copies: list[Any], pointer: str) -> list[tuple[str, str]]:
    """The loops beside an object's properties: a name and a loop each."""
    members: list[tuple[str, str]] = []
    for place, copy in enumerate(copies):
        where = f"{pointer}/{place}"
        fields = lowered(copy, where)
        name = fields.get("name")
        if not isinstance(name, str) or "input" not in fields:
            raise Refused("A loop over a property needs 'name' and 'input'", where)
        members.append((writer.key(name, where), value_loop(writer, fields, name, where)))
    return members


def lowered(value: Any, pointer: str) -> dict[str, Any]:
    """An object with its keys in lower case."""
    if not isinstance(value, dict):
        raise Refused("An object must stand here, no expression or list", pointer)
    return {k.lower(): v for k, v in value.items()}


def section(value: Any, pointer: str) -> dict[str, Any]:
    """An object, empty if there is none."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refused("An object must stand here, no expression or list", pointer)
    return value


def fields_list(value: Any, pointer: str) -> list[Any]:
    """A list, empty if there is none."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise Refused("A list must stand here", pointer)
    return value


def value_loop(writer: Writer, copy: dict[str, Any], name: str, pointer: str) -> str:
    """`[for item in items: …]`"""
    if "input" not in copy:
        raise Refused("A loop needs an 'input'", pointer)
    return loop(writer, copy, name, pointer, lambda: writer.value(copy["input"], f"{pointer}/input"), True)


def loop(
    writer: Writer, copy: dict[str, Any], name: str, pointer: str, body: Callable[[], str], items: bool = False
) -> str:
    """A loop around a body that is written inside it; over the `items` of an array, if it only takes those."""
    count = copy.get("count")
    node = (
        writer.read(count, f"{pointer}/count")
        if isinstance(count, str)
        else Literal(count)
        if type(count) is int
        else None
    )
    if node is None:
        raise Refused("The count of a loop must be a number or an expression", pointer)
    depth = len(writer.scope.loops)
    if depth >= len(_INDEXES):
        raise Refused("Loops are nested too deeply", pointer)
    source = _array(node) if items else None
    text = writer.expression(node)
    inner = Loop(
        name, _INDEXES[depth], "item" if depth == 0 else f"item_{_INDEXES[depth]}", key(source) if source else ""
    )
    writer.scope.loops.append(inner)
    written = body()
    writer.scope.loops.pop()
    if inner.item_used and source is not None:
        head = f"({inner.item}, {inner.symbol})" if inner.index_used else inner.item
        return f"[for {head} in {writer.expression(source)}: {written}]"
    return f"[for {inner.symbol} in range(0, {text}): {written}]"


def _array(count: Node) -> Node | None:
    """The array that a loop runs over, if its count is the length of a parameter or variable."""
    match count:
        case Call(length, (Call(kind, (Literal(),)) as array,)) if length.lower() == "length":
            return array if kind.lower() in ("parameters", "variables") else None
    return None
