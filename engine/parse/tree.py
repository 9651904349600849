"""The tree of a Bicep file: one record a construct, each with the offsets it spans.

A node's `start` and `end` are offsets into `File.source.text`; line and column come from the source on demand.
Comments are listed in the file; other trivia is the gap between nodes. Unions are closed: `match` on them, and
mypy says which kind was forgotten. A child that could not be read is a `Broken`, never missing and never None.
"""

from __future__ import annotations

from engine.diagnostics.source import Source, Span
from engine.parse.expressions import (
    Array,
    ArrayType,
    Binary,
    Boolean,
    Broken,
    Call,
    Expression,
    For,
    Identifier,
    If,
    Index,
    Integer,
    ItemsAccess,
    Lambda,
    Member,
    MethodCall,
    Name,
    NestedMember,
    Node,
    NonNull,
    Null,
    Nullable,
    Object,
    ObjectType,
    Parameterized,
    Parenthesized,
    Property,
    RestAccess,
    Spread,
    Ternary,
    Text,
    TupleItem,
    TupleType,
    TypeProperty,
    Unary,
    Union,
)

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    N = TypeVar("N", bound=Node)

__all__ = [  # the nodes of values and types, handed on
    "Array", "ArrayType", "Binary", "Boolean", "Broken", "Call", "Expression", "For", "Identifier", "If",
    "Index", "Integer", "ItemsAccess", "Lambda", "Member", "MethodCall", "Name", "NestedMember", "Node",
    "NonNull", "Null", "Nullable", "Object", "ObjectType", "Parameterized", "Parenthesized", "Property",
    "RestAccess", "Spread", "Ternary", "Text", "TupleItem", "TupleType", "TypeProperty", "Unary", "Union",
]  # fmt: skip


# ---------------------------------------------------------------- statements


class Decorator(Node):
    """`@name(arguments)`: the expression after the at sign, a `Call` or a `MethodCall` (`@sys.name()`)."""

    expression: Expression


class Statement(Node):
    """Something at the top level. `start` is where its decorators start; `keyword` spans its first word."""

    decorators: tuple[Decorator, ...]
    keyword: Span


class TargetScope(Statement):
    """`targetScope = 'subscription'`"""

    value: Expression


class Metadata(Statement):
    """`metadata name = value`"""

    name: Identifier
    value: Expression


class Param(Statement):
    """`param name type = default`; in a `.bicepparam` file `param name = value`, with `type` None."""

    name: Identifier
    type: Expression | None
    value: Expression | None


class ResourceParam(Statement):
    """`param name resource 'T@v'`"""

    name: Identifier
    type: Expression


class Var(Statement):
    """`var name type = value`; `type` is optional."""

    name: Identifier
    type: Expression | None
    value: Expression


class Resource(Statement):
    """`resource name 'T@v' existing = value`; `value` is an Object, If, For or Broken."""

    name: Identifier
    type: Expression
    existing: bool
    value: Expression


class Module(Statement):
    """`module name 'path' = value`; `value` as a resource's."""

    name: Identifier
    path: Expression
    value: Expression


class Output(Statement):
    """`output name type = value`"""

    name: Identifier
    type: Expression
    value: Expression


class TypeDeclaration(Statement):
    """`type name = T`"""

    name: Identifier
    value: Expression


class Func(Statement):
    """`func name(arg T) R => body`"""

    name: Identifier
    parameters: tuple[FuncParameter, ...]
    returns: Expression
    body: Expression


class FuncParameter(Node):
    """`name T` in a function's head."""

    name: Identifier
    type: Expression


class Import(Statement):
    """`import { a as b } from 'path'` (`items`), or `import * as name from 'path'` (`wildcard`)."""

    items: tuple[ImportItem, ...]
    wildcard: Identifier | None
    path: Expression


class ImportItem(Node):
    """`name`, `name as alias`, `'odd-name' as alias`"""

    name: Identifier | Text
    alias: Identifier | None


class Extension(Statement):
    """`extension spec with {…} as alias`; `spec` is a Name or a Text."""

    spec: Expression
    config: Expression | None
    alias: Identifier | None


class Assert(Statement):
    """`assert name = condition`"""

    name: Identifier
    value: Expression


class Test(Statement):
    """`test name 'path' = { params: {…} }`"""

    name: Identifier
    path: Expression
    value: Expression


class Using(Statement):
    """`using 'path' with {…}`; `path` is None for `using none`."""

    path: Expression | None
    config: Expression | None


class Extends(Statement):
    """`extends 'path'`"""

    path: Expression


class ExtensionConfig(Statement):
    """`extensionConfig alias with {…}`"""

    alias: Identifier
    config: Expression | None


class BrokenStatement(Statement):
    """A statement that could not be read, with what was skipped; `keyword` is empty if it had none."""


class File(Node):
    """A whole file. `comments` and `pragmas` are in order; `pragmas` are `#disable-…` and `#restore-…` lines."""

    source: Source
    statements: tuple[Statement, ...]
    comments: tuple[Span, ...]
    pragmas: tuple[Pragma, ...]


class Pragma(Node):
    """`#disable-next-line CODE…` and its kin: `kind` is the word after the number sign."""

    kind: str
    codes: tuple[Identifier, ...]


def children(node: Node) -> list[Node]:
    """The nodes directly below, in the order of their fields (which is the order of the text)."""
    found: list[Node] = []
    for field in _FIELDS.get(type(node)) or _fields(type(node)):
        value = getattr(node, field)
        if type(value) is tuple:
            found += [item for item in value if isinstance(item, Node)]
        elif isinstance(value, Node):
            found.append(value)
    return found


_PLAIN = frozenset(
    {
        *("start", "end", "text", "parts", "operator", "operator_start", "safe", "multiline", "from_end"),
        *("keyword", "existing", "source", "comments"),
    }
)
"""Fields that hold no nodes."""

_BACKWARDS: dict[type[Node], tuple[str, ...]] = {}
_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def _fields(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes."""
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(f for f in kind.__fields__ if f not in _PLAIN)
    return fields


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first; iterative, so depth costs no stack."""
    stack = [node]
    known = _BACKWARDS
    while stack:
        top = stack.pop()
        yield top
        kind = type(top)
        fields = known.get(kind)
        if fields is None:
            fields = known[kind] = _fields(kind)[::-1]
        for field in fields:
            value = getattr(top, field)
            if type(value) is tuple:
                stack += [item for item in value[::-1] if isinstance(item, Node)]
            elif isinstance(value, Node):
                stack.append(value)


def by_kind(nodes: Iterable[Node]) -> dict[type[Node], list[Node]]:
    """All nodes at or below some, by their kind, in the order of a walk."""
    found: dict[type[Node], list[Node]] = {}
    for node in nodes:
        for each in walk(node):
            same = found.get(type(each))
            if same is None:
                found[type(each)] = [each]
            else:
                same.append(each)
    return found


def find(node: Node, kind: type[N]) -> Iterator[N]:
    """All nodes of a kind at or below `node`."""
    return (n for n in walk(node) if isinstance(n, kind))
