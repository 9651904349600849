"""Where JSON stands rather than an expression: objects, arrays and literals are written as they are."""

from __future__ import annotations

from collections.abc import Iterable

from engine.build.emit.declared import key_text
from engine.build.emit.loops import copy
from engine.build.emit.text import escape, wrap
from engine.build.emit.unit import NO_LOCALS, TEXT, VALUE, Locals, Unit, emits_value
from engine.check.symbols import Kind
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_VAR = Kind.VAR


@emits_value(tree.Integer, tree.Boolean)
def scalar(unit: Unit, node: tree.Integer | tree.Boolean, locals: Locals) -> int | bool:
    """A number or a truth value."""
    return node.value


@emits_value(tree.Null)
def null(unit: Unit, node: tree.Null, locals: Locals) -> None:
    """Nothing."""
    return


@emits_value(tree.Text)
def text(unit: Unit, node: tree.Text, locals: Locals) -> str:
    """A string."""
    if node.holes:
        return f"[{TEXT[tree.Text](unit, node, locals)}]"
    return escape(node.parts[0])


@emits_value(tree.Unary)
def unary(unit: Unit, node: tree.Unary, locals: Locals) -> Any:
    """A negative number is a number."""
    if node.operator == "-" and isinstance(node.operand, tree.Integer):
        return -node.operand.value
    return wrap(unit.text(node, locals))


@emits_value(tree.Parenthesized)
def parenthesized(unit: Unit, node: tree.Parenthesized, locals: Locals) -> Any:
    """What stands in parentheses."""
    return unit.value(node.inner, locals)


@emits_value(tree.NonNull)
def non_null(unit: Unit, node: tree.NonNull, locals: Locals) -> Any:
    """`x!` says something about the type only."""
    return unit.value(node.base, locals)


@emits_value(tree.Name)
def name(unit: Unit, node: tree.Name, locals: Locals) -> Any:
    """An inlined variable brings its value, not its text."""
    symbol = unit.bindings.get(id(node))
    if symbol is not None and symbol.kind is _VAR and unit.inlines(symbol):
        assert isinstance(symbol.declaration, tree.Var)
        unit.active.add(symbol)
        try:
            return unit.value(symbol.declaration.value, NO_LOCALS)
        finally:
            unit.active.discard(symbol)
    return wrap(TEXT[tree.Name](unit, node, locals))


@emits_value(tree.Array)
def array(unit: Unit, node: tree.Array, locals: Locals) -> Any:
    """A list, unless something is spread into it."""
    if any(type(item) is tree.Spread for item in node.items):
        return f"[{unit.text(node, locals)}]"
    return [unit.value(item, locals) for item in node.items]


@emits_value(tree.Object)
def object_(unit: Unit, node: tree.Object, locals: Locals) -> Any:
    """An object, unless something is spread into it."""
    if any(type(member) is tree.Spread for member in node.members):
        return f"[{unit.text(node, locals)}]"
    return properties(unit, node.members, locals)


def properties(unit: Unit, members: Iterable[tree.Node], locals: Locals) -> dict[str, Any]:
    """Properties of an object; those that loop stand first, under `copy`."""
    looped: list[dict[str, Any]] = []
    found: dict[str, Any] = {}
    for member in members:
        if type(member) is not tree.Property:
            continue
        key, value = member.key, member.value
        kind = type(value)
        plain = key.text if type(key) is tree.Identifier else key_text(key)
        if kind is tree.For:
            looped.append(copy(unit, plain or "", value, locals))  # type: ignore[arg-type]
            continue
        if plain is None:
            name = wrap(unit.text(key, locals))
        elif plain == "copy":
            name = "[string('copy')]"
        else:
            name = escape(plain)
        if kind is tree.Text and not value.holes:  # type: ignore[union-attr]
            found[name] = escape(value.parts[0])  # type: ignore[union-attr]
        else:
            found[name] = VALUE.get(kind, _wrapped)(unit, value, locals)
    return {"copy": looped, **found} if looped else found


def _wrapped(unit: Unit, node: tree.Node, locals: Locals) -> str:
    return wrap(TEXT[type(node)](unit, node, locals))
