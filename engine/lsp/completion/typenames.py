"""The names of types, where a type belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check.symbols import Kind
from engine.check.types import AMBIENT
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.describe import description, headline
from engine.lsp.words import TYPES
from engine.parse import tree

_FUNC = r"\s*func\s+\w+\s*\((.*,)?\s*\w+\s+|\s*func\s+\w+\s*\([^()]*\)\s+"
_DECLARING = r"\s*(@[\w.]+\(.*\)\s*)*(param|output)\s+\w+\s+|\s*(@[\w.]+\(.*\)\s*)*type\s+\w+\s*=\s*(.*\|\s*)?"


def belongs_here(cursor: Cursor) -> bool:
    """Whether a type belongs at the cursor."""
    if cursor.analysis.path.endswith(".bicepparam") and cursor.before_bare.lstrip().startswith("param"):
        return False
    if re.fullmatch(_DECLARING, cursor.before) or re.fullmatch(_FUNC, cursor.before):
        return True
    for outer, inner in zip(cursor.nodes, cursor.nodes[1:], strict=False):
        match outer:
            case tree.Param(type=type) | tree.Output(type=type) | tree.Var(type=type) if type is inner:
                return True
            case tree.FuncParameter(type=type) | tree.TupleItem(type=type) if type is inner:
                return True
            case tree.TypeProperty(type=type) if type is inner:
                return True
            case tree.TypeDeclaration(value=value) if value is inner:
                return not isinstance(cursor.nodes[-1], tree.ObjectType)
            case tree.Func(returns=returns) if returns is inner:
                return True
            case _:
                pass
    return False


def typenames(cursor: Cursor) -> Iterator[Item]:
    """The types of the language, and those of the file."""
    for name in AMBIENT:
        yield Item(name, "type", text=TYPES[name].text, order=3)
    for symbol in cursor.model.symbols.values():
        if symbol.kind is Kind.TYPE:
            yield Item(symbol.name, "type", headline(cursor.model, symbol), description(symbol), order=2)
        elif symbol.kind is Kind.WILDCARD:
            yield Item(symbol.name, "namespace", headline(cursor.model, symbol), order=4)
    for name, text in (
        ("resourceInput", "What is written of a resource type"),
        ("resourceOutput", "What is read of one"),
    ):
        yield Item(name, "type", text, insert=f"{name}<'$1'>", snippet=True, order=7)
