"""Copies as loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.scope import Loop
from engine.decompile.simplify import Call, Literal, Node, key
from engine.decompile.writer import Writer

_INDEXES = "ijklmnopq"
_FOR = "[for {head} in {array}: {body}]"
_MAP = "map({array}, {head} => {body})"


def property_loops(writer: Writer, copies: list[Any], pointer: str, statement: bool = False) -> list[tuple[str, str]]:
    """The loops beside an object's properties: a name and a loop each; or those of a section, each a `statement`."""
    members: list[tuple[str, str]] = []
    for place, copy in enumerate(copies):
        where = f"{pointer}/{place}"
        fields = lowered(copy, where)
        name = fields.get("name")
        if not isinstance(name, str) or "input" not in fields:
            raise Refused("A loop over a property needs 'name' and 'input'", where)
        members.append((writer.key(name, where), value_loop(writer, fields, name, where, statement)))
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


def value_loop(writer: Writer, copy: dict[str, Any], name: str, pointer: str, statement: bool = True) -> str:
    """`[for item in items: …]`; `map(items, item => …)` where no loop can stand: in another, or in a plain value."""
    if "input" not in copy:
        raise Refused("A loop needs an 'input'", pointer)
    inside = any(around.of_value for around in writer.scope.loops)
    form = _MAP if inside or not (statement or writer.scope.in_body) else _FOR
    return loop(writer, copy, name, pointer, lambda: writer.value(copy["input"], f"{pointer}/input"), form)


def loop(writer: Writer, copy: dict[str, Any], name: str, pointer: str, body: Callable[[], str], form: str = "") -> str:
    """A loop around a body that is written inside it; one around a value, of which the `form` is told, runs over the items of
    an array, if it only takes those."""
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
    source = _array(node) if form else None
    text = writer.expression(node)
    inner = Loop(
        name, _INDEXES[depth], "item" if depth == 0 else f"item_{_INDEXES[depth]}", key(source) if source else ""
    )
    inner.of_value = bool(form)
    writer.scope.loops.append(inner)
    written = body()
    writer.scope.loops.pop()
    array, head = f"range(0, {text})", inner.symbol
    if inner.item_used and source is not None:
        array = writer.expression(source)
        head = f"({inner.item}, {inner.symbol})" if inner.index_used else inner.item
    return (form or _FOR).format(head=head, array=array, body=written)


def _array(count: Node) -> Node | None:
    """The array that a loop runs over, if its count is the length of a parameter or variable."""
    match count:
        case Call(length, (Call(kind, (Literal(),)) as array,)) if length.lower() == "length":
            return array if kind.lower() in ("parameters", "variables") else None
    return None
