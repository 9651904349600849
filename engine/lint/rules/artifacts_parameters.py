"""Rule artifacts-parameters."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import StringType
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.lint.names import property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_PLACE, _TOKEN = "_artifactsLocation", "_artifactsLocationSasToken"


@rule("artifacts-parameters", Category.BEST_PRACTICE)
def artifacts_parameters(model: Model) -> Iterator[Finding]:
    """`_artifactsLocation` and `_artifactsLocationSasToken`, one without the other, or declared otherwise than tools expect.

    Both are strings; the token is secure, and its default is empty; a module that has them is given them.

    Example:
        param _artifactsLocation string
        output o string = _artifactsLocation
        ---
        param _artifactsLocation string = deployment().properties.templateLink.uri
        @secure()
        param _artifactsLocationSasToken string = ''
        output o bool = empty(_artifactsLocationSasToken)
        output p string = _artifactsLocation
    """
    params = {node.name.text: node for node in model.nodes(tree.Param)}
    place, token = params.get(_PLACE), params.get(_TOKEN)
    for one, other in ((place, _TOKEN), (token, _PLACE)):
        if one is None:
            continue
        if other not in params:
            yield one.name, f"Parameter '{one.name.text}' needs '{other}' beside it"
        symbol = model.symbol(one.name)
        if symbol is not None and not isinstance(model.symbol_types.get(symbol), StringType):
            yield one.name, f"Parameter '{one.name.text}' must be a string"
    if token is not None and not model.has_decorator(token, "secure"):
        edit = Edit(Span(token.keyword.start, token.keyword.start), "@secure()\n")
        yield token.name, f"Parameter '{_TOKEN}' must be secure", Fix("Put @secure() before it", (edit,), Safety.UNSAFE)
    if token is not None and isinstance(token.value, tree.Text) and token.value.literal:
        yield token.value, f"The default of '{_TOKEN}' must be empty"
    for module in model.nodes(tree.Module):
        used = model.modules.get(id(module))
        if not isinstance(used, Model):
            continue
        for node in used.nodes(tree.Param):
            name = node.name.text
            if name in (_PLACE, _TOKEN) and property_of(module.value, "params", name) is None:
                yield module.name, f"Module '{module.name.text}' is not given '{name}'"
