"""The types of values: loose where nothing is known (`any`), exact where the program says so."""

from __future__ import annotations

from collections.abc import Mapping

from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.symbols import Symbol


class Type(Record):
    """What a value can be."""


class AnyType(Type):
    """Not known, or deliberately anything: goes everywhere, accepts everything."""


class UnknownType(Type):
    """What an expression with a mistake in it is; whatever touches it stays silent, for the mistake was reported."""


class NeverType(Type):
    """No value at all: what `fail()` returns."""


class NullType(Type):
    """`null`"""


class StringType(Type):
    """Any text, within a length."""

    minimum: int | None = None
    maximum: int | None = None
    secure: bool = False
    loose: bool = False
    """Of a parameter: what the caller gives may well be one of the literals wanted."""
    pattern: str | None = None
    """What it must match somewhere, as type data say it."""


class IntType(Type):
    """Any whole number, within a range."""

    minimum: int | None = None
    maximum: int | None = None
    loose: bool = False


class BoolType(Type):
    """`true` or `false`"""


class StringLiteral(Type):
    """One text."""

    value: str


class IntLiteral(Type):
    """One number."""

    value: int


class BoolLiteral(Type):
    """One of `true` and `false`."""

    value: bool


class ArrayType(Type):
    """Many of one type. Of `lenient` ones, which come from type data, an item of another type is a warning."""

    item: Type
    minimum: int | None = None
    maximum: int | None = None
    lenient: bool = False


class TupleType(Type):
    """An array of which every place is known."""

    items: tuple[Type, ...]


class PropertyType(Record):
    """One property of an object. The rest are of type data alone:

    `system` ones are what every resource has, and no data can be wrong about; `fallback` ones are not in the data of the
    type, but might be right; `constant` ones must be known before anything is deployed; `identifier` ones are what a
    resource is known by; `texts` are the usual ones, where any text is allowed.
    """

    type: Type
    required: bool = False
    readonly: bool = False
    writeonly: bool = False
    description: str = ""
    system: bool = False
    fallback: bool = False
    constant: bool = False
    identifier: bool = False
    texts: tuple[str, ...] = ()


class ObjectType(Type):
    """Properties by name. `additional` is the type of all others: None where there may be no others.

    `lenient` types come from a schema of a resource type, not from the program: a mismatch is a warning.
    Of `soft` ones only a property too many is: a declared type without `@sealed()`.
    `open` ones accept other properties with no more than a word about it.
    `keys` names the part of the same body that has the keys of these objects, where there is one.
    """

    properties: Mapping[str, PropertyType]
    additional: Type | None = None
    name: str = "object"
    lenient: bool = False
    soft: bool = False
    secure: bool = False
    keys: str = ""

    def __hash__(self) -> int:
        return id(self)


class DiscriminatedType(Type):
    """Objects told apart by the text of one property."""

    key: str
    members: Mapping[str, ObjectType]
    name: str = "object"
    lenient: bool = False

    def __hash__(self) -> int:
        return id(self)


class UnionType(Type):
    """One of several; made by `union`, which flattens and drops doubles."""

    members: tuple[Type, ...]


class LambdaType(Type):
    """A function value of `minimum` to `len(parameters)` parameters."""

    parameters: tuple[Type, ...]
    minimum: int
    returns: Type


class ResourceType(Type):
    """A resource or module, by its symbol; `body` is what its properties are. Collections are arrays of it."""

    symbol: Symbol
    body: Type
    module: bool = False

    def __hash__(self) -> int:
        return id(self.symbol)


class NamespaceType(Type):
    """`sys`, `az`, an extension or what `import * as` names."""

    symbol: Symbol


class RecursiveType(Type):
    """A declared type that is inside its own declaration; `target` gives it when asked."""

    symbol: Symbol


ANY = AnyType()
UNKNOWN = UnknownType()
NEVER = NeverType()
NULL = NullType()
STRING = StringType()
SECURE_STRING = StringType(secure=True)
INT = IntType()
BOOL = BoolType()
TRUE = BoolLiteral(True)
FALSE = BoolLiteral(False)
ARRAY = ArrayType(ANY)
OBJECT = ObjectType({}, additional=ANY)
SECURE_OBJECT = ObjectType({}, additional=ANY, secure=True)

AMBIENT: Mapping[str, Type] = {
    "any": ANY,
    "array": ARRAY,
    "bool": BOOL,
    "int": INT,
    "object": OBJECT,
    "string": STRING,
}
"""The types every file knows by name."""


def union(*types: Type) -> Type:
    """One of the given types; a single one is itself, and `any` swallows all."""
    members: dict[Type, None] = {}
    for type in types:
        for member in type.members if isinstance(type, UnionType) else (type,):
            if isinstance(member, AnyType | UnknownType):
                return member
            if not isinstance(member, NeverType):
                members[member] = None
    if TRUE in members and FALSE in members:
        members = dict.fromkeys(BOOL if m in (TRUE, FALSE) else m for m in members)
    for whole, literal in ((StringType, StringLiteral), (IntType, IntLiteral), (BoolType, BoolLiteral)):
        if any(isinstance(m, whole) for m in members):
            members = dict.fromkeys(m for m in members if not isinstance(m, literal))
    if not members:
        return NEVER
    return next(iter(members)) if len(members) == 1 else UnionType(tuple(members))


def members_of(type: Type) -> tuple[Type, ...]:
    """The members of a union; any other type is its own only member."""
    return type.members if isinstance(type, UnionType) else (type,)


def is_nullable(type: Type) -> bool:
    """Whether `null` is certainly among the values, beside others."""
    return isinstance(type, UnionType) and NULL in type.members


def without_null(type: Type) -> Type:
    """The type less `null`."""
    return union(*(m for m in type.members if m != NULL)) if isinstance(type, UnionType) else type


def widen(type: Type) -> Type:
    """What a literal is one of: `'a'` is a string."""
    match type:
        case StringLiteral():
            return STRING
        case IntLiteral():
            return INT
        case BoolLiteral():
            return BOOL
        case UnionType(members=members):
            return union(*map(widen, members))
        case _:
            return type


BOUNDS = frozenset({"minLength", "maxLength", "minValue", "maxValue"})
"""What sets a bound, as a decorator or in a template."""


def bounded(type: Type, bounds: Mapping[str, int]) -> Type:
    """A type within the bounds that are set to its length or its value."""
    if not bounds:
        return type
    if isinstance(type, UnionType) and is_nullable(type):
        return union(*(bounded(m, bounds) for m in type.members))
    if not isinstance(type, IntType | StringType | ArrayType):
        return type
    what = "Value" if isinstance(type, IntType) else "Length"
    low, high = bounds.get(f"min{what}", type.minimum), bounds.get(f"max{what}", type.maximum)
    return type.replace(minimum=low, maximum=high)


def show(type: Type, inside: bool = False) -> str:
    """The type as a person would write it."""
    match type:
        case AnyType() | UnknownType():
            return "any"
        case NeverType():
            return "never"
        case NullType():
            return "null"
        case StringType():
            return "string"
        case IntType():
            return "int"
        case BoolType():
            return "bool"
        case StringLiteral(value=text):
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\${").replace("\n", "\\n") + "'"
        case IntLiteral(value=number):
            return str(number)
        case BoolLiteral(value=flag):
            return "true" if flag else "false"
        case ArrayType(item=item):
            return "array" if item == ANY else f"{show(item, inside=True)}[]"
        case TupleType(items=items):
            return f"[{', '.join(map(show, items))}]"
        case ObjectType(name=name) | DiscriminatedType(name=name):
            return name
        case UnionType(members=members):
            text = " | ".join(sorted(map(show, members)))
            return f"({text})" if inside else text
        case LambdaType(parameters=parameters, returns=returns):
            return f"({', '.join(map(show, parameters))}) => {show(returns)}"
        case ResourceType(symbol=symbol, module=module):
            return "module" if module else f"resource '{symbol.name}'"
        case NamespaceType(symbol=symbol) | RecursiveType(symbol=symbol):
            return symbol.name
        case _:
            return "any"
