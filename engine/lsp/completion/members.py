"""What can follow a dot, or the two colons before a nested resource."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check import exports
from engine.check.functions import lookup
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import ResourceType, Type, members_of, show, without_null
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.completion.typenames import belongs_here
from engine.lsp.completion.values import function_item, symbol_item
from engine.lsp.expected import properties
from engine.parse import tree

_PLAIN = r"[A-Za-z_][A-Za-z0-9_]*"


def follows_dot(cursor: Cursor) -> bool:
    """Whether a member belongs at the cursor."""
    return re.search(r"[\w)\]!}']\.\??$", cursor.before) is not None and not cursor.before_bare.endswith("...")


def follows_colons(cursor: Cursor) -> bool:
    """Whether a nested resource belongs at the cursor."""
    return cursor.before.endswith("::")


def members(cursor: Cursor) -> Iterator[Item]:
    """The properties of what stands before the dot; of a namespace its functions, of an import what it exports."""
    node = next((n for n in reversed(cursor.nodes) if isinstance(n, tree.Member | tree.MethodCall)), None)
    if node is None:
        return
    model = cursor.model
    symbol = model.symbol(node.base)
    if symbol is not None and symbol.kind is Kind.NAMESPACE and symbol.declaration is None:
        params_file = cursor.analysis.path.endswith(".bicepparam")
        for name in lookup.names(symbol.name, params_file=params_file):
            function = lookup.find(symbol.name, name, params_file=params_file)
            if function is not None:
                yield function_item(function)
        return
    if symbol is not None and symbol.kind is Kind.WILDCARD:
        in_type = belongs_here(cursor)
        for name in exports.names(model, symbol):
            through = exports.through(model, symbol, name)
            if through is not None and (through.kind is Kind.TYPE) == in_type:
                yield symbol_item(model, through, order=2)
        return
    type = model.type_of(node.base)
    if symbol is not None and symbol.kind is Kind.TYPE:
        type = model.type_of_symbol(symbol) or type
    for name, property in properties(model, type).items():
        if property.writeonly:
            continue
        if re.fullmatch(_PLAIN, name) is None:
            continue
        yield Item(name, "property", show(without_null(property.type)), property.description, order=2)
    yield from _methods(model, type, symbol)


def _methods(model: Model, type: Type, symbol: Symbol | None) -> Iterator[Item]:
    """What a resource can be asked for: its secrets and keys."""
    for member in members_of(type):
        if isinstance(member, ResourceType) and not member.module:
            name = model.resource_types.get(member.symbol)
            if name is not None and name.type.lower() == "microsoft.keyvault/vaults":
                yield Item("getSecret", "function", "getSecret(name, version?)", insert="getSecret('$1')", snippet=True)
            elif name is not None and name.namespace.lower().startswith("microsoft."):
                yield Item("listKeys", "function", "listKeys()", insert="listKeys()", order=6)


def nested(cursor: Cursor) -> Iterator[Item]:
    """The resources that are nested in the one before the colons."""
    node = next((n for n in reversed(cursor.nodes) if isinstance(n, tree.NestedMember)), None)
    base = node.base if node is not None else None
    while isinstance(base, tree.Index | tree.NonNull):
        base = base.base
    symbol = cursor.model.symbol(base) if base is not None else None
    if symbol is not None:
        for inner in cursor.model.nested.get(id(symbol.declaration), {}).values():
            yield symbol_item(cursor.model, inner, order=1)
