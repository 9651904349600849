"""The tree of a Bicep file: one record a construct, each with the offsets it spans.

A node's `start` and `end` are offsets into `File.source.text`; line and column come from the source on demand.
Comments are listed in the file; other trivia is the gap between nodes. Unions are closed: `match` on them, and
mypy says which kind was forgotten. A child that could not be read is a `Broken`, never missing and never None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from engine.diagnostics.source import Source, Span
from engine.record import Record


class Node(Record):
    """Anything with a place in the text."""

    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)


class Broken(Node):
    """Text that could not be read; its diagnostic has been given. Later stages skip it in silence."""


class Identifier(Node):
    """A name where a name is declared or a member is named; `text` is "" if it was missing."""

    text: str


# ---------------------------------------------------------------- expressions


class Text(Node):
    """A string: `parts` are its cooked literal pieces, one more than `holes`."""

    parts: tuple[str, ...]
    holes: tuple[Expression, ...] = ()
    multiline: bool = False

    @property
    def literal(self) -> str | None:
        """Its value if it has no holes."""
        return self.parts[0] if not self.holes else None


class Integer(Node):
    """A whole number; 0 to 2**64-1 as written (the minus is a `Unary`)."""

    value: int


class Boolean(Node):
    """`true` or `false`."""

    value: bool


class Null(Node):
    """`null`."""


class Name(Node):
    """A reference to a symbol: `foo`."""

    text: str


class Array(Node):
    """`[a, ...b]`"""

    items: tuple[Expression | Spread, ...]


class Object(Node):
    """`{ k: v, ...s }`; inside a resource body nested `resource` declarations are members too."""

    members: tuple[Property | Spread | Resource | Broken, ...]


class Property(Node):
    """`key: value` of an object; a key is a name or a string, possibly with holes."""

    key: Identifier | Text
    value: Expression


class Spread(Node):
    """`...value`"""

    value: Expression


class Unary(Node):
    """`!x` or `-x`"""

    operator: str
    operand: Expression


class Binary(Node):
    """`a + b` and the like; `operator_start` is where the operator stands."""

    operator: str
    left: Expression
    right: Expression
    operator_start: int


class Ternary(Node):
    """`condition ? then : otherwise`"""

    condition: Expression
    then: Expression
    otherwise: Expression


class Parenthesized(Node):
    """`(inner)`"""

    inner: Expression


class Member(Node):
    """`base.name`, `base.?name` (safe)"""

    base: Expression
    name: Identifier
    safe: bool = False


class Index(Node):
    """`base[index]`, `base[?index]` (safe), `base[^index]` (from the end)"""

    base: Expression
    index: Expression
    safe: bool = False
    from_end: bool = False


class NestedMember(Node):
    """`parent::child`"""

    base: Expression
    name: Identifier


class NonNull(Node):
    """`base!`; in types too."""

    base: Expression


class Call(Node):
    """`name(arguments)`"""

    name: Identifier
    arguments: tuple[Expression, ...]


class MethodCall(Node):
    """`base.name(arguments)`: a namespace's function, an imported one, or a resource's method."""

    base: Expression
    name: Identifier
    arguments: tuple[Expression, ...]
    safe: bool = False


class Lambda(Node):
    """`x => body`, `(a, b) => body`"""

    parameters: tuple[Identifier, ...]
    body: Expression


class For(Node):
    """`[for item in array: body]`, `[for (item, index) in array: body]`; `body` may be an `If` for resources."""

    item: Identifier
    index: Identifier | None
    array: Expression
    body: Expression


class If(Node):
    """`if (condition) body`: the value of a resource or module, or the body of a loop of them."""

    condition: Expression
    body: Expression


# ---------------------------------------------------------------- types


class Nullable(Node):
    """`T?`"""

    base: Expression


class ArrayType(Node):
    """`T[]`"""

    item: Expression


class TupleType(Node):
    """`[ T, U ]`"""

    items: tuple[TupleItem | Broken, ...]


class TupleItem(Node):
    """One place of a tuple type."""

    decorators: tuple[Decorator, ...]
    type: Expression


class ObjectType(Node):
    """`{ name: T, *: U }`"""

    members: tuple[TypeProperty | Broken, ...]


class TypeProperty(Node):
    """`name: T` in an object type; `key` is None for `*:`."""

    decorators: tuple[Decorator, ...]
    key: Identifier | Text | None
    type: Expression


class Union(Node):
    """`A | B`"""

    members: tuple[Expression, ...]


class ItemsAccess(Node):
    """`T[*]`: what an array type holds."""

    base: Expression


class RestAccess(Node):
    """`T.*`: what an object type's additional properties are."""

    base: Expression


class Parameterized(Node):
    """`resourceInput<'T@v'>`, or `sys.name<…>` with `base` the qualifier."""

    name: Identifier
    arguments: tuple[Expression, ...]
    base: Expression | None = None


Expression = (
    Text
    | Integer
    | Boolean
    | Null
    | Name
    | Array
    | Object
    | Unary
    | Binary
    | Ternary
    | Parenthesized
    | Member
    | Index
    | NestedMember
    | NonNull
    | Call
    | MethodCall
    | Lambda
    | For
    | If
    | Nullable
    | ArrayType
    | TupleType
    | ObjectType
    | Union
    | ItemsAccess
    | RestAccess
    | Parameterized
    | Broken
)
"""Values and types share one union: a literal, a name, an access or an index can be either. Where only a type may
stand the parser builds `Nullable` … `Parameterized`; where only a value may, the others."""


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


N = TypeVar("N", bound=Node)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below, in the order of their fields (which is the order of the text)."""
    for field in node.__fields__:
        value = getattr(node, field)
        if isinstance(value, Node):
            yield value
        elif type(value) is tuple:
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first; iterative, so depth costs no stack."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(list(children(top))))


def find(node: Node, kind: type[N]) -> Iterator[N]:
    """All nodes of a kind at or below `node`."""
    return (n for n in walk(node) if isinstance(n, kind))
