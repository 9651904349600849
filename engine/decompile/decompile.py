"""The entry: `decompile(source)` gives the files that a template becomes."""

from __future__ import annotations

from typing import Any

from engine.decompile import declarations, types
from engine.decompile.extensions import extensions
from engine.decompile.faults import Refused, diagnose
from engine.decompile.loops import fields_list, lowered, section
from engine.decompile.modules import module
from engine.decompile.names import identifier
from engine.decompile.resources import gather, resource
from engine.decompile.scope import Known, Scope
from engine.decompile.writer import Writer
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source
from engine.format.format import format
from engine.format.options import Options
from engine.sources.jsonc import Malformed, load

_SCOPES = {
    "deploymenttemplate": "", "subscriptiondeploymenttemplate": "subscription", "managementgroupdeploymenttemplate": "managementGroup",
    "tenantdeploymenttemplate": "tenant",
}  # fmt: skip
OWN_FUNCTIONS = "__bicep"
"""The namespace that Bicep puts functions of its own in."""

_SECTIONS = {"$schema", "definitions", "functions", "metadata", "outputs", "parameters", "resources", "variables"}
"""What has none of them is something else."""

_MAX_NESTED = 10
"""How deep templates may stand in templates."""


def decompile(
    source: Source,
    name: str = "main.bicep",
    options: Options = Options(),  # noqa: B008  frozen
) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The texts by file name, that of the template itself first; none of them if it has no Bicep form."""
    files = _Files(options)
    try:
        document = load(source)
        files.add(name, document, "")
    except Malformed as problem:
        message = f"It is not valid JSON: {problem.message}"
        return {}, (Diagnostic("ULN010", Severity.ERROR, message, Label(source, problem.span)),)
    except Refused as fault:
        return {}, (diagnose(fault, source),)
    except RecursionError:  # by the reader of JSON
        return {}, (diagnose(Refused("It is nested too deeply", ""), source),)
    return files.texts, ()


class _Files:
    """The files in the making."""

    __slots__ = ("depth", "options", "texts")

    def __init__(self, options: Options) -> None:
        self.options = options
        self.texts: dict[str, str] = {}
        self.depth = 0

    def add(self, name: str, document: Any, pointer: str) -> None:
        """One template as a file, and its nested ones as others."""
        if self.depth > _MAX_NESTED:
            raise Refused("Templates are nested too deeply", pointer)
        self.texts[name] = ""  # takes its place before those of its modules
        self.depth += 1
        text = self._text(document, pointer)
        self.depth -= 1
        self.texts[name] = format(Source(name, text), self.options)

    def nested(self, template: dict[str, Any], pointer: str, symbol: str) -> str:
        """A nested template as a file; gives its path."""
        name, number = f"nested_{symbol}.bicep", 2
        while name in self.texts:
            name, number = f"nested_{symbol}_{number}.bicep", number + 1
        self.add(name, template, pointer)
        return f"./{name}"

    def _text(self, document: Any, pointer: str) -> str:
        """The text of one file, before it is formatted."""
        fields = lowered(document, pointer)
        if not pointer and not _SECTIONS & fields.keys():
            raise Refused("This is no deployment template", "", "It has a '$schema', and 'resources'.")
        sections = {
            name: section(fields.get(name), f"{pointer}/{name}")
            for name in ("metadata", "definitions", "parameters", "variables", "outputs")
        }
        functions = fields_list(fields.get("functions"), f"{pointer}/functions")
        scope = Scope()
        writer = Writer(scope)
        for name, value in sections["parameters"].items():
            scope.parameters[name.lower()] = scope.names.take(identifier(name), "_param")
            known = lowered(value, f"{pointer}/parameters/{name}")
            scope.values[f"parameters({name.lower()})"] = known.get("defaultvalue")
            scope.values[f"definition({name.lower()})"] = value
        gather(scope, writer, fields.get("resources"), f"{pointer}/resources")
        for name in declarations.variable_names(sections["variables"]):
            scope.variables[name.lower()] = scope.names.take(identifier(name), "_var")
            scope.values[f"variables({name.lower()})"] = sections["variables"].get(name)
        scope.typed = str(fields.get("languageversion", "1")).startswith("2")
        for name in sections["definitions"]:
            scope.types[name.lower()] = scope.names.take(identifier(name), "_type")
        for place, space in enumerate(functions):
            known = lowered(space, f"{pointer}/functions/{place}")
            for name in declarations.lowered_members(known, f"{pointer}/functions/{place}"):
                full = f"{known.get('namespace')}.{name}"
                wanted = name if known.get("namespace") == OWN_FUNCTIONS else full
                scope.functions[full.lower()] = scope.names.take(identifier(wanted), "_func")
        target = _target(fields)
        imported = "extensions" if "extensions" in fields else "imports"
        first = [
            *([f"targetScope = '{target}'"] if target else []),
            *extensions(writer, section(fields.get(imported), f"{pointer}/{imported}"), f"{pointer}/{imported}"),
            *declarations.metadata(writer, sections["metadata"], f"{pointer}/metadata"),
            *declarations.parameters(writer, sections["parameters"], f"{pointer}/parameters"),
        ]
        own = len(scope.resources)  # those that turn out to exist elsewhere come after them, and are written before
        bodies = [self._resource(writer, known) for known in scope.resources]
        bodies = bodies[own:] + bodies[:own]
        parts = [
            _lines(first),
            _lines(types.definitions(writer, sections["definitions"], f"{pointer}/definitions")),
            *declarations.functions(writer, functions, f"{pointer}/functions"),
            _lines(declarations.variables(writer, sections["variables"], f"{pointer}/variables")),
            *bodies,
            _lines(declarations.outputs(writer, sections["outputs"], f"{pointer}/outputs")),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _resource(self, writer: Writer, known: Known) -> str:
        """A resource or module, whose refusal has a place."""
        try:
            return module(writer, known, self.nested) if known.is_module else resource(writer, known)
        except Refused as fault:
            raise Refused(fault.message, fault.pointer or known.pointer, fault.help) from None


def _target(fields: dict[str, Any]) -> str:
    """The scope of a template, by its schema; "" for a resource group."""
    schema = str(fields.get("$schema", "")).rstrip("#").rpartition("/")[2]
    return _SCOPES.get(schema.removesuffix(".json").lower(), "")


def _lines(statements: list[str]) -> str:
    """Statements below each other, an empty line before those with decorators."""
    return "".join(f"\n{s}\n" if s.startswith("@") else f"{s}\n" for s in statements).strip("\n")
