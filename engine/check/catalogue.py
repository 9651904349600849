"""What is known of resource types: their names' form, and the bodies that the schemas describe.

A type with a schema is a file of package `schemas`, `types/<namespace>/<type>@<version>.json`; only the files of types in use are read.
"""

from __future__ import annotations

from engine.check.model import Model
from engine.check.resource_type import ResourceTypeName
from engine.check.symbols import Kind, Symbol
from engine.check.types import ANY, STRING, ObjectType, PropertyType, Type
from engine.parse import tree

_READ = {name: PropertyType(STRING, True) for name in ("id", "name", "type", "apiVersion")}
GENERIC = ObjectType(
    {**_READ, "dependsOn": PropertyType(ANY, writeonly=True)}, additional=ANY, name="resource", lenient=True
)
"""What can be read of a resource of which nothing is known."""


def readable(model: Model, symbol: Symbol, node: tree.Resource) -> Type:
    """What can be read of a resource."""
    return GENERIC


def writable(model: Model, symbol: Symbol, name: ResourceTypeName) -> ObjectType | None:
    """What may be written in the body of a resource; None where nothing is known."""
    return None


def needs_name(model: Model, symbol: Symbol) -> bool:
    """Whether a resource must have a name: all of ARM, not those of every extension."""
    extension = model.extension_of(symbol)
    return extension is None or extension.name in ("radius", "ulna")


def extension_for(model: Model, name: ResourceTypeName) -> Symbol | None:
    """The extension of the file that a type belongs to, by its namespace."""
    namespace = name.namespace.lower()
    for symbol in model.of_kind(Kind.EXTENSION):
        spec = symbol.declaration.spec if isinstance(symbol.declaration, tree.Extension) else None
        called = spec.text.lower() if isinstance(spec, tree.Name) else ""
        if called == "az":
            continue
        if called in _NAMESPACES:
            if namespace.startswith(_NAMESPACES[called]):
                return symbol
        elif called == "kubernetes":
            if "." not in namespace or namespace.endswith(".k8s.io"):
                return symbol
        elif called.startswith("microsoftgraph"):
            if namespace == "microsoft.graph":
                return symbol
        elif "." not in namespace:
            return symbol
    return None


_NAMESPACES = {"radius": ("applications.", "radius."), "ulna": ("ulna.",)}
