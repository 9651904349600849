"""What is declared in a file, as a tree."""

from __future__ import annotations

from engine.check.types import ResourceType, UnknownType, show
from engine.diagnostics.source import Span
from engine.lsp.analysis import Analysis
from engine.parse import tree
from engine.record import Record


class Entry(Record):
    """One declared thing: its name, a word for its kind, where all of it stands and where its name does."""

    name: str
    kind: str
    detail: str
    span: Span
    place: Span
    inner: tuple[Entry, ...] = ()


_KINDS: dict[type[tree.Node], str] = {
    tree.Param: "parameter",
    tree.ResourceParam: "parameter",
    tree.Var: "variable",
    tree.Resource: "resource",
    tree.Module: "module",
    tree.Output: "output",
    tree.TypeDeclaration: "type",
    tree.Func: "function",
    tree.Metadata: "metadata",
    tree.Assert: "assertion",
    tree.Test: "test",
}


def outline(analysis: Analysis) -> list[Entry]:
    """The declarations of the file, with the resources nested in a resource and the properties of a type below it."""
    return [e for statement in analysis.file.statements if (e := _entry(analysis, statement)) is not None]


def _entry(analysis: Analysis, node: tree.Node) -> Entry | None:
    kind = _KINDS.get(type(node))
    name = getattr(node, "name", None)
    if kind is None or not isinstance(name, tree.Identifier) or not name.text:
        return None
    inner: list[Entry | None] = []
    if isinstance(node, tree.Resource):
        inner = [_entry(analysis, member) for member in _members(node.value)]
    elif isinstance(node, tree.TypeDeclaration) and isinstance(node.value, tree.ObjectType):
        inner = [_property(m) for m in node.value.members]
    return Entry(name.text, kind, _detail(analysis, node), node.span, name.span, tuple(e for e in inner if e))


def _members(value: tree.Node) -> tuple[tree.Node, ...]:
    while isinstance(value, tree.For | tree.If):
        value = value.body
    return tuple(m for m in value.members if isinstance(m, tree.Resource)) if isinstance(value, tree.Object) else ()


def _property(node: tree.Node) -> Entry | None:
    if not isinstance(node, tree.TypeProperty) or not isinstance(node.key, tree.Identifier):
        return None
    return Entry(node.key.text, "property", "", node.span, node.key.span)


def _detail(analysis: Analysis, node: tree.Node) -> str:
    match node:
        case tree.Resource(type=tree.Text(parts=(text,))) | tree.Module(path=tree.Text(parts=(text,))):
            return text
        case tree.Output(type=written):
            return " ".join(analysis.text[written.start : written.end].split())
        case tree.Param(name=name) | tree.Var(name=name):
            symbol = analysis.model.symbols.get(name.text)
            type = analysis.model.type_of_symbol(symbol) if symbol else None
            return show(type) if type is not None and not isinstance(type, UnknownType | ResourceType) else ""
        case _:
            return ""
