"""Loops: what their variables stand for, and the `copy` object that ARM unrolls."""

from __future__ import annotations

from engine.build.emit.text import call, index, integer, wrap
from engine.build.emit.unit import Locals, Unit
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def inside(unit: Unit, loop: tree.For, at: str, locals: Locals) -> Locals:
    """The locals in a loop's body, seen at an index."""
    symbols = unit.model.locals.get(id(loop), ())
    new = dict(locals)
    for symbol, text in zip(symbols, (index(unit.text(loop.array, locals), at), at), strict=False):
        new[symbol] = text
    return new


def count(unit: Unit, loop: tree.For, locals: Locals) -> str:
    """How often a loop runs, as JSON."""
    return wrap(call("length", unit.text(loop.array, locals)))


def copy(unit: Unit, name: str, loop: tree.For, locals: Locals) -> dict[str, Any]:
    """An entry of a `copy` array, for a property or a variable."""
    within = inside(unit, loop, f"copyIndex('{name}')", locals)
    return {"name": name, "count": count(unit, loop, locals), "input": item(unit, loop.body, within)}


def item(unit: Unit, node: tree.Expression, locals: Locals) -> Any:
    """The `input` of a copy: an object or a string as it is, all else as an expression."""
    value = unit.value(node, locals)
    if type(value) is dict or type(value) is str:
        return value
    text = unit.text(node, locals)
    if type(value) is int:
        text = call("int", integer(value))
    return wrap(text)
