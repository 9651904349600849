"""A template's form: parts that are malformed are reported and left out, so that nobody after it has to look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Report = Callable[[str, str], None]
"""Takes a message and a JSON pointer below the template."""

_LIMITS = ("minValue", "maxValue", "minLength", "maxLength")


def sound(document: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The template with sound parameters, definitions, functions and outputs, and variables that are an object."""
    made = dict(document)
    for section in ("parameters", "definitions", "outputs"):
        if section in made:
            entries = _object(made[section], f"'{section}'", f"/{section}", report)
            made[section] = {
                name: schema(entry, f"/{section}/{name}", report)
                for name, entry in entries.items()
                if _object(entry, f"'{name}' of '{section}'", f"/{section}/{name}", report) is entry
            }
    for name, output in made.get("outputs", {}).items():
        _drop(output, "copy", _is_loop, "A loop needs a 'count'", f"/outputs/{name}/copy", report)
    if "variables" in made:
        made["variables"] = _variables(made["variables"], report)
    if "functions" in made:
        made["functions"] = [*_functions(made["functions"], report)]
    return made


def schema(data: Mapping[str, Any], pointer: str, report: Report) -> dict[str, Any]:
    """A declaration of a type, with what is malformed left out."""
    made = dict(data)
    for key in ("type", "$ref"):
        _drop(made, key, lambda v: isinstance(v, str), f"'{key}' must be a string", pointer, report)
    for key in _LIMITS:
        _drop(made, key, lambda v: type(v) is int, f"'{key}' must be an integer", pointer, report)
    for key in ("allowedValues", "prefixItems"):
        _drop(made, key, lambda v: isinstance(v, list | tuple), f"'{key}' must be an array", pointer, report)
    for key in ("items", "additionalProperties"):
        _drop(made, key, lambda v: isinstance(v, Mapping | bool), f"'{key}' must be a type", pointer, report)
        if isinstance(made.get(key), Mapping):
            made[key] = schema(made[key], f"{pointer}/{key}", report)
    _drop(made, "discriminator", _is_union, "A 'discriminator' needs 'propertyName' and 'mapping'", pointer, report)
    if "prefixItems" in made:
        made["prefixItems"] = [schema(s, pointer, report) for s in made["prefixItems"] if isinstance(s, Mapping)]
    if "properties" in made:
        made["properties"] = _schemas(made["properties"], f"{pointer}/properties", report)
    if "discriminator" in made:
        mapping = _schemas(made["discriminator"]["mapping"], f"{pointer}/discriminator/mapping", report)
        made["discriminator"] = {**made["discriminator"], "mapping": mapping}
    return made


def _schemas(data: Any, pointer: str, report: Report) -> dict[str, Any]:
    entries = _object(data, "A group of types", pointer, report)
    return {
        name: schema(entry, f"{pointer}/{name}", report)
        for name, entry in entries.items()
        if _object(entry, f"The type of '{name}'", f"{pointer}/{name}", report) is entry
    }


def _variables(data: Any, report: Report) -> dict[str, Any]:
    made = dict(_object(data, "'variables'", "/variables", report))
    loops = made.get("copy")
    if isinstance(loops, list):
        made["copy"] = [loop for loop in loops if _is_loop(loop) and isinstance(loop.get("name"), str)]
        if len(made["copy"]) < len(loops):
            report("A loop of variables needs a 'name' and a 'count'", "/variables/copy")
    return made


def _functions(data: Any, report: Report) -> list[dict[str, Any]]:
    spaces: list[dict[str, Any]] = []
    for position, space in enumerate(data if isinstance(data, list | tuple) else ()):
        members = space.get("members") if isinstance(space, Mapping) else None
        place = f"/functions/{position}"
        if not isinstance(members, Mapping):
            report("A namespace of functions needs 'namespace' and 'members'", place)
            continue
        kept = {}
        for name, member in members.items():
            if not _is_function(member):
                report(
                    f"The function '{name}' needs 'parameters' with names, and an 'output'", f"{place}/members/{name}"
                )
                continue
            parameters = [schema(p, place, report) for p in member.get("parameters", ())]
            kept[name] = {**member, "parameters": parameters}
        spaces.append({**space, "members": kept})
    return spaces


def _object(data: Any, what: str, pointer: str, report: Report) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    report(f"{what} must be an object", pointer)
    return {}


def _drop(
    data: dict[str, Any], key: str, fits: Callable[[Any], bool], message: str, pointer: str, report: Report
) -> None:
    if key in data and not fits(data[key]):
        report(message, pointer)
        del data[key]


def _is_function(data: Any) -> bool:
    if not isinstance(data, Mapping) or not isinstance(data.get("output"), Mapping):
        return False
    parameters = data.get("parameters", [])
    return isinstance(parameters, list) and all(isinstance(p, Mapping) and "name" in p for p in parameters)


def _is_loop(data: Any) -> bool:
    return isinstance(data, Mapping) and "count" in data


def _is_union(data: Any) -> bool:
    return (
        isinstance(data, Mapping)
        and isinstance(data.get("mapping"), Mapping)
        and isinstance(data.get("propertyName"), str)
    )
