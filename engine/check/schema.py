"""The JSON schema of a resource type, as types."""

from __future__ import annotations

import os
from collections.abc import Mapping

from engine.check.arm_types import literal
from engine.check.types import ANY, ARRAY, BOOL, INT, STRING, ArrayType, ObjectType, PropertyType, Type, union
from engine.contract.documents import document

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_SIMPLE: Mapping[str, Type] = {"string": STRING, "integer": INT, "number": ANY, "boolean": BOOL, "array": ARRAY}

_read: dict[str, ObjectType | None] = {}


def schema_of(type: str, version: str) -> ObjectType | None:
    """The body of a resource type, from its file in package `schemas`; None if it has none. Read once."""
    name = f"{type.replace('/', '.')}@{version}.json".lower()
    if name not in _read:
        import schemas

        folder = os.path.dirname(schemas.__file__)  # noqa: PTH120  pathlib costs start-up time
        path = f"{folder}/types/{name}"
        _read[name] = _load(path) if os.path.isfile(path) else None  # noqa: PTH113
    return _read[name]


def schema_at(path: str) -> ObjectType | None:
    """The objects that the schema in a file describes; None if it describes none."""
    return _load(path)


def _load(path: str) -> ObjectType | None:
    schema = document(path)
    body = _Schema(schema).of(schema, str(schema.get("$id", "resource")).partition("@")[0])
    return body if isinstance(body, ObjectType) else None


class _Schema:
    """One schema document, with its definitions."""

    __slots__ = ("document", "open")

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.open: set[str] = set()

    def of(self, schema: Mapping[str, Any], name: str = "object") -> Type:
        """The type that a schema means; `any` for what is not understood."""
        if reference := schema.get("$ref"):
            return self.reference(reference)
        if "const" in schema:
            return literal(schema["const"])
        if isinstance(allowed := schema.get("enum"), list):
            return union(*map(literal, allowed))
        kind = schema.get("type")
        if kind == "array":
            return ArrayType(self.of(schema["items"])) if isinstance(schema.get("items"), Mapping) else ARRAY
        if kind == "object":
            return self.object(schema, name)
        return _SIMPLE.get(kind, ANY) if isinstance(kind, str) else ANY

    def reference(self, reference: str) -> Type:
        """`#/$defs/name`; what contains itself is `any` inside."""
        if reference in self.open:
            return ANY
        target: Any = self.document
        for step in reference.removeprefix("#/").split("/"):
            target = target.get(step, {}) if isinstance(target, Mapping) else {}
        self.open.add(reference)
        try:
            return self.of(target, reference.rpartition("/")[2])
        finally:
            self.open.discard(reference)

    def object(self, schema: Mapping[str, Any], name: str) -> Type:
        """An object; what only some of its variants have may be in all of them."""
        required = schema.get("required", ())
        properties: dict[str, PropertyType] = {}
        variants = [v["then"] for v in schema.get("allOf", ()) if isinstance(v, Mapping) and "then" in v]
        for variant in (schema, *variants):
            for key, inner in variant.get("properties", {}).items():
                if key in properties or not isinstance(inner, Mapping):
                    continue
                properties[key] = PropertyType(
                    self.of(inner, key),
                    required=key in required,
                    readonly=inner.get("readOnly") is True,
                    writeonly=inner.get("writeOnly") is True,
                    description=str(inner.get("description", "")),
                )
        rest = schema.get("additionalProperties", True)
        odd = any(key in schema for key in ("oneOf", "anyOf", "patternProperties"))
        closed = rest is False and not odd
        additional = None if closed else self.of(rest) if isinstance(rest, Mapping) else ANY
        return ObjectType(properties, additional, name=name, lenient=True, keys=schema.get("x-ulna-keys", ""))
