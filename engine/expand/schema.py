"""Checking a value against a parameter's declaration: types, definitions, and the constraints on them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.value import Secret, Value
from engine.expand.functions.equality import canonical, same
from engine.expand.functions.signature import LEAVES, NotYet, describe, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

Schema = Mapping[str, "Any"]
_KINDS = {"string": 1, "int": 2, "bool": 4, "array": 8, "object": 16, "securestring": 1, "secureobject": 16}
_MAX_REFERENCES = 64


def is_secure(schema: Schema, document: Schema) -> bool:
    """Whether a declaration's values are secret."""
    return str(follow(schema, document).get("type", "")).lower() in ("securestring", "secureobject")


def follow(schema: Schema, document: Schema) -> Schema:
    """The declaration with its `$ref` replaced by what it leads to; keys beside a `$ref` count more."""
    for _ in range(_MAX_REFERENCES):
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        name = reference.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        from urllib.parse import unquote

        definitions = document.get("definitions", {})
        target = definitions.get(name) or definitions.get(unquote(name))
        if not isinstance(target, Mapping):
            return {k: v for k, v in schema.items() if k != "$ref"}
        schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
    return {}


def check(value: Value, schema: Schema, document: Schema, path: str = "") -> str | None:
    """What is wrong with a value, in a sentence's words, or None. Parts not known yet pass."""
    kind = type(value)
    if kind in LEAVES:
        return None
    schema = follow(schema, document)
    if value is None:
        if schema.get("nullable") is True or not schema.get("type"):
            return None
        return _at(path, f"must be {_wanted(schema)}, not null")
    name = str(schema.get("type", "")).lower()
    if name in _KINDS and not _KINDS[name] & kind_of(value):
        return _at(path, f"must be {_wanted(schema)}, not {describe(kind_of(value))}")
    return (
        _allowed(value, schema, path)
        or _bounds(value, schema, path)
        or (_array(value, schema, document, path) if kind is list else None)
        or (_object(value, schema, document, path) if kind is dict else None)
    )


def _wanted(schema: Schema) -> str:
    kind = _KINDS.get(str(schema.get("type", "")).lower())
    return describe(kind) if kind else "a value"


def _at(path: str, what: str) -> str:
    return f"'{path}' {what}" if path else f"it {what}"


def _allowed(value: Value, schema: Schema, path: str) -> str | None:
    allowed = schema.get("allowedValues")
    if not isinstance(allowed, list):
        return None
    try:
        if any(same(value, a) for a in allowed):
            return None
        if isinstance(value, list) and all(any(same(v, a) for a in allowed) for v in value):
            return None
    except NotYet:
        return None
    shown = ", ".join(canonical(a) if not isinstance(a, str) else f"'{a}'" for a in allowed[:20])
    return _at(path, f"must be one of {shown}" if len(allowed) > 1 else f"must be {shown}")


def _bounds(value: Value, schema: Schema, path: str) -> str | None:
    if type(value) is int:
        least, most = schema.get("minValue"), schema.get("maxValue")
        if least is not None and value < least:
            return _at(path, f"must be at least {least}, and is {value}")
        if most is not None and value > most:
            return _at(path, f"must be at most {most}, and is {value}")
        return None
    if not isinstance(value, str | list):
        return None
    least, most = schema.get("minLength"), schema.get("maxLength")
    what = "characters" if isinstance(value, str) else "items"
    if least is not None and len(value) < least:
        return _at(path, f"must have at least {least} {what}, and has {len(value)}")
    if most is not None and len(value) > most:
        return _at(path, f"must have at most {most} {what}, and has {len(value)}")
    return None


def _array(value: list[Value], schema: Schema, document: Schema, path: str) -> str | None:
    fixed = schema.get("prefixItems", ())
    further = schema.get("items", True)
    if further is False and len(value) > len(fixed):
        return _at(path, f"must have {len(fixed)} items, and has {len(value)}")
    if len(value) < len(fixed):
        return _at(path, f"must have at least {len(fixed)} items, and has {len(value)}")
    for position, item in enumerate(value):
        of = fixed[position] if position < len(fixed) else further
        if isinstance(of, Mapping):
            problem = check(item, of, document, f"{path}[{position}]")
            if problem:
                return problem
    return None


def _object(value: dict[str, Value], schema: Schema, document: Schema, path: str) -> str | None:
    union = schema.get("discriminator")
    if isinstance(union, Mapping):
        return _union(value, union, document, path)
    properties = schema.get("properties", {})
    spelled = {k.lower(): k for k in value}
    for name, of in properties.items():
        inner = f"{path}.{name}" if path else name
        if name.lower() in spelled:
            problem = check(value[spelled[name.lower()]], of, document, inner)
            if problem:
                return problem
        elif follow(of, document).get("nullable") is not True:
            return _at(inner, "is missing")
    further = schema.get("additionalProperties", True)
    declared = {name.lower() for name in properties}
    for name in value:
        if name.lower() in declared:
            continue
        inner = f"{path}.{name}" if path else name
        if further is False:
            return _at(inner, "is not one of the properties it may have")
        if isinstance(further, Mapping):
            problem = check(value[name], further, document, inner)
            if problem:
                return problem
    return None


def _union(value: dict[str, Value], union: Schema, document: Schema, path: str) -> str | None:
    name = str(union.get("propertyName"))
    inner = f"{path}.{name}" if path else name
    if name not in value:
        return _at(inner, "is missing")
    mapping = union.get("mapping", {})
    chosen = value[name]
    if type(chosen) in LEAVES:
        return None
    if not isinstance(chosen, str) or chosen not in mapping:
        names = ", ".join(f"'{k}'" for k in mapping)
        return _at(inner, f"must be one of {names}" if len(mapping) != 1 else f"must be {names}")
    return check(value, mapping[chosen], document, path)


def seal_parts(value: Value, schema: Schema, document: Schema, seal: Any, name: str) -> Value:
    """The value with every part sealed whose declaration is secure."""
    if is_secure(schema, document):
        return value if type(value) is Secret else seal(value, name)
    schema = follow(schema, document)
    if type(value) is dict:
        union = schema.get("discriminator")
        if isinstance(union, Mapping):
            chosen = union.get("mapping", {}).get(value.get(union.get("propertyName")))
            return seal_parts(value, chosen, document, seal, name) if isinstance(chosen, Mapping) else value
        of = {k.lower(): v for k, v in schema.get("properties", {}).items()}
        rest = schema.get("additionalProperties")
        if of or isinstance(rest, Mapping):
            sealed = {}
            for key, part in value.items():
                inner = of.get(key.lower(), rest)
                of_part = inner if isinstance(inner, Mapping) else {}
                sealed[key] = seal_parts(part, of_part, document, seal, f"{name}.{key}") if of_part else part
            return sealed
    if type(value) is list:
        fixed, further = schema.get("prefixItems", ()), schema.get("items")
        parts = [fixed[i] if i < len(fixed) else further for i in range(len(value))]
        return [
            seal_parts(v, of, document, seal, f"{name}[{i}]") if isinstance(of, Mapping) else v
            for i, (v, of) in enumerate(zip(value, parts, strict=True))
        ]
    return value
