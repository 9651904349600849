"""Rule secure-params-in-parameters-file."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.declared import params_of
from engine.check.model import Model
from engine.check.symbols import Kind
from engine.lint.names import holds_secret, made_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("secure-params-in-parameters-file", Category.SECURITY)
def secure_params_in_parameters_file(model: Model) -> Iterator[Finding]:
    """In a parameter file, the value of a secure parameter given to one that is not secure.

    It would be shown in the clear. Make the other parameter secure as well.

    Example (bicepparam):
        >>> main.bicep
        @secure()
        param token string
        param shown string
        output o bool = empty(token) || empty(shown)
        <<<
        using 'main.bicep'
        param token = 'x'
        param shown = 'a${token}'
        ---
        using 'main.bicep'
        param token = 'x'
        param shown = 'a'
    """
    using = next((s for s in model.file.statements if isinstance(s, tree.Using)), None)
    target = model.modules.get(id(using))
    if target is None:
        return
    types = {name: wanted.type for name, wanted in params_of(target).items()}
    secure = {name for name, type in types.items() if holds_secret(type)}
    for statement in model.nodes(tree.Param):
        if statement.value is None or statement.name.text in secure or statement.name.text not in types:
            continue
        named = map(model.symbol, made_of(model, statement.value, defaults=True))
        found = sorted({s.name for s in named if s is not None and s.kind is Kind.PARAM} & secure)
        if found:
            names = ", ".join(f"'{name}'" for name in found)
            yield statement.value, f"'{statement.name.text}' is not secure, and takes the value of {names}"
