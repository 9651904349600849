"""Rule secure-secrets-in-params."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import ObjectType, StringType
from engine.contract.patterns import pattern
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.lint.names import is_secure
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_SECRET = r"(?i)password|pwd|secret|accountkey|acctkey"
_EXCEPT = r"(?i)secret(permissions|version|ur[il]|name)"


@rule("secure-secrets-in-params", Category.SECURITY)
def secure_secrets_in_params(model: Model) -> Iterator[Finding]:
    """A parameter that by its name or default holds a secret, without `@secure()`.

    Its value is shown in logs, plans and histories. Put `@secure()` before it.

    Example:
        param password string
        output o bool = empty(password)
        ---
        @secure()
        param password string
        output o bool = empty(password)
    """
    for node in model.nodes(tree.Param):
        if node.type is None or model.has_decorator(node, "secure"):
            continue
        symbol = model.symbol(node.name)
        if symbol is None or not isinstance(model.symbol_types.get(symbol), StringType | ObjectType):
            continue
        name = node.name.text
        by_name = pattern(_SECRET).search(name) is not None and pattern(_EXCEPT).search(name) is None
        by_value = node.value is not None and any(
            is_secure(model, s) for n in tree.find(node.value, tree.Name) if (s := model.symbol(n)) is not None
        )
        if by_name or by_value:
            edit = Edit(Span(node.keyword.start, node.keyword.start), "@secure()\n")
            fix = Fix("Put @secure() before it", (edit,), Safety.UNSAFE)
            yield node.name, f"Parameter '{name}' may hold a secret, and is not secure", fix
