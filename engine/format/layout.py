"""Which function lays out which construct; the table is filled once, when the first file is formatted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.format.cursor import Cursor
from engine.format.document import Document
from engine.parse import tree

_TABLE: dict[type[tree.Node], Callable[[Cursor, Any], Document]] = {}


def layout(cursor: Cursor, node: tree.Node) -> Document:
    """The document of a node, whose first token is the next one."""
    return _TABLE[type(node)](cursor, node)


def fill() -> dict[type[tree.Node], Callable[[Cursor, Any], Document]]:
    """The table of all constructs."""
    from engine.format import accesses, statements, types, values

    if not _TABLE:
        _TABLE.update({
            tree.Broken: values.broken,
            tree.Identifier: values.token,
            tree.Name: values.token,
            tree.Integer: values.token,
            tree.Boolean: values.token,
            tree.Null: values.token,
            tree.Text: values.text,
            tree.Array: values.array,
            tree.Object: values.object_value,
            tree.Property: values.object_property,
            tree.Spread: values.spread,
            tree.Unary: values.unary,
            tree.Binary: values.binary,
            tree.Ternary: values.ternary,
            tree.Lambda: values.function,
            tree.For: values.loop,
            tree.If: values.condition,
            tree.Parenthesized: types.parenthesized,
            tree.Member: accesses.member,
            tree.NestedMember: accesses.nested,
            tree.Index: accesses.index,
            tree.NonNull: accesses.suffixed,
            tree.Nullable: accesses.suffixed,
            tree.Call: accesses.call,
            tree.MethodCall: accesses.method,
            tree.Union: types.union,
            tree.ArrayType: types.array,
            tree.ItemsAccess: types.items,
            tree.RestAccess: types.rest,
            tree.Parameterized: types.parameterized,
            tree.TupleType: types.tuple_type,
            tree.TupleItem: types.tuple_item,
            tree.ObjectType: types.object_type,
            tree.TypeProperty: types.type_property,
            tree.TargetScope: statements.target_scope,
            tree.Metadata: statements.named,
            tree.Assert: statements.named,
            tree.Param: statements.parameter,
            tree.ResourceParam: statements.resource_parameter,
            tree.Var: statements.variable,
            tree.Resource: statements.resource,
            tree.Module: statements.module,
            tree.Test: statements.module,
            tree.Output: statements.output,
            tree.TypeDeclaration: statements.type_declaration,
            tree.Func: statements.function,
            tree.FuncParameter: statements.function_parameter,
            tree.Import: statements.import_,
            tree.ImportItem: statements.import_item,
            tree.Extension: statements.extension,
            tree.Using: statements.using,
            tree.Extends: statements.extends,
            tree.ExtensionConfig: statements.configuration,
        })  # fmt: skip
    return _TABLE
