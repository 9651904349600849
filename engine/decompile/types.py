"""Types of templates of language version 2: definitions, references, unions, tuples, objects."""

from __future__ import annotations

from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.loops import lowered
from engine.decompile.names import is_identifier
from engine.decompile.writer import Writer, quoted

PLAIN = {
    "string": "string", "int": "int", "bool": "bool", "object": "object", "array": "array", "securestring": "string",
    "secureobject": "object", "any": "any",
}  # fmt: skip
_LIMITS = (("minvalue", "minValue"), ("maxvalue", "maxValue"), ("minlength", "minLength"), ("maxlength", "maxLength"))
_DERIVED = "__bicep_resource_derived_type!"
_EXPORT = "__bicep_export!"


def definitions(writer: Writer, section: dict[str, Any], pointer: str) -> list[str]:
    """`type name = T`"""
    found: list[str] = []
    for name, value in section.items():
        place = f"{pointer}/{name}"
        fields = lowered(value, place)
        symbol = writer.scope.types[name.lower()]
        found.append(f"{decorators(writer, fields, place, True)}type {symbol} = {type_of(writer, fields, place)}")
    return found


def is_narrowed(fields: dict[str, Any]) -> bool:
    """Whether what is allowed needs `@allowed`: a union of Bicep's takes no limits beside it, and has an order of its own."""
    values = fields.get("allowedvalues")
    if not isinstance(values, list) or not all(isinstance(value, str | int) for value in values):
        return False
    texts = [quoted(value) if isinstance(value, str) else str(value) for value in values]
    return texts != sorted(texts) or any(name in fields for name, _ in _LIMITS)


def type_of(writer: Writer, fields: dict[str, Any], pointer: str) -> str:
    """The type that a schema describes; `?` after one that may be null, `!` after one that no longer may."""
    text = _type(writer, fields, pointer)
    nullable = fields.get("nullable")
    if nullable is None or "null" in text.split(" | "):
        return text
    return f"{grouped(text)}{'?' if nullable else '!'}"


def grouped(text: str) -> str:
    """A type that something can stand after."""
    return f"({text})" if " | " in text or text.endswith(("?", "!")) else text


def _type(writer: Writer, fields: dict[str, Any], pointer: str) -> str:
    metadata = fields.get("metadata")
    if isinstance(metadata, dict) and _DERIVED in metadata:
        return _derived(metadata[_DERIVED], pointer)
    if isinstance(reference := fields.get("$ref"), str):
        return _reference(writer, reference, pointer)
    if "discriminator" in fields:
        mapping = lowered(fields["discriminator"], pointer).get("mapping")
        options = lowered_values(mapping, pointer)
        return " | ".join(type_of(writer, option, pointer) for option in options)
    kind = fields.get("type")
    if kind is None:
        return "any"
    if not isinstance(kind, str) or kind.lower() not in PLAIN:
        raise Refused(f"'{kind}' is no type", pointer, "Give it one of the types string, int, bool, object, array.")
    values = fields.get("allowedvalues")
    if isinstance(values, list) and values:
        union = " | ".join(_literal(writer, v, pointer) for v in values)
        lists = kind.lower() == "array" and not all(isinstance(v, list) for v in values)
        return f"({union})[]" if lists else union
    match kind.lower():
        case "array" if isinstance(fields.get("prefixitems"), list):
            items = [_member(writer, lowered(i, pointer), pointer, "") for i in fields["prefixitems"]]
            return "[\n" + "\n".join(items) + "\n]" if items else "[]"
        case "array" if isinstance(fields.get("items"), dict):
            return f"{grouped(type_of(writer, lowered(fields['items'], pointer), pointer))}[]"
        case "object" | "secureobject" if "properties" in fields or isinstance(
            fields.get("additionalproperties"), dict
        ):
            return _object(writer, fields, pointer)
        case plain:
            return PLAIN[plain]


def lowered_values(mapping: Any, pointer: str) -> list[dict[str, Any]]:
    """The schemas of a mapping."""
    if not isinstance(mapping, dict):
        raise Refused("A mapping of types must be an object", pointer)
    return [lowered(value, pointer) for value in mapping.values()]


def _object(writer: Writer, fields: dict[str, Any], pointer: str) -> str:
    properties = fields.get("properties") or {}
    if not isinstance(properties, dict):
        raise Refused("The properties of a type must be an object", pointer)
    lines = [
        _member(writer, lowered(v, f"{pointer}/properties/{name}"), f"{pointer}/properties/{name}", f"{_key(name)}: ")
        for name, v in properties.items()
    ]
    if isinstance(rest := fields.get("additionalproperties"), dict):
        lines.append(_member(writer, lowered(rest, pointer), f"{pointer}/additionalProperties", "*: "))
    return "{\n" + "\n".join(lines) + "\n}" if lines else "{}"


def _key(name: str) -> str:
    return name if is_identifier(name) else quoted(name)


def _member(writer: Writer, fields: dict[str, Any], pointer: str, head: str) -> str:
    return f"{decorators(writer, fields, pointer, True)}{head}{type_of(writer, fields, pointer)}"


def _literal(writer: Writer, value: Any, pointer: str) -> str:
    """A literal as a type."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)}: {_literal(writer, v, pointer)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_literal(writer, v, pointer) for v in value) + "]"
    return quoted(value) if isinstance(value, str) else writer.value(value, pointer)


def _reference(writer: Writer, reference: str, pointer: str) -> str:
    """`name.property[*]`, for `#/definitions/name/properties/property/items`"""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in reference.split("/")]
    if len(parts) < 3 or parts[:2] != ["#", "definitions"] or parts[2].lower() not in writer.scope.types:
        raise Refused(f"'{reference}' leads to no definition", pointer)
    return writer.scope.types[parts[2].lower()] + _path(parts[3:])


def _path(path: list[str]) -> str:
    text = ""
    steps = iter(path)
    for step in steps:
        match step:
            case "properties":
                name = next(steps, "")
                text += f".{name}" if is_identifier(name) else f"[{quoted(name)}]"
            case "prefixItems":
                text += f"[{next(steps, '0')}]"
            case "items":
                text += "[*]"
            case "additionalProperties":
                text += ".*"
            case _:
                pass
    return text


def _derived(value: Any, pointer: str) -> str:
    """`resourceInput<'T@v'>.property`"""
    fields = value if isinstance(value, dict) else {"source": value}
    source = fields.get("source")
    if not isinstance(source, str):
        raise Refused("The source of a type is missing", pointer)
    resource, _, path = source.partition("#")
    kind = "resourceOutput" if fields.get("output") else "resourceInput"
    return f"{kind}<{quoted(resource)}>{_path([p for p in path.split('/') if p])}"


def decorators(writer: Writer, fields: dict[str, Any], pointer: str, whole: bool) -> str:
    """The decorators of something with a type; `whole` is a type of version 2, whose allowed values are part of it."""
    said = fields.get("metadata")
    metadata = {k: v for k, v in said.items() if k != _DERIVED} if isinstance(said, dict) else {}
    lines = writer.decorator("export") if metadata.pop(_EXPORT, False) else ""
    if isinstance(text := metadata.get("description"), str):
        lines += writer.decorator("description", writer.value(text, pointer))
        del metadata["description"]
    if metadata:
        members = ", ".join(f"{n}: {t}" for n, t in writer.members(metadata, f"{pointer}/metadata"))
        lines += writer.decorator("metadata", f"{{ {members} }}")
    if str(fields.get("type")).lower().startswith("secure"):
        lines += writer.decorator("secure")
    if "allowedvalues" in fields and not whole:
        lines += writer.decorator("allowed", writer.value(fields["allowedvalues"], f"{pointer}/allowedValues"))
    for name, decorator in _LIMITS:
        if name in fields:
            lines += writer.decorator(decorator, writer.value(fields[name], f"{pointer}/{decorator}"))
    if whole and fields.get("additionalproperties") is False:
        lines += writer.decorator("sealed")
    if whole and "discriminator" in fields:
        property_name = lowered(fields["discriminator"], pointer).get("propertyname")
        lines += writer.decorator("discriminator", writer.value(property_name, pointer))
    return lines
