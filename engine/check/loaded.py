"""The type of what a call reads from a JSON file while the program is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.check.types import (
    ANY,
    ARRAY,
    BOOL,
    INT,
    NULL,
    STRING,
    ArrayType,
    ObjectType,
    PropertyType,
    StringLiteral,
    Type,
    union,
)
from engine.diagnostics.source import Source
from engine.parse import tree
from engine.sources.port import Unreadable
from engine.sources.text import read_text

if TYPE_CHECKING:
    from engine.check.infer import Infer

_MOST = 200_000
"""Characters; of larger files nothing is said."""


def loaded(infer: Infer, node: tree.Call | tree.MethodCall) -> Type:
    """The type of `loadJsonContent('path')`; `any` where a part is picked, or nothing is known."""
    from engine.sources.jsonc import Malformed, load  # only who loads JSON pays for it

    sources = infer.model.sources
    path = infer.type(node.arguments[0]) if len(node.arguments) == 1 else ANY
    if sources is None or not isinstance(path, StringLiteral):
        return ANY
    try:
        where = sources.resolve(infer.model.path, path.value)
        text = read_text(sources, where)
        return _of(load(Source(where, text))) if len(text) <= _MOST else ANY
    except (Unreadable, Malformed, RecursionError):
        return ANY


def _of(value: Any) -> Type:
    match value:
        case dict():
            return ObjectType({k: PropertyType(_of(v), True) for k, v in value.items()})
        case []:
            return ARRAY
        case list():
            return ArrayType(union(*map(_of, value)))
        case bool():
            return BOOL
        case str():
            return STRING
        case int():
            return INT
        case None:
            return NULL
        case _:
            return ANY
