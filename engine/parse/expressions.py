"""The nodes of values and types. Whoever reads a tree imports them from `engine.parse.tree`, as all the others."""

from __future__ import annotations

from engine.diagnostics.source import Span
from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.parse.tree import Decorator, Resource


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
