"""Names from elsewhere: what another file exports, between the braces of an import; the parameters that a template has;
extensions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check import exports
from engine.check.extensions import BUILT_IN
from engine.check.symbols import Kind
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.completion.values import symbol_item
from engine.lsp.occurrences import template_of
from engine.parse import tree


def import_at(cursor: Cursor) -> tree.Import | None:
    """The import whose names belong at the cursor."""
    node = cursor.outer(tree.Import)
    if node is None or "{" not in cursor.analysis.text[node.start : cursor.start] or cursor.offset > node.path.start:
        return None
    return node if "}" not in cursor.analysis.text[node.start : cursor.start] else None


def exported(cursor: Cursor, node: tree.Import) -> Iterator[Item]:
    """What the file exports, less what is imported."""
    target = cursor.model.modules.get(id(node))
    if target is None:
        return
    given = {getattr(i.name, "text", "") for i in node.items if not i.start <= cursor.start <= i.end}
    for name, kind in exports.exported(target).items():
        if name not in given:
            yield Item(name, {Kind.TYPE: "type", Kind.FUNC: "function"}.get(kind, "variable"), str(kind), order=1)


def names_extension(cursor: Cursor) -> bool:
    """Whether the name of an extension belongs at the cursor."""
    return re.fullmatch(r"\s*(@.*\)\s*)?extension\s+", cursor.before) is not None


def extensions(cursor: Cursor) -> Iterator[Item]:
    """Those that Ulna has and those that are configured, less those that the file has already."""
    others = [s.spec for s in cursor.analysis.file.statements if isinstance(s, tree.Extension)]
    given = {spec.text for spec in others if isinstance(spec, tree.Name) and spec.start != cursor.start}
    for name in sorted({*BUILT_IN, *cursor.model.config.get("extensions", default={})} - given):
        yield Item(name, "namespace", order=1)


def assigns(cursor: Cursor) -> bool:
    """Whether the name of a parameter belongs at the cursor, in a parameter file."""
    return cursor.analysis.path.endswith(".bicepparam") and re.fullmatch(r"\s*param\s+", cursor.before) is not None


def assignable(cursor: Cursor) -> Iterator[Item]:
    """The parameters of the template that have no value yet."""
    used = template_of(cursor.model)
    own = cursor.statement()
    for symbol in used.of_kind(Kind.PARAM) if used else ():
        given = cursor.model.symbols.get(symbol.name)
        if used is not None and (given is None or given.declaration is own):
            yield symbol_item(used, symbol, order=1).replace(insert=f"{symbol.name} = ")
