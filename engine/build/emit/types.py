"""Type expressions as ARM schemas."""

from __future__ import annotations

from engine.build.emit.calls import imported_member
from engine.build.emit.decorators import modified
from engine.build.emit.secure import decorated
from engine.build.emit.unions import discriminated, literal_value, union
from engine.build.emit.unit import Unit, namespace_of, original
from engine.check.symbols import Kind, Symbol
from engine.check.types import (
    ArrayType,
    BoolLiteral,
    BoolType,
    DiscriminatedType,
    IntLiteral,
    IntType,
    NullType,
    ObjectType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    members_of,
)
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

Schema = dict[str, "Any"]
AMBIENT = frozenset({"string", "int", "bool", "object", "array"})
DERIVED = frozenset({"resourceInput", "resourceOutput", "resource"})


def schema(unit: Unit, node: tree.Expression | None, decorators: tuple[tree.Decorator, ...] = ()) -> Schema:
    """A type, with what its decorators add."""
    return modified(unit, bare_schema(unit, node, decorators), decorators)


def bare_schema(unit: Unit, node: tree.Expression | None, decorators: tuple[tree.Decorator, ...] = ()) -> Schema:
    """A type; of the decorators only `@discriminator` matters to what it is."""
    if decorators and (by := decorated(decorators, "discriminator")) is not None and by.arguments and node is not None:
        name = by.arguments[0]
        property = name.literal if isinstance(name, tree.Text) else None
        if (found := _discriminated(unit, node, property or "")) is not None:
            return found
    match node:
        case tree.Name():
            symbol = unit.symbol(node)
            if symbol is not None and symbol.kind is Kind.TYPE:
                return _reference(unit, symbol)
            return {"type": node.text} if node.text in AMBIENT else {}
        case tree.Member() if namespace_of(unit, node.base) is not None:
            return {"type": node.name.text} if node.name.text in AMBIENT else {}
        case tree.Member() | tree.Index() | tree.ItemsAccess() | tree.RestAccess():
            return _accessed(unit, node)
        case tree.Parenthesized():
            return bare_schema(unit, node.inner)
        case tree.Nullable():
            return {**bare_schema(unit, node.base), "nullable": True}
        case tree.NonNull():
            return {**bare_schema(unit, node.base), "nullable": False}
        case tree.ArrayType():
            item = node.item
            while isinstance(item, tree.Parenthesized):
                item = item.inner
            if isinstance(item, (tree.Union, tree.Text, tree.Integer, tree.Boolean, tree.Null, tree.Unary)):
                return {"type": "array", "allowedValues": union(unit, item)[1]}
            return {"type": "array", "items": bare_schema(unit, item)}
        case tree.TupleType():
            items = [schema(unit, i.type, i.decorators) for i in node.items if isinstance(i, tree.TupleItem)]
            return {"type": "array", "prefixItems": items, "items": False}
        case tree.ObjectType():
            return _object(unit, node)
        case tree.Union() | tree.Text() | tree.Integer() | tree.Boolean() | tree.Unary():
            return _union(unit, node)
        case tree.Null():
            return {"nullable": True}
        case tree.Parameterized():
            return _derived(node, [])
        case _:
            return {}


def pointer(segment: str) -> str:
    """A name as a part of a JSON pointer in a reference."""
    return segment.replace("~", "~0").replace("/", "~1")


def _reference(unit: Unit, symbol: Symbol) -> Schema:
    return {"$ref": f"#/definitions/{pointer(unit.name(symbol))}"}


def _object(unit: Unit, node: tree.ObjectType) -> Schema:
    properties: Schema = {}
    rest: Schema | None = None
    for each in node.members:
        if isinstance(each, tree.TypeProperty):
            value = schema(unit, each.type, each.decorators)
            if each.key is None:
                rest = value
            else:
                name = each.key.text if isinstance(each.key, tree.Identifier) else each.key.literal
                properties[name or ""] = value
    found: Schema = {"type": "object", "properties": properties}
    if rest is not None:
        found["additionalProperties"] = rest
    return found


def _union(unit: Unit, node: tree.Expression) -> Schema:
    kind, values = union(unit, node)
    found: Schema = {"type": kind} if kind else {}
    if None in values:
        return {**found, "allowedValues": [v for v in values if v is not None], "nullable": True}
    return {**found, "allowedValues": values}


def _discriminated(unit: Unit, node: tree.Expression, property: str) -> Schema | None:
    match node:
        case tree.Parenthesized():
            return _discriminated(unit, node.inner, property)
        case tree.Nullable() | tree.NonNull():
            found = _discriminated(unit, node.base, property)
            return None if found is None else {**found, "nullable": isinstance(node, tree.Nullable)}
        case tree.Union():
            mapping = {value: bare_schema(home, member) for value, home, member in discriminated(unit, node, property)}
            return {"type": "object", "discriminator": {"propertyName": property, "mapping": mapping}}
        case _:
            return None


def _accessed(unit: Unit, node: tree.Expression) -> Schema:
    """`alias.property`, `alias[0]`, `alias[*]`, `alias.*`, `namespace.alias`, `resourceInput<…>.property`"""
    path: list[str] = []
    base = node
    while isinstance(base, (tree.Member, tree.Index, tree.ItemsAccess, tree.RestAccess)):
        if isinstance(base, tree.Member):
            wildcard = unit.symbol(base.base) if isinstance(base.base, tree.Name) else None
            if wildcard is not None and (symbol := imported_member(unit, wildcard, base.name.text)) is not None:
                return _traced(unit, symbol, path[::-1])
        path.append(_step(base))
        base = base.base
    if isinstance(base, tree.Parameterized):
        return _primitive(unit, _derived(base, path[::-1]), unit.model.type_of(node))
    symbol = unit.symbol(base) if isinstance(base, tree.Name) else None
    found = _traced(unit, symbol, path[::-1]) if symbol is not None else {}
    return found if "$ref" in found or "type" in found else _primitive(unit, found, unit.model.type_of(node))


def _step(node: tree.Expression) -> str:
    match node:
        case tree.Member():
            return "properties/" + pointer(node.name.text)
        case tree.Index():
            value = literal_value(node.index)
            return f"prefixItems/{value}" if isinstance(value, int) else "properties/" + pointer(str(value))
        case tree.ItemsAccess():
            return "items"
        case _:
            return "additionalProperties"


def _traced(unit: Unit, symbol: Symbol, path: list[str]) -> Schema:
    """A reference into a named type; through aliases, to the type that declares what is meant."""
    at = [f"#/definitions/{pointer(unit.name(symbol))}"]
    home, node = _definition(unit, symbol)
    for place, step in enumerate(path):
        while isinstance(node, (tree.Parenthesized, tree.Nullable, tree.NonNull)):
            node = node.inner if isinstance(node, tree.Parenthesized) else node.base
        if isinstance(node, tree.Name) and (alias := home.symbol(node)) is not None and alias.kind is Kind.TYPE:
            return _traced(home, alias, path[place:])
        if isinstance(node, (tree.Member, tree.Index, tree.ItemsAccess, tree.RestAccess)):
            found = _accessed(home, node)
            if "$ref" in found:
                return {"$ref": "/".join([found["$ref"], *path[place:]])}
            return _further(found, path[place:])
        if isinstance(node, tree.Parameterized):
            return _derived(node, path[place:])
        node = _below(node, step)
        at.append(step)
    return {"$ref": "/".join(at)}


def _definition(unit: Unit, symbol: Symbol) -> tuple[Unit, tree.Expression | None]:
    model = unit.model
    while symbol.original is not None:
        model, symbol = symbol.home or model, symbol.original
    declaration = original(symbol).declaration
    return unit.seen_from(model), declaration.value if isinstance(declaration, tree.TypeDeclaration) else None


def _below(node: tree.Expression | None, step: str) -> tree.Expression | None:
    kind, _, name = step.partition("/")
    match node:
        case tree.ObjectType():
            for each in node.members:
                if isinstance(each, tree.TypeProperty):
                    key = each.key
                    text = None if key is None else key.text if isinstance(key, tree.Identifier) else key.literal
                    if (kind == "additionalProperties" and key is None) or (kind == "properties" and text == name):
                        return each.type
            return None
        case tree.TupleType() if kind == "prefixItems" and int(name) < len(node.items):
            item = node.items[int(name)]
            return item.type if isinstance(item, tree.TupleItem) else None
        case tree.ArrayType() if kind == "items":
            return node.item
        case _:
            return None


def _further(derived: Schema, path: list[str]) -> Schema:
    """A part of a part of a resource type; what it is, is another question."""
    note = derived.get("metadata", {}).get("__bicep_resource_derived_type!")
    if not path or note is None:
        return derived
    step = "/" + "/".join(path)
    longer = note + step if isinstance(note, str) else {**note, "source": note["source"] + step}
    return {"metadata": {"__bicep_resource_derived_type!": longer}}


def _primitive(unit: Unit, derived: Schema, type: Type) -> Schema:
    """A part of a resource type, with what it is as far as that is known."""
    kinds = {_kind(member) for member in members_of(type) if not isinstance(member, NullType)}
    if kinds == {None}:
        kinds = {_of_every_resource(unit, derived)}
    return {"type": kinds.pop(), **derived} if len(kinds) == 1 and None not in kinds else derived


_TEXTS = ("apiVersion", "id", "kind", "location", "managedBy", "name", "type")
_OBJECTS = ("extendedLocation", "identity", "plan", "properties", "sku", "tags")
_ENVELOPE = {
    **{f"properties/{name}": "string" for name in _TEXTS},
    **{f"properties/{name}": "object" for name in _OBJECTS},
    "properties/zones": "array",
    "properties/identity/properties/type": "string",
    "properties/identity/properties/userAssignedIdentities": "object",
    "properties/sku/properties/capacity": "int",
    "properties/sku/properties/name": "string",
    "properties/sku/properties/tier": "string",
    "properties/tags/additionalProperties": "string",
}
"""What is the same in all resources of Azure, whatever their types."""


def _of_every_resource(unit: Unit, derived: Schema) -> str | None:
    """What a part of a type is that no type data have."""
    note = derived.get("metadata", {}).get("__bicep_resource_derived_type!")
    source = note if isinstance(note, str) else note["source"] if note else ""
    name, _, path = source.partition("#")
    type, _, version = name.partition("@")
    kind, data = _ENVELOPE.get(path), unit.model.type_names
    return None if kind and data is not None and data.data(type, version) is not None else kind


def _kind(type: Type) -> str | None:
    match type:
        case StringType(secure=secure):
            return "securestring" if secure else "string"
        case StringLiteral():
            return "string"
        case IntType() | IntLiteral():
            return "int"
        case BoolType() | BoolLiteral():
            return "bool"
        case ArrayType() | TupleType():
            return "array"
        case ObjectType(secure=secure):
            return "secureObject" if secure else "object"
        case DiscriminatedType():
            return "object"
        case _:
            return None


def _derived(node: tree.Parameterized, path: list[str]) -> Schema:
    """`resourceInput<'T@v'>` and kin: the source is noted; what it is, only type data could tell."""
    argument = node.arguments[0] if node.arguments else None
    source = (argument.literal if isinstance(argument, tree.Text) else None) or ""
    source = source.rpartition(":")[2] + ("#" + "/".join(path) if path else "")
    if node.name.text == "resource":
        return {"metadata": {"__bicep_resource_derived_type!": source}}
    note: Schema = {"source": source}
    if node.name.text == "resourceOutput":
        note["output"] = True
    return {"metadata": {"__bicep_resource_derived_type!": note}}
