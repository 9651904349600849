"""Rule outputs-should-not-contain-secrets."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.lint.names import secrets
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("outputs-should-not-contain-secrets", Category.SECURITY)
def outputs_should_not_contain_secrets(model: Model) -> Iterator[Finding]:
    """An output that gives a secret away, without `@secure()`.

    Whoever may read the deployment may read its outputs. Put `@secure()` before it, or leave it out.

    Example:
        @secure()
        param password string
        output o string = password
        ---
        @secure()
        param password string
        @secure()
        output o string = password
    """
    for node in model.nodes(tree.Output):
        if model.has_decorator(node, "secure"):
            continue
        if "password" in node.name.text.lower():
            yield node, f"Output '{node.name.text}' looks like a secret by its name"
        yield from secrets(model, node.value)
