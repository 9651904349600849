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


def problems(template: Template) -> list[tuple[str, str]]:
    """What is wrong with the types that a template declares: the code, and what it says of the module."""
    schemas = [template.document.get(k) for k in ("parameters", "outputs", "definitions")]
    found: list[tuple[str, str]] = []
    stack: list[object] = [s for each in schemas for s in _mapping(each).values()]
    while stack:
        schema = stack.pop()
        if isinstance(schema, list):
            stack.extend(schema)
        if not isinstance(schema, Mapping):
            continue
        source = _mapping(schema.get("metadata")).get("__bicep_resource_derived_type!")
        source = source.get("source") if isinstance(source, Mapping) else source
        if isinstance(source, str):
            name, _, steps = source.partition("#")
            if read_full(name) is None:
                found.append(("BCP392", f"'{name}', which the module takes a type from, is no resource type"))
            elif (step := _misstep(steps)) is not None:
                found.append(("BCP393", f"'{step}' leads nowhere in '{name}', which the module takes a type from"))
        reference = schema.get("$ref")
        if isinstance(reference, str) and not isinstance(_target(template, reference), Mapping):
            found.append(("BCP319", f"'{reference}', which the module takes a type from, is not in its template"))
        stack.extend(_mapping(schema.get("properties")).values())
        stack.extend(schema.get(k) for k in ("items", "prefixItems", "additionalProperties"))
    return found


def _misstep(steps: str) -> str | None:
    """The first step of a path into a resource type that there is no such step of."""
    rest = iter(steps.split("/") if steps else ())
    for step in rest:
        if step in ("properties", "prefixItems"):
            next(rest, None)
        elif step not in ("items", "additionalProperties"):
            return step
    return None


def _target(template: Template, reference: str) -> object:
    found: Any = template.document
    for step in reference.removeprefix("#/").split("/"):
        found = _mapping(found).get(step.replace("~1", "/").replace("~0", "~"))
    return found


def of(template: Template, schema: object, depth: int = 0) -> Type:
    """The type that a template's schema means."""
    if not isinstance(schema, Mapping) or depth > DEPTH:
        return ANY
    if isinstance(reference := schema.get("$ref"), str):
        type = of(template, _target(template, reference), depth + 1)
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
