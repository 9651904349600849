"""Parameters, variables, functions and outputs."""

from __future__ import annotations

from typing import Any

from engine.decompile.faults import Refused
from engine.decompile.loops import fields_list, lowered, property_loops, value_loop
from engine.decompile.names import identifier
from engine.decompile.scope import Scope
from engine.decompile.types import PLAIN, decorators, grouped, is_narrowed, type_of
from engine.decompile.writer import Writer, bare

UNKNOWN_TYPE = "?"
"""The type of a parameter that nobody can tell."""

_RENAMED = (
    "// WARNING: This parameter was renamed during decompilation because its original name could not be used as a Bicep"
    " identifier.\n"
)


def parameters(writer: Writer, section: dict[str, Any], pointer: str) -> list[str]:
    """`param name type = default`, with decorators."""
    return [_parameter(writer, name, value, f"{pointer}/{name}") for name, value in section.items()]


def _parameter(writer: Writer, name: str, value: Any, pointer: str) -> str:
    fields = lowered(value, pointer)
    kind = _type(writer, fields, pointer)
    default = fields.get("defaultvalue")
    symbol = writer.scope.parameters[name.lower()]
    writer.scope.blind = True  # a default knows no resources
    assigned = f" = {writer.value(default, f'{pointer}/defaultValue')}" if "defaultvalue" in fields else ""
    writer.scope.blind = False
    renamed = _RENAMED if identifier(name) != name else ""
    whole = writer.scope.typed and not is_narrowed(fields)
    return f"{renamed}{decorators(writer, fields, pointer, whole)}param {symbol} {kind}{assigned}"


def _type(writer: Writer, fields: dict[str, Any], pointer: str) -> str:
    kind = fields.get("type")
    if kind == UNKNOWN_TYPE:
        return "? /* TODO: fill in correct type */"
    if writer.scope.typed and not is_narrowed(fields):
        return type_of(writer, fields, pointer)
    known = PLAIN.get(kind.lower()) if isinstance(kind, str) else None
    if known is None:
        message = "The type is missing" if kind is None else f"'{kind}' is no type"
        raise Refused(message, pointer, "Give it one of the types string, int, bool, object, array.")
    return known


def description(writer: Writer, fields: dict[str, Any], pointer: str) -> str:
    """`@description(…)` of a resource; what else is said about one has no place."""
    said = fields.get("metadata")
    text = said.get("description") if isinstance(said, dict) else None
    return writer.decorator("description", writer.value(text, pointer)) if isinstance(text, str) else ""


def variables(writer: Writer, section: dict[str, Any], pointer: str) -> list[str]:
    """`var name = value`, those that are loops last."""
    found: list[str] = []
    loops: list[str] = []
    for name, value in section.items():
        if name.lower() == "copy" and isinstance(value, list):
            texts = [text for _, text in property_loops(writer, value, f"{pointer}/{name}", True)]
            symbols = [writer.scope.variables[str(lowered(c, pointer)["name"]).lower()] for c in value]
            loops += [f"var {symbol} = {text}" for symbol, text in zip(symbols, texts, strict=True)]
        else:
            found.append(f"var {writer.scope.variables[name.lower()]} = {writer.value(value, f'{pointer}/{name}')}")
    return found + loops


def variable_names(section: dict[str, Any]) -> list[str]:
    """The names of the variables, loops included."""
    names: list[str] = []
    for name, value in section.items():
        if name.lower() == "copy" and isinstance(value, list):
            names += [str(c["name"]) for c in value if isinstance(c, dict) and "name" in c]
        else:
            names.append(name)
    return names


def outputs(writer: Writer, section: dict[str, Any], pointer: str) -> list[str]:
    """`output name type = value`"""
    found: list[str] = []
    for name, value in section.items():
        place = f"{pointer}/{name}"
        fields = lowered(value, place)
        kind = _type(writer, fields, place)
        condition = fields.get("condition")
        if "copy" in fields:
            text = value_loop(writer, lowered(fields["copy"], f"{place}/copy"), name, f"{place}/copy")
        elif "value" in fields:
            text = writer.value(fields["value"], f"{place}/value")
        else:
            raise Refused("The output has no value", place)
        if condition not in (None, True):
            text = f"{bare(writer.value(condition, f'{place}/condition'))} ? {text} : null"
            kind = kind if kind.endswith("?") else f"{grouped(kind)}?"
        found.append(
            f"{decorators(writer, fields, place, writer.scope.typed)}output {identifier(name)} {kind} = {text}"
        )
    return found


def functions(writer: Writer, section: list[Any], pointer: str) -> list[str]:
    """`func namespace_name(argument type) type => value`"""
    found: list[str] = []
    for place, space in enumerate(section):
        where = f"{pointer}/{place}"
        fields = lowered(space, where)
        for name, value in lowered_members(fields, where).items():
            found.append(_function(writer, str(fields.get("namespace")), name, value, f"{where}/members/{name}"))
    return found


def lowered_members(space: dict[str, Any], pointer: str) -> dict[str, Any]:
    """The functions of a namespace."""
    members = space.get("members", {})
    if not isinstance(members, dict):
        raise Refused("The functions of a namespace must be an object", f"{pointer}/members")
    return members


def _function(writer: Writer, space: str, name: str, value: Any, pointer: str) -> str:
    fields = lowered(value, pointer)
    inner = Scope()
    inner.functions = writer.scope.functions
    inner.types, inner.typed = writer.scope.types, writer.scope.typed
    heads: list[str] = []
    for parameter in fields_list(fields.get("parameters"), f"{pointer}/parameters"):
        known = lowered(parameter, f"{pointer}/parameters")
        own = str(known.get("name"))
        inner.parameters[own.lower()] = identifier(own)
        heads.append(f"{identifier(own)} {_type(writer, known, f'{pointer}/parameters')}")
    result = lowered(fields.get("output"), f"{pointer}/output")
    text = Writer(inner).value(result.get("value"), f"{pointer}/output/value")
    symbol = writer.scope.functions[f"{space}.{name}".lower()]
    return f"func {symbol}({', '.join(heads)}) {_type(writer, result, f'{pointer}/output')} => {text}"


def metadata(writer: Writer, section: dict[str, Any], pointer: str) -> list[str]:
    """`metadata name = value`, but for what tools note there."""
    return [
        f"metadata {identifier(name)} = {writer.value(value, f'{pointer}/{name}')}"
        for name, value in section.items()
        if not name.startswith("_")
    ]
