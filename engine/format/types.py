"""The layout of types."""

from __future__ import annotations

from engine.format.brackets import Rows, enclosed, separated
from engine.format.cursor import Cursor
from engine.format.document import COMMA, HARD, SOFT, SPACE, Doc, Document, Group, Indent, Line, Suffix
from engine.format.layout import layout
from engine.parse import tree

_BAR = Line(" | ", lead="| ")
_FIRST = Line(" ", lead="| ")
_INNER = Line("", lead="| ")


def after(cursor: Cursor, node: tree.Expression) -> Document:
    """A blank and a type; the members of a union may stand on the lines below, a bar before each."""
    if not isinstance(node, tree.Union):
        barred = cursor.looks_at("|")
        above = _above(cursor) if barred else []
        said = cursor.drop() if barred else []
        if above:
            return Group(Indent(*above, *said, _FIRST, layout(cursor, node)))
        blank = Group(_FIRST) if barred else " "  # below a comment, a line can begin with a bar and with nothing else
        return Doc(Indent(*said, blank), layout(cursor, node))
    return Group(Indent(*_members(cursor, node, _FIRST)))


def union(cursor: Cursor, node: tree.Union) -> Document:
    """`A | B`"""
    return Group(Indent(*_members(cursor, node, Line("", lead="| "))[1:]))


def _members(cursor: Cursor, node: tree.Expression, first: Line) -> list[Document]:
    parts: list[Document] = []
    line = first
    for member in node.members if isinstance(node, tree.Union) else (node,):
        parts += _above(cursor)
        said = cursor.drop() if cursor.looks_at("|") else []
        parts += [*said, line, layout(cursor, member)]
        line = _BAR
    return parts


def _above(cursor: Cursor) -> list[Document]:
    """The comments on lines of their own that come next, each below what is before."""
    return [part for _, comment in cursor.above() for part in (HARD, Suffix(comment))]


def parenthesized(cursor: Cursor, node: tree.Parenthesized) -> Document:
    """`(A | B)`, or `(a)`"""
    opener = cursor.take()
    if not isinstance(node.inner, tree.Union) and not cursor.looks_at("|"):
        return Doc(opener, cursor.joined(layout(cursor, node.inner)), cursor.take())
    members = _members(cursor, node.inner, _INNER)
    return Group(opener, Indent(*members), SOFT, cursor.take())


def array(cursor: Cursor, node: tree.ArrayType) -> Document:
    """`T[]`"""
    return Doc(layout(cursor, node.item), cursor.take(), cursor.take())


def items(cursor: Cursor, node: tree.ItemsAccess) -> Document:
    """`T[*]`"""
    return Doc(layout(cursor, node.base), cursor.take(), cursor.joined(cursor.take()), cursor.take())


def rest(cursor: Cursor, node: tree.RestAccess) -> Document:
    """`T.*`"""
    return Doc(layout(cursor, node.base), cursor.take(), cursor.take())


def parameterized(cursor: Cursor, node: tree.Parameterized) -> Document:
    """`resourceInput<'T@v'>`, on one line unless the line ends after its opening bracket."""
    parts: list[Document] = []
    if node.base is not None:
        parts += [layout(cursor, node.base), cursor.take()]
    parts.append(cursor.take())
    keep = cursor.breaks_after()
    parts.append(cursor.take())
    rows = Rows()
    for argument in node.arguments:
        keep |= rows.above(cursor)
        rows.add(SPACE, *separated(cursor, layout(cursor, argument)))
    keep |= rows.above(cursor)
    for comment in cursor.before():
        rows.add(SPACE, comment)
    if keep:
        return Doc(*parts, Indent(HARD, *rows.parts), HARD, cursor.take())
    return Group(*parts, *rows.parts, cursor.take())


def tuple_type(cursor: Cursor, node: tree.TupleType) -> Document:
    """`[A, B]`, not kept open."""
    return enclosed(cursor, node.items, layout, keep=False)


def tuple_item(cursor: Cursor, node: tree.TupleItem) -> Document:
    """One place of a tuple, its decorators above it."""
    parts: list[Document] = []
    for decorator in node.decorators:
        parts += [cursor.take(), layout(cursor, decorator.expression)]
        parts += cursor.drop() if cursor.looks_at(",") else []
        parts.append(COMMA)
    return Doc(*parts, layout(cursor, node.type))


def object_type(cursor: Cursor, node: tree.ObjectType) -> Document:
    """`{ a: A, *: B }`"""
    return enclosed(cursor, node.members, layout, SPACE)


def type_property(cursor: Cursor, node: tree.TypeProperty) -> Document:
    """`name: T`, its decorators above it."""
    above = decorators(cursor, node.decorators)
    key = layout(cursor, node.key) if node.key is not None else cursor.take()
    return Doc(*above, cursor.joined(key), cursor.take(), after(cursor, node.type))


def decorators(cursor: Cursor, nodes: tuple[tree.Decorator, ...]) -> list[Document]:
    """`@name(…)`, a line each."""
    parts: list[Document] = []
    for node in nodes:
        parts += [cursor.take(), layout(cursor, node.expression)]
        parts += cursor.drop() if cursor.looks_at(",") else []
        parts.append(HARD)
    return parts
