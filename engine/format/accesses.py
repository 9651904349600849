"""The layout of what is asked of a value: members, places, calls."""

from __future__ import annotations

from engine.format.brackets import arguments
from engine.format.cursor import Cursor
from engine.format.document import Doc, Document
from engine.format.layout import layout
from engine.parse import tree

_HELD = (tree.Object, tree.Array, tree.For, tree.Lambda)
"""What may open at the end of a call's line."""


def member(cursor: Cursor, node: tree.Member) -> Document:
    """`a.b`, `a.?b`"""
    base = layout(cursor, node.base)
    return Doc(base, _dot(cursor, node.safe), cursor.take())


def nested(cursor: Cursor, node: tree.NestedMember) -> Document:
    """`a::b`"""
    return Doc(layout(cursor, node.base), cursor.take(), cursor.take())


def index(cursor: Cursor, node: tree.Index) -> Document:
    """`a[b]`, `a[?b]`, `a[^b]`"""
    base = layout(cursor, node.base)
    signs = [cursor.take() for _ in range(1 + node.safe + node.from_end)]
    return Doc(base, *signs, cursor.joined(layout(cursor, node.index)), cursor.take())


def suffixed(cursor: Cursor, node: tree.NonNull | tree.Nullable) -> Document:
    """`a!`, `T?`"""
    return Doc(cursor.joined(layout(cursor, node.base)), cursor.take())


def call(cursor: Cursor, node: tree.Call) -> Document:
    """`f(a, b)`"""
    return Doc(cursor.take(), _arguments(cursor, node.arguments))


def method(cursor: Cursor, node: tree.MethodCall) -> Document:
    """`a.f(b)`"""
    base = layout(cursor, node.base)
    return Doc(base, _dot(cursor, node.safe), cursor.take(), _arguments(cursor, node.arguments))


def _dot(cursor: Cursor, safe: bool) -> Document:
    """`.`, `.?`"""
    return Doc(cursor.joined(cursor.take()), cursor.take()) if safe else cursor.take()


def _arguments(cursor: Cursor, nodes: tuple[tree.Expression, ...]) -> Document:
    last = nodes[-1] if nodes else None
    return arguments(cursor, nodes, layout, isinstance(last, _HELD), isinstance(last, tree.Object | tree.Array))
