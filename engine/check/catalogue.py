"""What is known of resource types: which extension they belong to, and what their bodies hold."""

from __future__ import annotations

from engine.check.declare import body_of
from engine.check.model import Model
from engine.check.resource_type import ResourceTypeName
from engine.check.schema import schema_of
from engine.check.symbols import Symbol
from engine.check.types import (
    ANY,
    STRING,
    DiscriminatedType,
    ObjectType,
    PropertyType,
    StringLiteral,
    Type,
    union,
)
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.type_index import TypeData

_READ = {name: PropertyType(STRING, True) for name in ("id", "name", "type", "apiVersion")}
_SET = {name: PropertyType(ANY, writeonly=True) for name in ("dependsOn", "scope", "parent")}
GENERIC = ObjectType({**_READ, **_SET}, additional=ANY, name="resource")
"""What can be read of a resource of which nothing is known."""

_NAMESPACES = {"aws": ("aws.",), "radius": ("applications.", "radius."), "ulna": ("ulna.",)}
"""The extensions that need no configuration, and the namespaces of their types."""


def readable(model: Model, symbol: Symbol) -> Type:
    """What can be read of a resource."""
    name = model.resource_types.get(symbol)
    schema = schema_of(name.type, name.version or "") if name is not None else None
    known = {key: PropertyType(StringLiteral(text), True) for key, text in _settled(symbol, name) if text}
    if schema is None and (body := body_type(model, symbol)) is not None:
        return _read_of(body, symbol, known)
    if schema is None:
        written = {} if model.extension_of(symbol) is not None else _written(symbol)
        return GENERIC.replace(properties={**_READ, **written, **known, **_SET}) if known or written else GENERIC
    properties = {**schema.properties, **_READ, **known, **_SET}
    if isinstance(symbol.declaration, tree.Resource) and not symbol.declaration.existing:
        from engine.check.provided import provided

        properties = provided(properties, body_of(symbol.declaration.value))
    return ObjectType(properties, schema.additional, name=schema.name, lenient=True)


def data_of(model: Model, symbol: Symbol) -> TypeData | None:
    """What type data say of the type of a resource; None where nobody gave any, or they do not have it."""
    if symbol not in model.type_data:
        name, extension = model.resource_types.get(symbol), model.extension_of(symbol)
        found = None
        if name is None:
            pass
        elif extension is None:
            if model.type_names is not None and not _known(name):
                found = model.type_names.data(name.type, name.version or "")
        elif (types := model.extension_types.get(id(extension.declaration))) is not None and not _known(name):
            found = types.data(name.type, name.version or "") or types.fallback()
        model.type_data[symbol] = found
    return model.type_data[symbol]


def body_type(model: Model, symbol: Symbol) -> Type | None:
    """What a resource may have at all, by type data: also one whose type they do not have; None where there are none."""
    data, name = data_of(model, symbol), model.resource_types.get(symbol)
    if name is None:
        return None
    if model.extension_of(symbol) is not None:
        return data.body if data is not None else None
    if data is not None:
        known: dict[tuple[TypeData, bool], Type] = getattr(model.type_names, "bodies", {})
        key = (data, _is_child(symbol))
        if key not in known:
            from engine.check.resource_body import of_arm

            known[key] = of_arm(data.body, data.name, data.readable, child=key[1])
        return known[key]
    names = model.type_names
    if names is None or names.empty or _known(name) or names.official(name.type, name.version or "") is not None:
        return None
    from engine.check.resource_body import unknown

    return unknown(name.type)


def identity(type: Type) -> Type:
    """What can be written of a resource that exists already: what it is known by."""
    variants = type.members.values() if isinstance(type, DiscriminatedType) else (type,)
    names = [v.properties for v in variants if isinstance(v, ObjectType)]
    found = {n: p for properties in names[:1] for n, p in properties.items() if p.identifier}
    if isinstance(type, DiscriminatedType) and type.key in found:
        found[type.key] = found[type.key].replace(type=union(*(p[type.key].type for p in names)))
    return ObjectType(found, ANY, name=getattr(type, "name", "resource"))


def _is_child(symbol: Symbol) -> bool:
    """Whether the parent of a resource is named apart."""
    body = body_of(symbol.declaration.value) if isinstance(symbol.declaration, tree.Resource) else None
    keys = (m.key for m in body.members if isinstance(m, tree.Property)) if body is not None else ()
    return symbol.parent is not None or any(isinstance(k, tree.Identifier) and k.text == "parent" for k in keys)


def _known(name: ResourceTypeName) -> bool:
    """Whether Ulna answers for a type itself."""
    return ours(name.type) or schema_of(name.type, name.version or "") is not None


def _read_of(body: Type, symbol: Symbol, known: dict[str, PropertyType]) -> Type:
    """What can be read of a resource whose type is known by data, as it is written."""
    from engine.check.resource_body import Overlaid, narrowed

    written = body_of(symbol.declaration.value) if isinstance(symbol.declaration, tree.Resource) else None
    found = narrowed(body, written)
    if not isinstance(found, ObjectType):
        return found
    return found.replace(
        properties=Overlaid(found.properties, {k: p for k, p in known.items() if k in found.properties})
    )


def _written(symbol: Symbol) -> dict[str, PropertyType]:
    """What the texts in the body of a resource that is deployed say of it; not of what the platform may add to."""
    declaration = symbol.declaration
    if not isinstance(declaration, tree.Resource) or declaration.existing:
        return {}
    return {n: p for n, p in _texts(body_of(declaration.value)).items() if n in _KEPT}


def _texts(node: tree.Object | None, depth: int = 0) -> dict[str, PropertyType]:
    found: dict[str, PropertyType] = {}
    for member in node.members if node is not None and depth < _DEEPEST else ():
        match member:
            case tree.Property(key=tree.Identifier(text=key), value=tree.Object() as value):
                if inner := _texts(value, depth + 1):
                    found[key] = PropertyType(ObjectType(inner, additional=ANY))
            case tree.Property(key=tree.Identifier(text=key), value=tree.Text() as value) if value.literal is not None:
                found[key] = PropertyType(StringLiteral(value.literal))
            case _:
                pass
    return found


_KEPT = frozenset({"identity", "kind", "plan", "sku"})
"""Properties that are as they are written, whatever the type."""

_DEEPEST = 10
"""Objects in objects that are looked into."""


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
    """Whether a resource must have a name: all of ARM, not those of every extension; AWS's own have an alias."""
    extension = model.extension_of(symbol)
    return extension is None or (extension.name in _NAMESPACES and extension.name != "aws")


def ours(type: str) -> bool:
    """Whether a type is of a namespace that Ulna itself, or an extension without configuration, answers for."""
    return type.lower().startswith(tuple(start for starts in _NAMESPACES.values() for start in starts))


def extensions_with(model: Model, name: ResourceTypeName) -> list[Symbol]:
    """The extensions of the file whose data have a type."""
    data = (
        [(s, model.extension_types.get(id(s.declaration))) for s in model.extension_symbols]
        if model.extension_types
        else ()
    )
    return [s for s, types in data if types is not None and types.official(name.type, name.version or "") is not None]


def extension_for(model: Model, name: ResourceTypeName) -> Symbol | None:
    """The extension of the file that a type belongs to, by its namespace."""
    namespace = name.namespace.lower()
    if having := extensions_with(model, name):
        return having[0]
    for symbol in model.extension_symbols:
        if id(symbol.declaration) in model.extension_types:
            continue
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
    if "." in namespace:
        return None
    # What no extension has, and ARM cannot have, may be what one says that its other types are.
    others = ((s, model.extension_types.get(id(s.declaration))) for s in model.extension_symbols)
    return next((s for s, types in others if types is not None and types.fallback() is not None), None)
