"""Union types: of literals of one kind, or of objects told apart by `@discriminator`."""

from __future__ import annotations

from engine.check.symbols import Symbol
from engine.check.types import (
    ANY,
    NULL,
    UNKNOWN,
    AnyType,
    BoolLiteral,
    DiscriminatedType,
    IntLiteral,
    NullType,
    ObjectType,
    RecursiveType,
    StringLiteral,
    TupleType,
    Type,
    UnionType,
    UnknownType,
    members_of,
    union,
)
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.declared import Declared


def literal_union(declared: Declared, node: tree.Union, types: list[Type], *, mixed: bool) -> Type:
    """`'a' | 'b'`: every member must be a literal, all of one kind unless `mixed`."""
    found: set[str] = set()
    sound = True
    for member, type in zip(node.members, types, strict=True):
        kinds = {_kind(m) for m in members_of(type)}
        if "" in kinds:
            sound = False
            if not isinstance(type, UnknownType):
                declared.report.error("BCP293", member, "Every member of a union must be a literal")
        else:
            found |= kinds
    found.discard("null")
    if sound and ((len(found) > 1 and not mixed) or not found) and "any" not in found:
        message = "All members of a union must be of one kind: strings, numbers, or true and false"
        declared.report.error("BCP294", node, message)
    return union(*types) if sound else UNKNOWN


def _kind(type: Type) -> str:
    match type:
        case StringLiteral():
            return "string"
        case IntLiteral():
            return "int"
        case BoolLiteral():
            return "bool"
        case NullType():
            return "null"
        case ObjectType(properties=properties, additional=None):
            return "object" if all(p.required and _kind(p.type) for p in properties.values()) else ""
        case TupleType(items=items):
            return "array" if all(map(_kind, items)) else ""
        case AnyType():
            return "any" if type is not ANY else ""
        case _:
            return ""


def discriminated(declared: Declared, node: tree.Node, key: str) -> Type:
    """A union of objects, each with another text as its `key`."""
    nullable = False
    written: tree.Node = node
    while isinstance(written, tree.Nullable | tree.Parenthesized | tree.NonNull):
        nullable = nullable or isinstance(written, tree.Nullable)
        written = written.inner if isinstance(written, tree.Parenthesized) else written.base
    if not isinstance(written, tree.Union):
        return declared.of(node)
    members: dict[str, ObjectType] = {}
    for member in _flat(written):
        named = declared.model.bindings.get(id(member))
        around = named is not None and named in declared.model.cyclic and _object_of(named) is None
        written_type = declared.of(member)
        if isinstance(written_type, RecursiveType) and (value := _tag(written_type, key)) is not None:
            members.setdefault(value, ObjectType({}, ANY, name=written_type.symbol.name))
            continue
        if around or isinstance(written_type, RecursiveType):
            declared.report.error("BCP286", member, "A member of a discriminated union must be an object")
            continue
        type = declared.infer.open(written_type)
        for each in members_of(type):
            _discriminated_member(declared, member, each, key, members)
    whole: Type = DiscriminatedType(key, members) if members else UNKNOWN
    return union(whole, NULL) if nullable else whole


def _object_of(symbol: Symbol) -> tree.ObjectType | None:
    """The object type that a declared type is, as written."""
    written = symbol.declaration.value if isinstance(symbol.declaration, tree.TypeDeclaration) else None
    return written if isinstance(written, tree.ObjectType) else None


def _tag(type: RecursiveType, key: str) -> str | None:
    """What tells a type apart that is not known yet, for it contains the union: read as it is written."""
    written = _object_of(type.symbol)
    for member in written.members if written is not None else ():
        if isinstance(member, tree.TypeProperty) and member.key is not None and isinstance(member.type, tree.Text):
            name = member.key.text if isinstance(member.key, tree.Identifier) else member.key.literal
            if name == key:
                return member.type.literal
    return None


def _flat(node: tree.Node) -> list[tree.Node]:
    """The members of a union and of the unions in parentheses inside it."""
    if isinstance(node, tree.Parenthesized):
        return _flat(node.inner)
    return [m for member in node.members for m in _flat(member)] if isinstance(node, tree.Union) else [node]


def _discriminated_member(
    declared: Declared, place: tree.Node, type: Type, key: str, members: dict[str, ObjectType]
) -> None:
    match type:
        case ObjectType(properties=properties):
            found = properties.get(key)
            if found is None or not found.required or not isinstance(found.type, StringLiteral):
                message = f"Every member of the union must have '{key}', required, with one text as its type"
                declared.report.error("BCP364", place, message)
            elif members.get(found.type.value) is type:
                pass
            elif found.type.value.lower() in map(str.lower, members):
                message = f"Two members of the union have '{found.type.value}' as their '{key}'"
                declared.report.error("BCP365", place, message)
            else:
                members[found.type.value] = type
        case DiscriminatedType(key=same) if same == key:
            for value, inner in type.members.items():
                if value in members:
                    declared.report.error("BCP365", place, f"Two members of the union have '{value}' as their '{key}'")
                members.setdefault(value, inner)
        case AnyType() | UnknownType() | RecursiveType():
            pass
        case NullType() | UnionType() | _:
            declared.report.error("BCP286", place, "A member of a discriminated union must be an object")
