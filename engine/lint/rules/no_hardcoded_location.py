"""Rule no-hardcoded-location."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.lint.edits import text_of
from engine.lint.names import constant_text, property_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("no-hardcoded-location", Category.LOCATION)
def no_hardcoded_location(model: Model) -> Iterator[Finding]:
    """The location of a resource, written into the file.

    Whoever deploys it elsewhere must edit it. Make it a parameter; `global` is fine.

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
    for _, node in resources(model):
        location = property_of(node.value, "location")
        if location is None:
            continue
        value = location.value
        text = value.literal if isinstance(value, tree.Text) else None
        if isinstance(value, tree.Name):
            symbol = model.symbol(value)
            if symbol is not None and isinstance(symbol.declaration, tree.Var):
                text = constant_text(model, value)
        if text is not None and text.lower() != "global":
            yield value, f"Location '{text}' is fixed in the file", _parameter(model, value)


def _parameter(model: Model, value: tree.Node) -> Fix:
    """A parameter in place of the text, or of the variable that has it."""
    symbol = model.symbol(value) if isinstance(value, tree.Name) else None
    if symbol is not None and isinstance(symbol.declaration, tree.Var):
        name, keyword = symbol.declaration.name, symbol.declaration.keyword
        edits = (Edit(keyword, "param"), Edit(Span(name.end, name.end), " string"))
        return Fix(f"Make '{symbol.name}' a parameter", edits, Safety.UNSAFE)
    place = Edit(value.span, "location")
    if "location" in model.symbols:
        return Fix("Use the parameter 'location'", (place,), Safety.UNSAFE)
    start = model.file.statements[0].start
    declaration = Edit(Span(start, start), f"param location string = {text_of(model, value)}\n\n")
    return Fix("Add a parameter 'location'", (declaration, place), Safety.UNSAFE)
