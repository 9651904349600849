"""Rule no-hardcoded-location."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import constant_text, property_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("no-hardcoded-location", Category.LOCATION)
def no_hardcoded_location(model: Model) -> Iterator[Finding]:
    """The location of a resource, written into the file.

    Whoever deploys it elsewhere must edit it. Make it a parameter; `global` is fine.
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
            yield value, f"Location '{text}' is fixed in the file"
