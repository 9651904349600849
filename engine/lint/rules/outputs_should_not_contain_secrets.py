"""Rule outputs-should-not-contain-secrets."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.functions.signature import Trait
from engine.check.model import Model
from engine.lint.names import is_secure
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
            yield node.name, f"Output '{node.name.text}' looks like a secret by its name"
        for inner in tree.walk(node.value):
            match inner:
                case tree.Name():
                    symbol = model.symbol(inner)
                    if symbol is not None and is_secure(model, symbol):
                        yield inner, f"Secure parameter '{inner.text}' leaves by an output"
                case tree.Call():
                    function = model.builtin(inner)
                    if function is not None and Trait.SECURE in function.traits:
                        yield inner, f"What '{function.name}' returns may be a secret, and leaves by an output"
                case tree.MethodCall() if inner.name.text.startswith("list"):
                    yield inner, f"What '{inner.name.text}' returns may be a secret, and leaves by an output"
                case _:
                    pass
