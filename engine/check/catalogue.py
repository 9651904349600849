"""What is known of resource types: which extension they belong to, and what their bodies hold."""

from __future__ import annotations

from engine.check.declare import body_of
from engine.check.model import Model
from engine.check.resource_type import ResourceTypeName
from engine.check.schema import schema_of
from engine.check.symbols import Symbol
from engine.check.types import ANY, STRING, ObjectType, PropertyType, StringLiteral, Type
from engine.parse import tree

_READ = {name: PropertyType(STRING, True) for name in ("id", "name", "type", "apiVersion")}
_SET = {name: PropertyType(ANY, writeonly=True) for name in ("dependsOn", "scope", "parent")}
GENERIC = ObjectType({**_READ, **_SET}, additional=ANY, name="resource")
"""What can be read of a resource of which nothing is known."""

_NAMESPACES = {"radius": ("applications.", "radius."), "ulna": ("ulna.",)}
"""The extensions that need no configuration, and the namespaces of their types."""


def readable(model: Model, symbol: Symbol) -> Type:
    """What can be read of a resource."""
    name = model.resource_types.get(symbol)
    schema = schema_of(name.type, name.version or "") if name is not None else None
    known = {key: PropertyType(StringLiteral(text), True) for key, text in _settled(symbol, name) if text}
    if schema is None:
        return GENERIC.replace(properties={**_READ, **known, **_SET}) if known else GENERIC
    return ObjectType(
        {**schema.properties, **_READ, **known, **_SET}, schema.additional, name=schema.name, lenient=True
    )


def _settled(symbol: Symbol, name: ResourceTypeName | None) -> list[tuple[str, str | None]]:
    """What the declaration of a resource says of it, whatever its type."""
    settled: list[tuple[str, str | None]] = (
        [("type", name.type), ("apiVersion", name.version)] if name is not None else []
    )
    body = body_of(symbol.declaration.value) if isinstance(symbol.declaration, tree.Resource) else None
    for member in body.members if body is not None else ():
        match member:
            case tree.Property(key=tree.Identifier(text=("name" | "location") as key), value=tree.Text() as value):
                settled.append((key, value.literal))
            case _:
                pass
    return settled


def writable(name: ResourceTypeName) -> ObjectType | None:
    """What may be written in the body of a resource; None where nothing is known."""
    schema = schema_of(name.type, name.version or "")
    if schema is None:
        return None
    properties = dict(schema.properties)
    properties["name"] = PropertyType(properties["name"].type if "name" in properties else STRING, True)
    for key in ("id", "type", "apiVersion"):
        properties[key] = PropertyType(STRING, readonly=True)
    return schema.replace(properties=properties)


def needs_name(model: Model, symbol: Symbol) -> bool:
    """Whether a resource must have a name: all of ARM, not those of every extension."""
    extension = model.extension_of(symbol)
    return extension is None or extension.name in _NAMESPACES


def ours(type: str) -> bool:
    """Whether a type is of a namespace that Ulna itself, or an extension without configuration, answers for."""
    return type.lower().startswith(tuple(start for starts in _NAMESPACES.values() for start in starts))


def extension_for(model: Model, name: ResourceTypeName) -> Symbol | None:
    """The extension of the file that a type belongs to, by its namespace."""
    namespace = name.namespace.lower()
    for symbol in model.extension_symbols:
        spec = symbol.declaration.spec if isinstance(symbol.declaration, tree.Extension) else None
        called = spec.text.lower() if isinstance(spec, tree.Name) else ""
        if called in _NAMESPACES:
            belongs = (namespace + ".").startswith(_NAMESPACES[called])
        elif called.startswith("microsoftgraph"):
            belongs = namespace == "microsoft.graph"
        elif called == "kubernetes":
            belongs = "." not in namespace or namespace.endswith(".k8s.io")
        else:
            belongs = called != "az" and "." not in namespace
        if belongs:
            return symbol
    return None
