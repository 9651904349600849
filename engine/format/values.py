"""The layout of values: literals, strings, objects, arrays, loops, conditions, operators."""

from __future__ import annotations

from engine.format.brackets import Rows, enclosed, parameters
from engine.format.cursor import Cursor
from engine.format.document import HARD, SOFT, SPACE, Align, Doc, Document, Group, Indent
from engine.format.layout import layout
from engine.parse import tree


def broken(cursor: Cursor, node: tree.Broken) -> Document:
    """What could not be read, as it stands."""
    return cursor.verbatim(node.end) if node.end > node.start else ""


def token(cursor: Cursor, node: tree.Node) -> Document:
    """What is one token: names, numbers, `true`, `false`, `null`."""
    return cursor.take()


def text(cursor: Cursor, node: tree.Text) -> Document:
    """A string, word for word, the values in it too."""
    return cursor.verbatim(node.end) if node.holes else cursor.take()


def array(cursor: Cursor, node: tree.Array) -> Document:
    """`[a, b]`"""
    return enclosed(cursor, node.items, layout)


def object_value(cursor: Cursor, node: tree.Object) -> Document:
    """`{ a: 1, b: 2 }`; one that only spreads others is not kept open."""
    keep = any(type(m) is not tree.Spread for m in node.members)
    return enclosed(cursor, node.members, layout, SPACE, keep)


def object_property(cursor: Cursor, node: tree.Property) -> Document:
    """`key: value`"""
    return Doc(cursor.joined(layout(cursor, node.key)), cursor.take(), " ", layout(cursor, node.value))


def spread(cursor: Cursor, node: tree.Spread) -> Document:
    """`...value`"""
    return Doc(cursor.take(), layout(cursor, node.value))


def unary(cursor: Cursor, node: tree.Unary) -> Document:
    """`!a`"""
    return Doc(cursor.take(), layout(cursor, node.operand))


def binary(cursor: Cursor, node: tree.Binary) -> Document:
    """`a + b`, which never breaks."""
    return Doc(layout(cursor, node.left), " ", cursor.take(), " ", layout(cursor, node.right))


def ternary(cursor: Cursor, node: tree.Ternary) -> Document:
    """`a ? b : c`, or a line for each of its ways."""
    condition = layout(cursor, node.condition)
    then = Doc(cursor.take(), " ", Align(layout(cursor, node.then)))
    otherwise = Doc(cursor.take(), " ", Align(layout(cursor, node.otherwise)))
    return Group(condition, Indent(SPACE, then, SPACE, otherwise))


def parenthesized(cursor: Cursor, node: tree.Parenthesized) -> Document:
    """`(a)`"""
    return Doc(cursor.take(), cursor.joined(layout(cursor, node.inner)), cursor.take())


def function(cursor: Cursor, node: tree.Lambda) -> Document:
    """`x => x + 1`, `(x, y) => x + y`"""
    head = parameters(cursor, node.parameters, token) if cursor.looks_at("(") else cursor.take()
    return Doc(head, " ", cursor.take(), body(cursor, node.body))


def body(cursor: Cursor, node: tree.Expression) -> Document:
    """What stands after an arrow: brackets open on its line, all else goes to the next if it is too long."""
    if cursor.commented:
        return below(cursor, node)
    if isinstance(node, tree.Object | tree.Array | tree.For):
        return Doc(" ", layout(cursor, node))
    return Group(Indent(SPACE, layout(cursor, node)))


def below(cursor: Cursor, node: tree.Expression) -> Document:
    """A value on the line below, under the comments on it."""
    rows = Rows()
    rows.above(cursor)
    rows.add(HARD, layout(cursor, node))
    return Indent(HARD, *rows.parts)


def loop(cursor: Cursor, node: tree.For) -> Document:
    """`[for x in xs: x]`"""
    opener = cursor.take()
    rows = Rows()
    rows.above(cursor)
    word = cursor.take()
    names = [n for n in (node.item, node.index) if n is not None]
    variables = parameters(cursor, names, token) if cursor.looks_at("(") else cursor.take()
    head = Doc(
        word, " ", variables, " ", cursor.take(), " ", cursor.joined(layout(cursor, node.array)), cursor.take(), " "
    )
    rows.add(SOFT, head, layout(cursor, node.body))
    rows.above(cursor)
    return Group(opener, Indent(SOFT, *rows.parts), SOFT, cursor.take())


def condition(cursor: Cursor, node: tree.If) -> Document:
    """`if (a) { … }`"""
    test = Doc(cursor.take(), " ", cursor.take(), cursor.joined(layout(cursor, node.condition)), cursor.take())
    return Doc(test, " ", layout(cursor, node.body))
