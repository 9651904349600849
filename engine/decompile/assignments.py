"""Values of parameters as a `.bicepparam` file: those of a JSON parameter file, or any others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from engine.decompile.faults import Refused, diagnose
from engine.decompile.names import is_identifier
from engine.decompile.writer import MAX_DEPTH, quoted
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source
from engine.format.format import format
from engine.format.options import Options
from engine.record import Record
from engine.sources.jsonc import Malformed, load

_VAULT = re.compile(
    r"/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\.KeyVault/vaults/([^/]+)", re.IGNORECASE
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Assignment(Record):
    """`param name = text // remark`"""

    name: str
    text: str
    remark: str = ""


def parameters_text(using: str | None, assignments: Iterable[Assignment], options: Options) -> str:
    """The file, in its canonical form; without a template to use, it says that one is to be named."""
    first = f"using {quoted(using)}" if using is not None else "using '' /* name the template that these are for */"
    lines = [f"param {a.name} = {a.text}{f' // {a.remark}' if a.remark else ''}" for a in assignments]
    return format(Source("main.bicepparam", "\n".join([first, "", *lines]) + "\n"), options)


def value_text(value: Any, depth: int = 0) -> str:
    """A JSON value as Bicep; raises `Refused` for what is nested too deeply."""
    if depth > MAX_DEPTH:
        raise Refused("Values are nested too deeply", "")
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case str():
            return quoted(value)
        case float():
            return f"json({quoted(json.dumps(value))})"
        case list():
            items = "".join(value_text(v, depth + 1) + "\n" for v in value)
            return f"[\n{items}]" if value else "[]"
        case dict():
            members = (f"{_key(k)}: {value_text(v, depth + 1)}\n" for k, v in value.items())
            return f"{{\n{''.join(members)}}}" if value else "{}"
        case _:
            return str(value)


def _key(name: str) -> str:
    return name if is_identifier(name) else quoted(name)


def decompile_parameters(
    source: Source, using: str | None, options: Options
) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text that a JSON parameter file becomes; None, and why, if it has no such form."""
    try:
        document = load(source)
        assignments = [_assignment(name, entry) for name, entry in _entries(document).items()]
        return parameters_text(using, assignments, options), ()
    except Malformed as problem:
        message = f"It is not valid JSON: {problem.message}"
        return None, (Diagnostic("ULN010", Severity.ERROR, message, Label(source, problem.span)),)
    except Refused as fault:
        return None, (diagnose(fault, source),)
    except RecursionError:
        return None, (diagnose(Refused("It is nested too deeply", ""), source),)


def _entries(document: Any) -> dict[str, Any]:
    parameters = document.get("parameters") if isinstance(document, dict) else None
    if not isinstance(parameters, dict):
        help = "It has an object 'parameters', with a 'value' or a 'reference' for each."
        raise Refused("This is no parameter file", "", help)
    return parameters


def _assignment(name: str, entry: Any) -> Assignment:
    pointer = f"/parameters/{name}"
    if not _NAME.fullmatch(name):
        raise Refused(f"'{name}' is no name that a parameter of a Bicep file can have", pointer)
    if isinstance(entry, dict) and "value" in entry:
        return Assignment(name, value_text(entry["value"]))
    if isinstance(entry, dict) and isinstance(reference := entry.get("reference"), dict):
        return Assignment(name, _secret(reference, f"{pointer}/reference"))
    raise Refused(f"The parameter '{name}' has neither a 'value' nor a 'reference'", pointer)


def _secret(reference: dict[str, Any], pointer: str) -> str:
    vault = reference.get("keyVault")
    id = vault.get("id") if isinstance(vault, dict) else None
    match = _VAULT.fullmatch(id) if isinstance(id, str) else None
    secret, version = reference.get("secretName"), reference.get("secretVersion")
    if match is None or not isinstance(secret, str) or not isinstance(version, str | None):
        raise Refused("The reference names no secret of a key vault by its id", pointer)
    parts = [*match.groups(), secret, *([version] if version else [])]
    return f"az.getSecret({', '.join(map(quoted, parts))})"
