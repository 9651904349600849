"""What can stand where a value belongs: symbols, functions, literals."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.check.assign import assignable
from engine.check.functions import lookup
from engine.check.functions.signature import Function, Trait
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import (
    ANY,
    BoolLiteral,
    BoolType,
    IntLiteral,
    ObjectType,
    RecursiveType,
    StringLiteral,
    Type,
    UnknownType,
    show,
)
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.describe import description, headline, overload_signature
from engine.lsp.expected import choices, key_of, knows, properties, wanted
from engine.lsp.occurrences import origin
from engine.lsp.words import function_word
from engine.parse import tree

_KINDS = {
    Kind.PARAM: "parameter",
    Kind.FUNC: "function",
    Kind.TYPE: "type",
    Kind.RESOURCE: "resource",
    Kind.MODULE: "module",
    Kind.NAMESPACE: "namespace",
    Kind.WILDCARD: "namespace",
    Kind.EXTENSION: "namespace",
}


def values(cursor: Cursor) -> Iterator[Item]:
    """All that can be written, what fits the type that is wanted first."""
    type = cursor.wanted()
    yield from literals(cursor.model, type)
    if isinstance(cursor.statement(), tree.TargetScope):
        return
    yield from _resources(cursor)
    for symbol in cursor.scope():
        if symbol.kind not in (Kind.TYPE, Kind.EXTENSION, Kind.UNKNOWN, Kind.ASSERT, Kind.TEST):
            yield symbol_item(cursor.model, symbol, order=_fits(cursor.model, symbol, type))
    params_file = cursor.analysis.path.endswith(".bicepparam")
    for namespace in ("sys", "az"):
        for name in lookup.names(namespace, params_file=params_file):
            function = lookup.find(namespace, name, params_file=params_file)
            if function is not None and not (Trait.DEFAULT_ONLY in function.traits and not _in_default(cursor)):
                yield function_item(function)
        yield Item(namespace, "namespace", f"namespace {namespace}", order=8)
    for word in ("true", "false", "null"):
        yield Item(word, "keyword", order=6)


def _resources(cursor: Cursor) -> Iterator[Item]:
    """The resources themselves where one is wanted, and their ids where it is one by its id."""
    model, nodes = cursor.model, cursor.nodes
    place = next((n for n in range(len(nodes) - 1, 0, -1) if isinstance(nodes[n], tree.Property)), None)
    property = nodes[place] if place is not None else None
    if place is None or not isinstance(property, tree.Property):
        return
    key = key_of(property.key)
    known = properties(model, wanted(model, nodes[:place])).get(key)
    of_id = known is not None and known.description.startswith("The id of ")
    if not of_id and key not in ("parent", "scope", "dependsOn"):
        return
    for symbol in cursor.scope():
        if symbol.kind is Kind.RESOURCE or (symbol.kind is Kind.MODULE and key == "dependsOn"):
            item = symbol_item(model, symbol, order=1)
            yield item.replace(label=f"{symbol.name}.id") if of_id else item


def _in_default(cursor: Cursor) -> bool:
    return isinstance(cursor.statement(), tree.Param)


def literals(model: Model, type: Type | None) -> Iterator[Item]:
    """The values that a type lists."""
    for member in choices(model, type):
        match member:
            case StringLiteral() | IntLiteral() | BoolLiteral():
                yield Item(show(member), "literal", order=0)
            case BoolType():
                yield Item("true", "literal", order=1)
                yield Item("false", "literal", order=1)
            case ObjectType():
                yield Item("{}", "snippet", show(member), insert="{\n  $0\n}", snippet=True, order=1)
            case _:
                pass


def _fits(model: Model, symbol: Symbol, type: Type | None) -> int:
    """How well a symbol fits: its place in the order."""
    local = symbol.kind in (Kind.LOOP_ITEM, Kind.LOOP_INDEX, Kind.LAMBDA_PARAMETER, Kind.FUNC_PARAMETER)
    found = model.type_of_symbol(symbol) or ANY
    if not knows(type) or not knows(found) or type is None or isinstance(found, UnknownType):
        return 2 if local else 3
    return 1 if assignable(found, type, _opened(model)) else 4


def _opened(model: Model) -> Callable[[RecursiveType], Type]:
    def opened(type: RecursiveType) -> Type:
        return next(iter(choices(model, type)), ANY)

    return opened


def symbol_item(model: Model, symbol: Symbol, order: int = 3) -> Item:
    """A symbol; a function with its parentheses."""
    kind = _KINDS.get(symbol.kind, "variable")
    _, itself = origin(model, symbol)
    insert = f"{symbol.name}($0)" if symbol.kind is Kind.FUNC else ""
    detail = headline(model, symbol)
    return Item(
        symbol.name, kind, detail if "\n" not in detail else "", description(itself), insert, bool(insert), order
    )


def function_item(function: Function) -> Item:
    """A built-in function with its parentheses."""
    word = function_word(function.name)
    detail = overload_signature(function.name, function.overloads[0], word)[0]
    insert = f"{function.name}($0)" if function.maximum != 0 else f"{function.name}()"
    return Item(function.name, "function", detail, word.text, insert, snippet=True, order=7)
