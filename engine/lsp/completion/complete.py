"""The entry: what can be written at an offset."""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics.source import Span
from engine.lsp.analysis import Analysis
from engine.lsp.buffers import Buffers
from engine.lsp.completion import decorators, imports, keys, members, pragmas, statements, strings, typenames, values
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.places import in_comment
from engine.parse import tree


def complete(analysis: Analysis, buffers: Buffers, offset: int) -> list[Item]:
    """The offers at an offset, the best first; each says what it replaces."""
    cursor = Cursor(analysis, offset)
    if in_comment(analysis.file, offset):
        return []
    word = Span(cursor.start, offset)
    found: dict[tuple[str, bool], Item] = {}
    for item in _items(cursor, buffers):
        found.setdefault((item.label, item.kind == "snippet"), item if item.replaces else item.replace(replaces=word))
    return sorted(found.values(), key=lambda i: (i.order, i.label))


def _items(cursor: Cursor, buffers: Buffers) -> Iterable[Item]:
    """What belongs at the cursor, by what stands before it."""
    if cursor.string is not None:
        return strings.strings(cursor, buffers)
    if any(
        isinstance(n, tree.Text) and n.multiline and n.start < cursor.offset < n.end and not n.holes
        for n in cursor.nodes
    ):
        return ()
    if pragmas.is_pragma(cursor):
        return pragmas.pragmas(cursor)
    if decorators.is_decorator(cursor):
        return decorators.decorators(cursor)
    if members.follows_colons(cursor):
        return members.nested(cursor)
    if members.follows_dot(cursor):
        return members.members(cursor)
    if (node := imports.import_at(cursor)) is not None:
        return imports.exported(cursor, node)
    if imports.names_extension(cursor):
        return imports.extensions(cursor)
    if imports.assigns(cursor):
        return imports.assignable(cursor)
    if typenames.belongs_here(cursor):
        return typenames.typenames(cursor)
    if strings.belong_here(cursor):
        return strings.quoted(cursor, buffers)
    if statements.begins_body(cursor):
        return statements.bodies(cursor)
    if statements.begins_statement(cursor):
        return statements.statements(cursor)
    if (owner := keys.object_at(cursor)) is not None:
        return keys.keys(cursor, owner)
    return values.values(cursor) if _takes_value(cursor) else ()


def _takes_value(cursor: Cursor) -> bool:
    """Whether a value can stand here at all: not where a name is being declared, nor after a value."""
    here = cursor.nodes[-1]
    if isinstance(here, tree.Identifier) and not isinstance(cursor.nodes[-2], tree.Call):
        return False
    if isinstance(here, tree.ObjectType):
        return False
    before = cursor.before_bare[-1:]
    return not before or before in "=:([{,?|&+-*/%<>!" or cursor.before_bare.endswith((" in", "=>"))
