"""Unions: of literals, which become a list of allowed values, and of objects told apart by one property."""

from __future__ import annotations

from collections.abc import Iterator

from engine.build.emit.calls import imported_member
from engine.build.emit.secure import decorated
from engine.build.emit.unit import Unit
from engine.check.symbols import Kind
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_KINDS = {str: "string", bool: "bool", int: "int", dict: "object", list: "array"}


def union(unit: Unit, node: tree.Expression) -> tuple[str | None, list[Any]]:
    """The ARM type of a union of literals, and its values: each once, sorted as they print."""
    values = {printed(v): v for v in _values(unit, node, 0)}
    kinds = {_KINDS[type(v)] for v in values.values() if v is not None}
    return kinds.pop() if len(kinds) == 1 else None, [values[key] for key in sorted(values)]


def alias(unit: Unit, node: tree.Expression) -> tuple[Unit, tree.TypeDeclaration] | None:
    """The declaration that a name of a type leads to, with the unit to read it in."""
    symbol = None
    if isinstance(node, tree.Name):
        symbol = unit.symbol(node)
    elif isinstance(node, tree.Member) and isinstance(node.base, tree.Name):
        base = unit.symbol(node.base)
        symbol = imported_member(unit, base, node.name.text) if base is not None else None
    if symbol is None or symbol.kind is not Kind.TYPE:
        return None
    while symbol.original is not None:
        unit, symbol = unit.seen_from(symbol.home or unit.model), symbol.original
    return (unit, symbol.declaration) if isinstance(symbol.declaration, tree.TypeDeclaration) else None


def literal_value(node: tree.Expression) -> Any:
    """The value that a literal type allows; objects and tuples of literals are literals too."""
    match node:
        case tree.Text():
            return node.literal
        case tree.Integer() | tree.Boolean():
            return node.value
        case tree.Unary():
            value = literal_value(node.operand)
            return not value if node.operator == "!" else -value if isinstance(value, int) else value
        case tree.Parenthesized():
            return literal_value(node.inner)
        case tree.ObjectType():
            return {
                (p.key.text if isinstance(p.key, tree.Identifier) else p.key.literal or ""): literal_value(p.type)
                for p in node.members
                if isinstance(p, tree.TypeProperty) and p.key is not None
            }
        case tree.TupleType():
            return [literal_value(i.type) for i in node.items if isinstance(i, tree.TupleItem)]
        case _:
            return None


def printed(value: Any) -> str:
    """A literal type as the language writes it: what unions are sorted by."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
            return "'" + "".join(escapes.get(c, c) for c in value).replace("${", "\\${") + "'"
        case dict():
            return "{ " + ", ".join(f"{k}: {printed(v)}" for k, v in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(printed, value)) + "]"
        case _:
            return str(value)


def discriminated(unit: Unit, node: tree.Expression, property: str) -> Iterator[tuple[str, Unit, tree.Expression]]:
    """The members of a union of objects, unions in it taken apart: the value that tells it, and the member."""
    yield from _members(unit, node, property, 0)


def _members(
    unit: Unit, node: tree.Expression, property: str, depth: int
) -> Iterator[tuple[str, Unit, tree.Expression]]:
    match node:
        case tree.Union():
            for member in node.members:
                yield from _members(unit, member, property, depth)
        case tree.Parenthesized():
            yield from _members(unit, node.inner, property, depth)
        case tree.Nullable() | tree.NonNull():
            yield from _members(unit, node.base, property, depth)
        case tree.ObjectType():
            if (value := _tag(unit, node, property)) is not None:
                yield value, unit, node
        case _ if depth < 50 and (found := alias(unit, node)) is not None:
            home, declaration = found
            if decorated(declaration.decorators, "discriminator"):
                yield from _members(home, declaration.value, property, depth + 1)
            else:
                for value, _, _ in _members(home, declaration.value, property, depth + 1):
                    yield value, unit, node
        case _:
            return


def _tag(unit: Unit, node: tree.ObjectType, property: str) -> str | None:
    for each in node.members:
        if isinstance(each, tree.TypeProperty) and each.key is not None:
            name = each.key.text if isinstance(each.key, tree.Identifier) else each.key.literal
            if name == property:
                values = list(_values(unit, each.type, 0))
                return values[0] if len(values) == 1 and isinstance(values[0], str) else None
    return None


def _values(unit: Unit, node: tree.Expression, depth: int) -> Iterator[Any]:
    match node:
        case tree.Union():
            for member in node.members:
                yield from _values(unit, member, depth)
        case tree.Parenthesized():
            yield from _values(unit, node.inner, depth)
        case tree.Nullable():
            yield from _values(unit, node.base, depth)
            yield None
        case tree.NonNull():
            yield from (v for v in _values(unit, node.base, depth) if v is not None)
        case tree.Null():
            yield None
        case tree.Name() | tree.Member():
            if depth < 50 and (found := alias(unit, node)) is not None:
                yield from _values(found[0], found[1].value, depth + 1)
        case tree.Broken():
            return
        case _:
            yield literal_value(node)
