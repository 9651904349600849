"""The types of members, items and nested resources, and those that are not there."""

from __future__ import annotations

from engine.check.assign import assignable
from engine.check.mends import certain_before
from engine.check.spelling import suggestion, write
from engine.check.symbols import Kind
from engine.check.types import (
    ANY,
    INT,
    NULL,
    STRING,
    UNKNOWN,
    AnyType,
    ArrayType,
    DiscriminatedType,
    IntLiteral,
    NamespaceType,
    NeverType,
    NullType,
    ObjectType,
    PropertyType,
    ResourceType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    UnionType,
    UnknownType,
    is_nullable,
    members_of,
    show,
    union,
    without_null,
)
from engine.diagnostics.diagnostic import Severity
from engine.diagnostics.source import Span
from engine.diagnostics.suggest import did_you_mean
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


def member(infer: Infer, node: tree.Member) -> Type:
    """`base.name`"""
    symbol = infer.model.bindings.get(id(node))
    if symbol is not None:
        infer.type(node.base)
        return infer.symbol(symbol)
    base = infer.open(infer.type(node.base))
    nullable = is_nullable(base) and (node.safe or _short_circuited(node.base))
    found = _property(infer, _non_null(infer, base, node, node.name), node.name.text, node.name, node.safe)
    _secret(infer, node.base, node.name, found)
    return union(found, NULL) if nullable else found


def _secret(infer: Infer, outputs: tree.Node, place: tree.Node, found: Type) -> None:
    """A secret that a module gives is asked of the module itself: through a variable nobody could tell that it is one."""
    if not (isinstance(found, StringType | ObjectType) and found.secure) or not isinstance(outputs, tree.Member):
        return
    base = outputs.base
    if not any(isinstance(m, ResourceType) and m.module for m in members_of(infer.open(infer.type(base)))):
        return
    while isinstance(base, tree.NonNull | tree.Index):
        base = base.base
    symbol = infer.model.symbol(base)
    if symbol is None or symbol.kind is not Kind.MODULE:
        message = "The secret output of a module can only be asked of the module itself"
        infer.report.error("BCP426", place, message, "Write module.outputs.name here.")


def index(infer: Infer, node: tree.Index) -> Type:
    """`base[index]`"""
    base = infer.open(infer.type(node.base))
    nullable = is_nullable(base) and (node.safe or _short_circuited(node.base))
    found = _item(infer, node, _non_null(infer, base, node, None), infer.type(node.index))
    _secret(infer, node.base, node.index, found)
    return union(found, NULL) if nullable else found


def _item(infer: Infer, node: tree.Index, base: Type, at: Type) -> Type:
    if node.from_end and not isinstance(base, ArrayType | TupleType | AnyType | UnknownType | UnionType):
        infer.report.error("BCP414", node.base, f"Only arrays are counted from the end, and this is {show(base)}")
        return UNKNOWN
    if node.from_end and not assignable(at, INT, infer.resolve):
        infer.report.error("BCP415", node.index, f"What is counted from the end is an int, and this is {show(at)}")
        return UNKNOWN
    if node.safe and isinstance(base, ArrayType) and any(isinstance(m, ResourceType) for m in members_of(base.item)):
        mark = infer.report.source.text.find("?", node.base.end, node.index.start)
        message = "How many there are is known: '[?]' cannot be used on a collection of resources or modules"
        infer.report.error("BCP323", Span(mark, mark + 1), message, "Write '[…]'.")
    match base:
        case ArrayType() | TupleType():
            if not assignable(at, INT, infer.resolve):
                infer.report.error("BCP074", node.index, f"An array is indexed by an int, and this is {show(at)}")
                return UNKNOWN
            if isinstance(base, TupleType):
                if (
                    isinstance(at, IntLiteral)
                    and not 0 <= at.value < len(base.items)
                    and not node.safe
                    and not node.from_end
                ):
                    message = f"There is no item {at.value}: the array has {len(base.items)}"
                    infer.report.error("BCP311", node.index, message)
                    return UNKNOWN
                if isinstance(at, IntLiteral) and 0 <= at.value < len(base.items):
                    return base.items[-at.value if node.from_end else at.value]
                return union(*base.items) if base.items else ANY
            if isinstance(at, IntLiteral) and at.value < 0:
                infer.report.error("BCP339", node.index, f"There is no item {at.value}: items are counted from 0")
                return UNKNOWN
            return base.item
        case ObjectType() | ResourceType() | DiscriminatedType() | NamespaceType():
            if isinstance(at, StringLiteral):
                return _property(infer, base, at.value, node.index, node.safe)
            if not assignable(at, STRING, infer.resolve):
                infer.report.error("BCP075", node.index, f"An object is indexed by a string, and this is {show(at)}")
                return UNKNOWN
            empty = isinstance(base, ObjectType) and not base.properties and base.additional is None
            if empty and not node.safe and at is not UNKNOWN:
                infer.report.error("BCP054", node.index, f"There are no properties in {show(base)}")
                return UNKNOWN
            return ANY
        case AnyType() if not assignable(at, union(STRING, INT), infer.resolve):
            infer.report.error("BCP049", node.index, f"An index is a string or an int, and this is {show(at)}")
            return UNKNOWN
        case AnyType() | UnknownType() | NeverType() | UnionType():
            return ANY
        case _:
            infer.report.error("BCP076", node.base, f"Only arrays and objects can be indexed, and this is {show(base)}")
            return UNKNOWN


def nested(infer: Infer, node: tree.NestedMember) -> Type:
    """`parent::child`"""
    infer.type(node.base)
    symbol = infer.model.bindings.get(id(node))
    return infer.symbol(symbol) if symbol is not None else UNKNOWN


def non_null(infer: Infer, node: tree.NonNull) -> Type:
    """`base!`"""
    return without_null(infer.type(node.base))


def _non_null(infer: Infer, base: Type, node: tree.Member | tree.Index, name: tree.Node | None) -> Type:
    """The base less null; a plain access of what may be null is worth a warning."""
    if not is_nullable(base):
        return base
    broken = isinstance(node, tree.Index) and isinstance(node.index, tree.Broken)
    if not node.safe and not broken and not _short_circuited(node.base) and not _harmless(infer, base, node):
        start = infer.report.source.text.rfind("." if name else "[", node.base.end, (name or node.index).start + 1)  # type: ignore[union-attr]
        place = Span(start if start >= 0 else node.start, node.end)
        infer.report.warning(
            "BCP318",
            place,
            "The value before this may be null when the deployment runs, and then this fails",
            "Use '.?' to get null instead, or '!' if you know that it is not.",
            fix=certain_before(start) if start >= 0 else None,
        )
    return infer.open(without_null(base))


def _short_circuited(base: tree.Node) -> bool:
    """Whether a safe access earlier in the chain already ends it where something is null."""
    while isinstance(base, tree.Member | tree.Index | tree.MethodCall):
        if base.safe if not isinstance(base, tree.MethodCall) else False:
            return True
        base = base.base
    return False


def _harmless(infer: Infer, base: Type, node: tree.Member | tree.Index) -> bool:
    """Whether this is a resource's property that is known without the resource, or its own body asks."""
    resource = next((m for m in members_of(base) if isinstance(m, ResourceType)), None)
    if resource is None:
        return False
    name = node.name.text if isinstance(node, tree.Member) else ""
    if isinstance(node, tree.Index) and isinstance(node.index, tree.Text):
        name = node.index.literal or ""
    declared = resource.symbol.declaration
    inside = declared is not None and declared.start <= node.start < declared.end
    return inside or name in (("name",) if resource.module else ("id", "name", "type", "apiVersion"))


def _property(infer: Infer, base: Type, name: str, place: tree.Node, safe: bool) -> Type:
    """The type of a property; reports one that is certainly not there."""
    match base:
        case ObjectType(properties=properties, additional=additional):
            if name in properties:
                return _read(infer, base, properties[name], name, place, safe)
            if additional is not None:
                return additional
            if safe and not base.lenient:
                return ANY
            if name or isinstance(place, tree.Text):
                missing(infer, base, name, place)
            return UNKNOWN
        case ResourceType(symbol=symbol) if symbol in infer.model.cyclic and infer.model.type_names is not None:
            return ANY
        case ResourceType(body=body):
            return _property(infer, body, name, place, safe)
        case NamespaceType(symbol=symbol):
            if symbol.kind is Kind.NAMESPACE and name:
                infer.report.error(
                    "BCP052" if symbol.name == "az" else "BCP053",
                    place,
                    f"Namespace '{symbol.name}' has no property '{name}'",
                )
            return ANY
        case AnyType() | UnknownType() | NeverType() | DiscriminatedType():
            return ANY
        case UnionType(members=members):
            # Only what no member has is certainly missing.
            return ANY if any(not isinstance(m, NullType) for m in members) else UNKNOWN
        case _:
            help = "Index it first." if isinstance(base, ArrayType | TupleType) else ""
            infer.report.error("BCP055", place, f"Only objects have properties, and this is {show(base)}", help)
            return UNKNOWN


def _read(infer: Infer, base: ObjectType, found: PropertyType, name: str, place: tree.Node, safe: bool) -> Type:
    """A property that is there, if only to be set."""
    if found.writeonly and name:
        severity = Severity.WARNING if base.lenient else Severity.ERROR
        infer.report.add("BCP077", severity, place, f"Property '{name}' of {base.name} can be set, not read")
    if found.fallback:
        severity = Severity.INFO if safe else Severity.WARNING
        message = f"{base.name[:1].upper()}{base.name[1:]} is not known to have a property '{name}', though it may all the same"
        infer.report.add("BCP187", severity, place, message)
    return found.type


def missing(infer: Infer, base: ObjectType, name: str, place: tree.Node) -> None:
    """Reports a property that an object does not have."""
    readable = [n for n, p in base.properties.items() if not p.writeonly]
    near = suggestion(name, readable)
    code, help = ("BCP083", f"Did you mean '{near}'?") if near else ("BCP053", _known(readable))
    severity = Severity.WARNING if base.lenient or base.soft else Severity.ERROR
    fix = write(place, near) if near and isinstance(place, tree.Identifier) else None
    help = did_you_mean(name, readable) or help
    message = f"There is no property '{name}' in {show(base)}"
    infer.report.add(code if readable else "BCP052", severity, place, message, help, fix=fix)


def _known(names: list[str]) -> str:
    shown = ", ".join(f"'{n}'" for n in sorted(names)[:12])
    return f"It has {shown}{', …' if len(names) > 12 else ''}." if names else ""
