"""Rule artifacts-parameters."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.declared import params_of
from engine.check.model import Model
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.diagnostics.source import Span
from engine.lint.edits import replace, text_of
from engine.lint.names import declared_params, property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

_PLACE, _TOKEN = "_artifactsLocation", "_artifactsLocationSasToken"


@rule("artifacts-parameters", Category.BEST_PRACTICE)
def artifacts_parameters(model: Model) -> Iterator[Finding]:
    """`_artifactsLocation` and `_artifactsLocationSasToken`, one without the other, or declared otherwise than tools expect.

    Both are strings; the place defaults to a URL, or to that of the template (`deployment().properties.templateLink.uri`); the
    token is secure, and its default is empty; a module that has them is given them.

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
    params = {node.name.text.lower(): node for node in declared_params(model) if isinstance(node, tree.Param)}
    place, token = params.get(_PLACE.lower()), params.get(_TOKEN.lower())
    if place is not None and token is not None:
        yield from _declared(model, place, token)
    elif (one := place or token) is not None:
        yield one.name, f"Parameter '{one.name.text}' needs '{_PLACE if one is token else _TOKEN}' beside it"
    for module in model.nodes(tree.Module):
        used = model.modules.get(id(module))
        for name in params_of(used) if used is not None else ():
            if name.lower() in (_PLACE.lower(), _TOKEN.lower()) and property_of(module.value, "params", name) is None:
                yield module.name, f"Module '{module.name.text}' is not given '{name}'"


def _declared(model: Model, place: tree.Param, token: tree.Param) -> Iterator[Finding]:
    """What is wrong with the two where both are there."""
    for node in (place, token):
        if isinstance(node.type, tree.Name) and node.type.text != "string":
            fix = replace(node.type, "string", "Make it a string", Safety.UNSAFE)
            yield node.type, f"Parameter '{node.name.text}' must be a string", fix
    if token.type is not None and not model.has_decorator(token, "secure"):
        edit = Edit(Span(token.keyword.start, token.keyword.start), "@secure()\n")
        fix = Fix("Put @secure() before it", (edit,), Safety.UNSAFE)
        yield token.type, f"Parameter '{token.name.text}' must be secure", fix
    if place.value is not None and not _leads(model, place.value):
        yield place.value, f"The default of '{place.name.text}' must be a URL, or that of the template"
    if token.value is not None and not (isinstance(token.value, tree.Text) and token.value.literal == ""):
        yield token.value, f"The default of '{token.name.text}' must be empty"


def _leads(model: Model, value: tree.Node) -> bool:
    """Whether a value is a URL, or takes the one that the template came from."""
    if isinstance(value, tree.Text) and value.literal is not None:
        return value.literal.startswith("http")
    _, asked, rest = text_of(model, value).lower().partition("deployment(")
    return bool(asked) and ".templatelink" in rest
