"""Says in words what a schema does not allow: the path, what was found, what is allowed, what was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.contract.difference import Path, dotted
from engine.contract.value import Leaf, Value
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.place import place
from engine.diagnostics.suggest import nearest

_WORDS = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "boolean": "a boolean",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
}


def explain(
    value: Value, schema: Mapping[str, Any], subject: str, origin: Label | None, path: Path
) -> Iterator[Diagnostic]:
    """One diagnostic a problem, in the order of the paths."""
    from jsonschema import Draft202012Validator

    seen: set[tuple[str, str]] = set()
    errors = Draft202012Validator(schema).iter_errors(value)
    for error in sorted(errors, key=lambda e: [str(p) for p in e.absolute_path]):
        if is_open(error):
            continue  # only run time knows it
        where = (*path, *error.absolute_path)
        for code, message, help, step in _words(error, where, subject):
            if (code, message) not in seen:
                seen.add((code, message))
                yield Diagnostic(code, Severity.ERROR, message, place(origin, (*where, *step)), help=help)


def is_open(error: Any) -> bool:
    """Whether it is about a value that is not known yet, or about alternatives one of which lacks nothing else."""
    if isinstance(error.instance, Leaf):
        return True
    branches: dict[Any, bool] = {}
    for each in error.context or ():
        number = each.relative_schema_path[0]
        branches[number] = branches.get(number, True) and is_open(each)
    return any(branches.values())


def _words(error: Any, where: Path, subject: str) -> Iterator[tuple[str, str, str, Path]]:
    """Code, message, help, and the step from the place of the error to what is wrong."""
    for code, message, help, *step in _sentences(error, where, subject):
        yield code, message, help, tuple(step)


def _sentences(error: Any, where: Path, subject: str) -> Iterator[tuple[str, ...]]:
    place = f"'{dotted(where)}' of {subject}" if where else subject
    wanted = error.validator_value
    if "propertyNames" in error.absolute_schema_path:
        name = error.instance
        yield (
            "BCP036",
            f"{name!r} cannot be the name of a property in {place}",
            error.schema.get("description", ""),
            name,
        )
        return
    match error.validator:
        case "additionalProperties":
            allowed = sorted(error.schema.get("properties", {}))
            for name in error.instance:
                if name in allowed:
                    continue
                near = nearest(name, [a for a in allowed if a not in error.instance])
                message = f"The property '{name}' is not allowed in {place}"
                help = f"Did you mean '{near}'?" if near else _allowed(allowed)
                yield "BCP089" if near else "BCP037", message, help, name
        case "required":
            for name in wanted:
                if name not in error.instance:
                    message = f"The property '{name}' is missing in {place}"
                    extra = [n for n in error.instance if n not in error.schema.get("properties", {})]
                    near = nearest(name, extra)
                    yield "BCP035", message, f"Rename '{near}' to '{name}'." if near else f"Add '{name}'."
        case "type":
            types = [wanted] if isinstance(wanted, str) else list(wanted)
            expected = " or ".join(_WORDS[t] for t in types)
            yield "BCP036", f"{place} must be {expected}, and is {_kind(error.instance)}", _cast(types, error.instance)
        case "enum" | "const":
            choices = [str(w) for w in (wanted if error.validator == "enum" else [wanted])]
            message = f"{place} must be {_list(choices)}, and is {error.instance!r}"
            near = nearest(str(error.instance), choices)
            yield ("BCP088", message, f"Did you mean '{near}'?") if near else ("BCP036", message, "")
        case "minimum":
            yield "BCP036", f"{place} must be at least {wanted}, and is {error.instance}", ""
        case "maximum":
            yield "BCP036", f"{place} must be at most {wanted}, and is {error.instance}", ""
        case "minItems" | "minProperties":
            yield (
                "BCP036",
                f"{place} needs at least {wanted} {'item' if error.validator == 'minItems' else 'property'}",
                _one_of(error),
            )
        case "maxProperties":
            yield "BCP036", f"{place} may have only {wanted} of its properties", _one_of(error)
        case "pattern":
            help = error.schema.get("description") or f"It must match {wanted}"
            yield "BCP036", f"{place} cannot be {error.instance!r}", help
        case "maxLength":
            yield "BCP036", f"{place} may have {wanted} characters at most, and has {len(error.instance)}", ""
        case _:
            yield "BCP036", f"{place} is not valid: {error.message}", ""


def _allowed(names: list[str]) -> str:
    return f"Allowed here: {', '.join(names)}." if names else "Nothing is allowed here."


def _one_of(error: Any) -> str:
    names = sorted(error.schema.get("properties", {}))
    return f"Give one of {', '.join(names)}." if names else ""


def _list(choices: list[str]) -> str:
    quoted = [f"'{c}'" for c in choices]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _kind(value: Value) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "a whole number"
        case float():
            return "a number"
        case str():
            return "a string"
        case list() | tuple():
            return "an array"
        case _:
            return "an object"


def _cast(types: list[str], value: Value) -> str:
    """How to make it what is wanted."""
    match types[0], value:
        case "string", bool() | int() | float():
            return "Write it in quotes, or use string(…)."
        case "integer", str():
            return "Write it without quotes, or use int(…)."
        case "boolean", str():
            return "Write it without quotes, or use bool(…)."
        case "object", str() if value:
            return "Write an object: { … }."
        case _:
            return ""
