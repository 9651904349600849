"""From a checked file to its ARM template."""

from __future__ import annotations

from collections.abc import Mapping

from engine.build.emit import access, calls, expressions, values
from engine.build.emit.declared import declared
from engine.build.emit.dependencies import Dependencies
from engine.build.emit.extensions import Extension, assign, extension_section, extensions
from engine.build.emit.language import EXPERIMENTAL, language_version
from engine.build.emit.limits import check_limits
from engine.build.emit.modules import module
from engine.build.emit.origins import Origins
from engine.build.emit.resources import resource
from engine.build.emit.signature import definition, function, output, parameter
from engine.build.emit.survey import Survey, find_inlined
from engine.build.emit.unit import Session, Unit
from engine.build.emit.variables import Section, exported_variables, own_variables
from engine.build.hash import template_hash
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Span
from engine.parse import tree
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

    from engine.build.emit.imports import Imports

VERSION = "0.46.1"
"""The release of the reference compiler whose output this is; it goes into templates and their hashes."""

HANDLERS = (access, calls, expressions, values)  # importing them registers what they emit

_SCHEMAS = {
    "resourceGroup": "2019-04-01/deploymentTemplate",
    "subscription": "2018-05-01/subscriptionDeploymentTemplate",
    "managementGroup": "2019-08-01/managementGroupDeploymentTemplate",
    "tenant": "2019-08-01/tenantDeploymentTemplate",
}
_WARNING = (
    "This template uses ARM features that are experimental. Experimental features should be enabled for testing purposes "
    "only, as there are no guarantees about the quality or stability of these features. Do not enable these settings for "
    "any production usage, or your production environment may be subject to breaking."
)


def build(
    model: Model, *, symbolic: bool = False, version: str = VERSION, hashed: bool = True
) -> tuple[Template, tuple[Diagnostic, ...]]:
    """The template that a file without errors compiles to, and what only building found wrong.

    `symbolic` asks for symbolic names where the file would do without: what is deployed is known by the names that its
    author gave. `version` is the compiler's own in the metadata; it is a part of what the hash covers. Without `hashed`
    there is no `templateHash`, a third of the work.
    """
    session = Session(symbolic=symbolic, version=version, hashed=hashed)
    try:
        template = _build(model, session)
    except RecursionError:
        whole = Label(model.source, Span(0, min(1, len(model.source.text))))
        message = "The program nests too deeply to be compiled"
        session.diagnostics.append(Diagnostic("ULN120", Severity.ERROR, message, whole))
        template = Template(_stem(model), {"resources": []})
    return template, tuple(session.diagnostics)


def opened(model: Model, session: Session) -> tuple[Unit, Survey, list[Extension]]:
    """A file looked at, before anything is written."""
    unit = Unit(model, session)
    unit.declared = declared(model)
    used = extensions(unit)
    assign(unit, used)
    survey = Survey(unit)
    unit.inlined = find_inlined(unit, survey)
    return unit, survey, used


def _build(model: Model, session: Session) -> Template:
    unit, survey, used = opened(model, session)
    language = language_version(unit, survey)
    unit.symbolic = language is not None
    check_limits(unit)
    loads = _loads(unit)
    imports = _imports(unit)
    origins = Origins(model.source)
    head: dict[str, Any] = {
        "$schema": f"https://schema.management.azure.com/schemas/{_SCHEMAS.get(model.target_scope, _SCHEMAS['resourceGroup'])}.json#"
    }
    if language is not None:
        head["languageVersion"] = language
    head["contentVersion"] = "1.0.0.0"
    generator: dict[str, Any] = {"name": "bicep", "version": session.version}
    head["metadata"] = _metadata(unit, language, generator)

    definitions: dict[str, Any] = {}
    functions: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    outputs: dict[str, Any] = {}
    asserts: dict[str, Any] = {}
    for statement in model.file.statements:
        match statement:
            case tree.Param() | tree.ResourceParam():
                parameters[statement.name.text] = parameter(unit, statement)
                origins.add("parameters", statement.name.text, statement)
            case tree.Output():
                outputs[statement.name.text] = output(unit, statement)
                origins.add("outputs", statement.name.text, statement)
            case tree.TypeDeclaration():
                definitions[statement.name.text] = definition(unit, statement)
                origins.add("definitions", statement.name.text, statement)
            case tree.Func():
                functions[statement.name.text] = function(unit, statement)
            case tree.Assert():
                asserts[statement.name.text] = unit.value(statement.value)
                origins.add("asserts", statement.name.text, statement)
            case tree.Var():
                origins.add("variables", statement.name.text, statement)
            case _:
                pass
    section = Section()
    section.values.update(loads)
    own_variables(unit, survey.variables, section)
    spaces = {"__bicep": functions} if functions else {}
    if imports is not None:
        imports.definitions(definitions)
        imports.variables(section)
        imports.functions(spaces)
    resources = _resources(unit, survey, origins)
    body = {
        "definitions": definitions,
        "functions": [
            {"namespace": space, "members": members} for space, members in sorted(spaces.items(), key=_own_first)
        ],
        "parameters": parameters,
        "variables": section.document(),
        "extensions" if unit.extension_key == "extension" else "imports": extension_section(unit, used),
    }
    document = head | {key: value for key, value in body.items() if value}
    document["resources"] = resources if unit.symbolic else list(resources.values())
    document |= {key: value for key, value in (("outputs", outputs), ("asserts", asserts)) if value}
    if session.hashed:
        generator["templateHash"] = template_hash(document)
    return Template(_stem(model), document, origins.found)


def _own_first(space: tuple[str, Any]) -> tuple[bool, str]:
    return space[0] != "__bicep", space[0]


def _loads(unit: Unit) -> list[tuple[str, Any]]:
    """The variables that hold contents of files; most files load none, and need not know how."""
    if "load" not in unit.model.source.text:
        return []
    from engine.build.emit.loads import find_loads

    return find_loads(unit)


def _imports(unit: Unit) -> Imports | None:
    """What the file imports, if it does."""
    if not any(isinstance(statement, tree.Import) for statement in unit.model.file.statements):
        return None
    from engine.build.emit.imports import Imports

    return Imports(unit)


def _resources(unit: Unit, survey: Survey, origins: Origins) -> dict[str, Any]:
    """All resources by symbolic name; existing ones only where the template knows such names."""
    dependencies = Dependencies(unit, survey)
    found: dict[str, Any] = {}
    for symbol, each in unit.declared.items():
        if each.existing and (not unit.symbolic or symbol in unit.inlined):
            continue
        pointer = f"/resources/{each.name if unit.symbolic else len(found)}"
        if not each.module:
            found[each.name] = resource(unit, each, dependencies)
            origins.at(pointer, each.statement)
            continue
        statement = each.statement
        assert isinstance(statement, tree.Module)
        nested = _nested(unit, statement)
        found[each.name] = module(unit, each, dependencies, nested.document)
        origins.at(pointer, statement)
        origins.below(f"{pointer}/properties/template", nested)
    return found


def _nested(unit: Unit, statement: tree.Module) -> Template:
    """The template of a module, compiled once however often it is used."""
    used = unit.model.modules.get(id(statement))
    if isinstance(used, Template):
        return used
    if not isinstance(used, Model):
        unit.error("BCP190", statement.path, "The module is not there: only files can be used yet, no registry")
        return Template("", {"resources": []})
    built = unit.session.built.get(id(used))
    if built is None:
        built = unit.session.built[id(used)] = _build(used, unit.session)
    template: Template = built
    return template


def _metadata(unit: Unit, language: str | None, generator: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if language is not None and language.endswith("experimental"):
        enabled = [name for flag, name in EXPERIMENTAL.items() if unit.model.config.feature(flag)]
        if enabled:
            found["_EXPERIMENTAL_WARNING"] = _WARNING
            found["_EXPERIMENTAL_FEATURES_ENABLED"] = enabled
    found["_generator"] = generator
    if exported := exported_variables(unit):
        found["__bicep_exported_variables!"] = exported
    for statement in unit.model.file.statements:
        if isinstance(statement, tree.Metadata):
            found[statement.name.text] = unit.value(statement.value)
    return found


def _stem(model: Model) -> str:
    return model.path.rpartition("/")[2].rpartition(".")[0]
