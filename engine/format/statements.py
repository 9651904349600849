"""The layout of statements: their words with one blank between, their decorators above them."""

from __future__ import annotations

from engine.format.brackets import enclosed, parameters
from engine.format.cursor import Cursor
from engine.format.document import SPACE, Doc, Document
from engine.format.layout import layout
from engine.format.types import after, decorators
from engine.format.values import below, body
from engine.parse import tree


def _words(cursor: Cursor, count: int) -> list[Document]:
    """Some tokens, a blank between them."""
    parts: list[Document] = [cursor.take()]
    for _ in range(count - 1):
        parts += [" ", cursor.take()]
    return parts


def target_scope(cursor: Cursor, node: tree.TargetScope) -> Document:
    """`targetScope = 'subscription'`"""
    return Doc(*_words(cursor, 2), " ", layout(cursor, node.value))


def named(cursor: Cursor, node: tree.Metadata | tree.Assert) -> Document:
    """`metadata name = value`"""
    return Doc(*_words(cursor, 3), " ", layout(cursor, node.value))


def parameter(cursor: Cursor, node: tree.Param) -> Document:
    """`param name type = default`"""
    head = _words(cursor, 2)
    kind = after(cursor, node.type) if node.type is not None else ""
    return Doc(*head, kind, *_value(cursor, node.value))


def _value(cursor: Cursor, node: tree.Expression | None) -> list[Document]:
    """` = value`, if there is one."""
    if node is None:
        return []
    assign = cursor.take()
    if not cursor.commented:
        return [" ", assign, " ", layout(cursor, node)]
    return [" ", assign, below(cursor, node)]


def resource_parameter(cursor: Cursor, node: tree.ResourceParam) -> Document:
    """`param name resource 'T@v'`"""
    return Doc(*_words(cursor, 3), " ", layout(cursor, node.type))


def variable(cursor: Cursor, node: tree.Var) -> Document:
    """`var name type = value`"""
    head = _words(cursor, 2)
    kind = after(cursor, node.type) if node.type is not None else ""
    return Doc(*head, kind, *_value(cursor, node.value))


def resource(cursor: Cursor, node: tree.Resource) -> Document:
    """`resource name 'T@v' existing = { … }`"""
    above = decorators(cursor, node.decorators)
    head = [*_words(cursor, 2), " ", layout(cursor, node.type)]
    if node.existing:
        head += [" ", cursor.take()]
    return Doc(*above, *head, *_value(cursor, node.value))


def module(cursor: Cursor, node: tree.Module | tree.Test) -> Document:
    """`module name 'path' = { … }`"""
    return Doc(*_words(cursor, 2), " ", layout(cursor, node.path), *_value(cursor, node.value))


def output(cursor: Cursor, node: tree.Output) -> Document:
    """`output name type = value`; the type of a resource is written `resource 'T@v'`."""
    head = _words(cursor, 2)
    if isinstance(node.type, tree.Parameterized) and not cursor.follows("<"):
        head += [" ", cursor.take(), " ", layout(cursor, node.type.arguments[0])]
    else:
        head.append(after(cursor, node.type))
    return Doc(*head, *_value(cursor, node.value))


def type_declaration(cursor: Cursor, node: tree.TypeDeclaration) -> Document:
    """`type name = T`"""
    return Doc(*_words(cursor, 3), after(cursor, node.value))


def function(cursor: Cursor, node: tree.Func) -> Document:
    """`func name(a A) B => body`"""
    head = Doc(*_words(cursor, 2), parameters(cursor, node.parameters, layout))
    return Doc(head, after(cursor, node.returns), " ", cursor.take(), body(cursor, node.body))


def function_parameter(cursor: Cursor, node: tree.FuncParameter) -> Document:
    """`name T`"""
    return Doc(cursor.take(), after(cursor, node.type))


def import_(cursor: Cursor, node: tree.Import) -> Document:
    """`import { a, b as c } from 'path'`, `import * as name from 'path'`"""
    head: list[Document] = [cursor.take(), " "]
    if node.wildcard is not None:
        head += [*_words(cursor, 3)]
    else:
        head.append(enclosed(cursor, node.items, layout, SPACE))
    return Doc(*head, " ", cursor.take(), " ", layout(cursor, node.path))


def import_item(cursor: Cursor, node: tree.ImportItem) -> Document:
    """`a`, `a as b`"""
    name = layout(cursor, node.name)
    return Doc(name, " ", *_words(cursor, 2)) if node.alias is not None else name


def extension(cursor: Cursor, node: tree.Extension) -> Document:
    """`extension spec with { … } as alias`; where there is no `with`, its blanks stay."""
    parts = [cursor.take(), " ", layout(cursor, node.spec), " "]
    if node.config is not None:
        parts += [cursor.take(), " ", layout(cursor, node.config)]
    if node.alias is not None:
        parts += [" ", *_words(cursor, 2)]
    elif node.config is None:
        parts.pop()
    return Doc(*parts)


def using(cursor: Cursor, node: tree.Using) -> Document:
    """`using 'path' with { … }`, `using none`"""
    head = [cursor.take(), " ", cursor.take() if node.path is None else layout(cursor, node.path)]
    return Doc(*head, *_with(cursor, node.config))


def extends(cursor: Cursor, node: tree.Extends) -> Document:
    """`extends 'path'`"""
    return Doc(cursor.take(), " ", layout(cursor, node.path))


def configuration(cursor: Cursor, node: tree.ExtensionConfig) -> Document:
    """`extensionConfig alias with { … }`"""
    head = _words(cursor, 2)
    return Doc(*head, *_with(cursor, node.config))


def _with(cursor: Cursor, node: tree.Expression | None) -> list[Document]:
    """` with { … }`, if there is one."""
    return [" ", cursor.take(), " ", layout(cursor, node)] if node is not None else []
