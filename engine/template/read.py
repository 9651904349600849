"""ARM JSON to a `Template`: a file of its own, or a module of a Bicep file."""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.sources.jsonc import Malformed, Places, load
from engine.template.template import Template

_OBJECTS = ("parameters", "variables", "definitions", "outputs", "metadata")


def read(source: Source) -> tuple[Template, tuple[Diagnostic, ...]]:
    """The template of a JSON text, empty where it could not be read, and what is wrong with it."""
    name = source.name.rpartition("/")[2].rpartition(".")[0]
    places = Places(source)
    try:
        document = load(source)
    except Malformed as problem:
        return Template(name, {"resources": []}), (_problem("ULN010", problem.message, Label(source, problem.span)),)
    if not isinstance(document, Mapping):
        whole = Label(source, Span(0, min(1, len(source.text))))
        return Template(name, {"resources": []}), (
            _problem("ULN011", "This is no deployment template: it is not a JSON object", whole),
        )
    template = Template(name, document, places)
    return template, tuple(_check(template))


def _check(template: Template) -> list[Diagnostic]:
    """What would keep every later step from making sense of it."""
    document, found = template.document, []
    schema = document.get("$schema")
    if not isinstance(schema, str) or "deploymentTemplate.json" not in schema.replace(
        "DeploymentTemplate", "deploymentTemplate"
    ):
        message = "This is no deployment template: '$schema' does not name a template schema"
        found.append(_problem("ULN011", message, template.origin("/$schema")))
        return found
    for key in _OBJECTS:
        if key in document and not isinstance(document[key], Mapping):
            found.append(_problem("ULN011", f"'{key}' of a template must be an object", template.origin(f"/{key}")))
    if not isinstance(document.get("resources", []), Mapping | list):
        found.append(
            _problem("ULN011", "'resources' of a template must be a list or an object", template.origin("/resources"))
        )
    return found


def _problem(code: str, message: str, place: Label | None) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, place)
