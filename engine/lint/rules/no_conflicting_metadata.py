"""Rule no-conflicting-metadata."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import decorated, property_of
from engine.lint.rule import Finding, rule


@rule("no-conflicting-metadata")
def no_conflicting_metadata(model: Model) -> Iterator[Finding]:
    """A `description` in `@metadata`, beside `@description`.

    The decorator of its own wins, and the other is lost. Keep one of them.

    Example:
        @description('One.')
        @metadata({ description: 'Two.' })
        param size string
        output o string = size
        ---
        @description('One.')
        param size string
        output o string = size
    """
    described = {id(node) for node, _ in decorated(model, "description")}
    for node, decorator in decorated(model, "metadata"):
        arguments = getattr(decorator.expression, "arguments", ())
        found = property_of(arguments[0], "description") if arguments else None
        if found is not None and id(node) in described:
            yield found.key, "'@description' overrides this 'description'"
