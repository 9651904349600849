"""Says quickly that a value satisfies a schema, for the keywords our schemas use; never says so wrongly.

A validator library costs ten times the start of Python. It is needed only to say what is wrong, so this says first
whether anything may be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.contract.value import Leaf, Value

Schema = Mapping[str, Any] | bool

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int,),
}
_SILENT = frozenset(
    {
        "$schema",
        "$id",
        "$defs",
        "title",
        "description",
        "default",
        "examples",
        "readOnly",
        "x-ulna-addition",
        "x-ulna-keys",
        "then",
    }
)


def satisfies(value: Value, schema: Schema, root: Mapping[str, Any]) -> bool:
    """Whether the value surely satisfies the schema. Leaves that run time decides satisfy anything."""
    if isinstance(schema, bool) or isinstance(value, Leaf):
        return schema is not False
    return all(k in _SILENT or _holds(k, wanted, value, schema, root) for k, wanted in schema.items())


def _holds(keyword: str, wanted: Any, value: Value, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    match keyword:
        case "type":
            return any(_is(value, t) for t in ([wanted] if isinstance(wanted, str) else wanted))
        case "properties":
            return not isinstance(value, dict) or all(
                satisfies(v, wanted[k], root) for k, v in value.items() if k in wanted
            )
        case "additionalProperties":
            known = schema.get("properties", {})
            return not isinstance(value, dict) or all(
                wanted is not False and satisfies(v, wanted, root) for k, v in value.items() if k not in known
            )
        case "propertyNames":
            return not isinstance(value, dict) or all(satisfies(k, wanted, root) for k in value)
        case "required":
            return not isinstance(value, dict) or all(k in value for k in wanted)
        case "items":
            return not isinstance(value, list | tuple) or all(satisfies(v, wanted, root) for v in value)
        case "enum":
            return type(value) in (str, int) and any(type(w) is type(value) and w == value for w in wanted)
        case "const":
            return type(value) is type(wanted) and value == wanted
        case "minimum":
            return not isinstance(value, int | float) or value >= wanted
        case "maximum":
            return not isinstance(value, int | float) or value <= wanted
        case "minItems":
            return not isinstance(value, list | tuple) or len(value) >= wanted
        case "minProperties":
            return not isinstance(value, dict) or len(value) >= wanted
        case "maxProperties":
            return not isinstance(value, dict) or len(value) <= wanted
        case "maxLength":
            return not isinstance(value, str) or len(value) <= wanted
        case "pattern":
            return not isinstance(value, str) or re.search(wanted, value) is not None
        case "allOf":
            return all(satisfies(value, s, root) for s in wanted)
        case "if":
            return not satisfies(value, wanted, root) or satisfies(value, schema.get("then", True), root)
        case "oneOf" if all(
            s.keys() == {"required"} for s in wanted
        ):  # of others, one that it cannot judge may hold too
            return sum(satisfies(value, s, root) for s in wanted) == 1
        case "$ref":
            return satisfies(value, _target(wanted, root), root)
        case _:
            return False


def _is(value: Value, type: str) -> bool:
    if isinstance(value, bool):
        return type == "boolean"
    return isinstance(value, _TYPES[type])


def _target(reference: str, root: Mapping[str, Any]) -> Schema:
    """What `#/a/b` points to; False, which nothing satisfies, for any other reference."""
    if not reference.startswith("#/"):
        return False
    here: Any = root
    for part in reference[2:].split("/"):
        here = here[part]
    found: Schema = here
    return found
