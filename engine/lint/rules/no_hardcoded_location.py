"""Rule no-hardcoded-location."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.lint.edits import free_name, replace, text_of
from engine.lint.locations import location_params
from engine.lint.names import literal_of, property_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("no-hardcoded-location", Category.LOCATION)
def no_hardcoded_location(model: Model) -> Iterator[Finding]:
    """The location of a resource, written into the file.

    Whoever deploys it elsewhere must edit it. Make it a parameter; `global` is fine. Likewise what a module is given for one of its
    resources' locations.

    Example:
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
          location: 'westeurope'
        }
        ---
        param location string
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
          location: location
        }
    """
    told: set[int] = set()
    for value, of in _given(model):
        text, variable = literal_of(model, value)
        if text is None or text.lower() == "global":
            continue
        if variable is None:
            yield value, f"{of} '{text}' is fixed in the file", _param(model, value, text)
        elif id(variable) not in told:
            told.add(id(variable))
            message = f"Location '{text}' is fixed in the file: '{variable.name.text}' should be a parameter"
            yield variable.name, message, _changed(model, variable)


def _given(model: Model) -> Iterator[tuple[tree.Node, str]]:
    """The values that say where something goes: of resources, and of modules that ask for it, with what to call them."""
    for _, node in resources(model):
        location = property_of(node.value, "location")
        if location is not None:
            yield location.value, "Location"
    for module in model.nodes(tree.Module):
        used = model.modules.get(id(module))
        for param in location_params(used) if isinstance(used, Model) else ():
            given = property_of(module.value, "params", param.name.text)
            if given is not None:
                yield given.value, f"'{param.name.text}' is a location, and"


def _changed(model: Model, variable: tree.Var) -> Fix | None:
    """A parameter in place of the variable that has the text; one that others import stays a variable."""
    name = variable.name
    if model.has_decorator(variable, "export"):
        return None
    typed = () if variable.type is not None else (Edit(Span(name.end, name.end), " string"),)
    return Fix(f"Make '{name.text}' a parameter", (Edit(variable.keyword, "param"), *typed), Safety.UNSAFE)


def _param(model: Model, value: tree.Node, text: str) -> Fix:
    """A parameter in place of the text: one that has it as its default, or a new one."""
    for known in model.nodes(tree.Param):
        if (
            isinstance(known.value, tree.Text)
            and known.value.literal == text
            and known.name.text.startswith("location")
        ):
            return replace(value, known.name.text, f"Use the parameter '{known.name.text}'", Safety.UNSAFE)
    name = free_name(model, "location")
    start = model.file.statements[0].start
    declaration = Edit(Span(start, start), f"param {name} string = {text_of(model, value)}\n\n")
    return Fix(f"Add a parameter '{name}'", (declaration, Edit(value.span, name)), Safety.UNSAFE)
