"""The types that an ARM template declares for its parameters and outputs."""

from __future__ import annotations

from collections.abc import Mapping

from engine.check.resource_type import read_full
from engine.check.types import (
    ANY,
    ARRAY,
    BOOL,
    BOUNDS,
    INT,
    NULL,
    OBJECT,
    SECURE_OBJECT,
    SECURE_STRING,
    STRING,
    ArrayType,
    BoolLiteral,
    DiscriminatedType,
    IntLiteral,
    ObjectType,
    PropertyType,
    StringLiteral,
    TupleType,
    Type,
    bounded,
    is_nullable,
    union,
)
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_NAMES: Mapping[str, Type] = {
    "string": STRING,
    "int": INT,
    "bool": BOOL,
    "object": OBJECT,
    "array": ARRAY,
    "securestring": SECURE_STRING,
    "secureobject": SECURE_OBJECT,
}

DEPTH = 20
"""What is declared deeper is `any`; definitions may contain themselves."""


def parameters(template: Template) -> dict[str, PropertyType]:
    """The parameters by name; those without a default are required."""
    found = {}
    for name, schema in _mapping(template.document.get("parameters")).items():
        type = of(template, schema)
        required = isinstance(schema, Mapping) and "defaultValue" not in schema and not is_nullable(type)
        found[name] = PropertyType(type if required else union(type, NULL), required)
    return found


def outputs(template: Template) -> dict[str, Type]:
    """The outputs by name."""
    return {name: of(template, schema) for name, schema in _mapping(template.document.get("outputs")).items()}


def unreadable(template: Template) -> list[str]:
    """The names of resource types that a template takes types from, and that can be none."""
    schemas = [template.document.get(k) for k in ("parameters", "outputs", "definitions")]
    found: list[str] = []
    stack: list[object] = [s for each in schemas for s in _mapping(each).values()]
    while stack:
        schema = stack.pop()
        if isinstance(schema, list):
            stack.extend(schema)
        if not isinstance(schema, Mapping):
            continue
        source = _mapping(schema.get("metadata")).get("__bicep_resource_derived_type!")
        source = source.get("source") if isinstance(source, Mapping) else source
        if isinstance(source, str) and read_full(source.partition("#")[0]) is None:
            found.append(source)
        stack.extend(_mapping(schema.get("properties")).values())
        stack.extend(schema.get(k) for k in ("items", "prefixItems", "additionalProperties"))
    return found


def of(template: Template, schema: object, depth: int = 0) -> Type:
    """The type that a template's schema means."""
    if not isinstance(schema, Mapping) or depth > DEPTH:
        return ANY
    if isinstance(reference := schema.get("$ref"), str):
        target: Any = template.document
        for step in reference.removeprefix("#/").split("/"):
            target = _mapping(target).get(step.replace("~1", "/").replace("~0", "~"))
        type = of(template, target, depth + 1)
    else:
        type = bounded(_written(template, schema, depth), _bounds(schema))
    return union(type, NULL) if schema.get("nullable") is True else type


def _written(template: Template, schema: Mapping[str, Any], depth: int) -> Type:
    named = str(schema.get("type", "")).lower()
    allowed = schema.get("allowedValues")
    if isinstance(allowed, list) and named in ("string", "int", "bool") and allowed:
        return union(*map(literal, allowed))
    if named == "array":
        if isinstance(places := schema.get("prefixItems"), list):
            return TupleType(tuple(of(template, p, depth + 1) for p in places))
        return (
            ArrayType(of(template, schema["items"], depth + 1)) if isinstance(schema.get("items"), Mapping) else ARRAY
        )
    if named == "object" and "discriminator" in schema:
        mapping = _mapping(_mapping(schema["discriminator"]).get("mapping"))
        members = {value: of(template, member, depth + 1) for value, member in mapping.items()}
        key = str(_mapping(schema["discriminator"]).get("propertyName", ""))
        return DiscriminatedType(key, {v: m for v, m in members.items() if isinstance(m, ObjectType)})
    if named == "object" and isinstance(schema.get("properties"), Mapping):
        found = {}
        for name, inner in schema["properties"].items():
            type = of(template, inner, depth + 1)
            found[name] = PropertyType(type, not is_nullable(type))
        rest = schema.get("additionalProperties", {})
        return ObjectType(found, None if rest is False else of(template, rest, depth + 1))
    return _NAMES.get(named, ANY)


def _bounds(schema: Mapping[str, Any]) -> dict[str, int]:
    return {name: schema[name] for name in BOUNDS if isinstance(schema.get(name), int)}


def literal(value: object) -> Type:
    """The type of one JSON value."""
    match value:
        case bool():
            return BoolLiteral(value)
        case int():
            return IntLiteral(value)
        case str():
            return StringLiteral(value)
        case None:
            return NULL
        case _:
            return ANY


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
