"""The properties that an object can still have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import (
    ArrayType,
    ObjectType,
    PropertyType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    show,
    without_null,
)
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.expected import body_of, choices, key_of, properties, wanted
from engine.parse import tree

DEPTH = 6


def object_at(cursor: Cursor) -> tree.Object | None:
    """The object whose next key belongs at the cursor."""
    for place in range(len(cursor.nodes) - 1, -1, -1):
        node = cursor.nodes[place]
        if isinstance(node, tree.Array | tree.Call | tree.MethodCall | tree.Text):
            return None
        if isinstance(node, tree.Object):
            break
    else:
        return None
    if node.start >= cursor.offset:
        return None
    inner = cursor.nodes[place + 1] if place + 1 < len(cursor.nodes) else None
    before = cursor.before_bare
    if isinstance(inner, tree.Property) and inner.key.start <= cursor.start <= inner.key.end:
        return node
    if not before or before[-1] in "{,":
        return node
    return None


def keys(cursor: Cursor, node: tree.Object) -> Iterator[Item]:
    """The properties of the type that the object should have, less those that it has."""
    model = cursor.model
    nodes = cursor.nodes[: next(n for n, other in enumerate(cursor.nodes) if other is node) + 1]
    given = {
        key_of(m.key)
        for m in node.members
        if isinstance(m, tree.Property) and not m.key.start <= cursor.start <= m.key.end
    }
    colon = re.match(r"\w*\s*:", cursor.analysis.text[cursor.offset :]) is not None
    for name, property in properties(model, wanted(model, nodes), node).items():
        if name not in given and not property.readonly:
            yield _item(model, name, property, colon)
    if isinstance(nodes[-2], tree.Resource | tree.For | tree.If) and any(isinstance(n, tree.Resource) for n in nodes):
        insert = "resource ${1:name} '${2:type}' = {\n  name: '${1:name}'\n  $0\n}"
        yield Item("resource", "snippet", "A resource nested in this one", insert=insert, snippet=True, order=8)


def _item(model: Model, name: str, property: PropertyType, colon: bool) -> Item:
    type = without_null(property.type)
    key = name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"'{name}'"
    detail = f"{show(type)}{', required' if property.required else ''}"
    insert = key if colon else f"{key}: {_value(model, type, property)}"
    return Item(name, "property", detail, property.description, insert, not colon, 1 if property.required else 2)


def _value(model: Model, type: Type, property: PropertyType) -> str:
    """The beginning of a value of a property; the id of a resource is no text that one writes."""
    found = choices(model, type)
    if property.description.startswith("The id of "):
        return "$0"
    match found[0] if len(found) == 1 else None:
        case ObjectType():
            return "{\n  $0\n}"
        case ArrayType() | TupleType():
            return "[\n  $0\n]"
        case StringType():
            return "'$0'"
        case StringLiteral() as only:
            return show(only)
        case _:
            return "$0"


def required_body(model: Model, statement: tree.Resource | tree.Module | None) -> str:
    """The snippet of a body with all that it must have."""
    if statement is None:
        return "{\n  $0\n}"
    counter = [0]
    type = body_of(model, statement)
    lines = _required(model, type, 1, counter)
    if isinstance(statement, tree.Module) and not any("params" in line for line in lines):
        lines = [*lines, "  $0"]
    return "\n".join(["{", *(lines or ["  $0"]), "}"])


def _required(model: Model, type: Type, depth: int, counter: list[int]) -> list[str]:
    lines = []
    for name, property in properties(model, type).items():
        if property.readonly or not (property.required or name in ("properties", "params")):
            continue
        inner = without_null(property.type)
        below = _required(model, inner, depth + 1, counter) if depth < DEPTH else []
        if not property.required and not below:
            continue
        indent = "  " * depth
        if below:
            lines += [f"{indent}{name}: {{", *below, f"{indent}}}"]
        else:
            counter[0] += 1
            value = _value(model, inner, property).replace("$0", f"${counter[0]}").replace("\n", f"\n{indent}")
            lines.append(f"{indent}{name}: {value}")
    return lines
