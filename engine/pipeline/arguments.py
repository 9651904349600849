"""The parameters of a call: texts given with -p, files, and what Ulna fills in, as arguments of a template."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity, UlnaError
from engine.diagnostics.source import Source
from engine.expand.schema import follow
from engine.pipeline.parameterfile import Assigned, assigned
from engine.sources.jsonc import Malformed, load
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

SHOWN = 60
"""The longest text that is repeated in a message."""


def given(
    texts: Iterable[str],
    document: Mapping[str, Any],
    sources: Sources,
    restore: bool = True,
    open: Mapping[str, Diagnostic] = {},
) -> dict[str, Value]:
    """The arguments that -p texts give to a template; later ones win.

    `open` is what a file leaves open; raises `UlnaError` with what is said of those that nothing is given for.
    """
    arguments: dict[str, Value] = {}
    wanting = dict(open)
    for text in texts:
        if text.startswith("@"):
            found = from_file(text[1:], sources, restore)
            arguments |= found.values
            wanting |= found.open
            continue
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            help = "Write name=value, name=@file, @params.json or @app.bicepparam."
            raise UlnaError.of("ULN503", f"'{text}' is no parameter", help, exit_code=2)
        name = name.strip()
        if value.startswith("@"):
            value = _read(value[1:], sources).text.removesuffix("\n").removesuffix("\r")  # what editors end files with
        arguments[name] = typed(name, value, document)
    there = {name.lower() for name in arguments}
    if wrong := [told for name, told in wanting.items() if name.lower() not in there]:
        raise UlnaError(*wrong)
    return arguments


def from_file(path: str, sources: Sources, restore: bool = True) -> Assigned:
    """What is in a `.bicepparam` file, in an ARM parameter file, or in an object of names and values."""
    if path.endswith(".bicepparam"):
        from engine.pipeline.compiling import compile_parameters

        return assigned(compile_parameters(path, sources, restore=restore).document, path, sources)
    source = _read(path, sources)
    try:
        document = load(source)
    except Malformed as problem:
        label = Label(source, problem.span)
        raise UlnaError(Diagnostic("ULN505", Severity.ERROR, problem.message, label)) from None
    if not isinstance(document, Mapping):
        raise UlnaError.of("ULN505", f"'{path}' is no parameter file: it is not a JSON object")
    if "$schema" in document and isinstance(document.get("parameters"), Mapping):
        return assigned(document, path, sources)
    return Assigned(dict(document), {})


def _read(path: str, sources: Sources) -> Source:
    try:
        return Source(path, read_text(sources, sources.absolute(path)))
    except Unreadable as problem:
        raise UlnaError.of("ULN504", f"'{path}' cannot be read: {problem.reason}") from None


def typed(name: str, text: str, document: Mapping[str, Any]) -> Value:
    """A text as the type that the template declares for the parameter; as it is where it declares none."""
    kind = declared(name, document)
    match kind:
        case "int" | "bool" | "object" | "array" | "secureobject":
            import json

            try:
                value = json.loads(text.lower() if kind == "bool" else text)
            except ValueError:
                help = 'Write JSON, such as [1, 2] or {"a": 1}.' if kind in ("object", "array", "secureobject") else ""
                value = "its value" if kind.startswith("secure") or len(text) > SHOWN else f"'{text}'"
                message = f"The parameter '{name}' must be of type {kind}, and {value} is not"
                raise UlnaError.of("ULN507", message, help) from None
            return value
        case _:
            return text


def declared(name: str, document: Mapping[str, Any]) -> str:
    """The primitive type of a parameter, in lower case; references to definitions are followed."""
    schema = next((s for n, s in document.get("parameters", {}).items() if n.lower() == name.lower()), None)
    return str(follow(schema, document).get("type", "")).lower() if isinstance(schema, Mapping) else ""
