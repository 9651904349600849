"""Rule use-resource-symbol-reference."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.diagnostics.diagnostic import Safety
from engine.lint.asked import asking
from engine.lint.edits import replace, text_of
from engine.lint.names import DEPTH, property_of, resources, same, type_of_resource
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-resource-symbol-reference")
def use_resource_symbol_reference(model: Model) -> Iterator[Finding]:
    """`reference(x.id)` or `listKeys(x.id, …)`, where `x` is a resource of the file.

    `x.properties` and `x.listKeys()` say the same, and are checked. Likewise where the resource is named by `resourceId()`; an API
    version, where one is given, must be its own.

    Example:
        resource a 'My.Rp/things@2024-01-01' existing = {
          name: 'a'
        }
        output o object = reference(a.id)
        ---
        resource a 'My.Rp/things@2024-01-01' existing = {
          name: 'a'
        }
        output o object = a.properties
    """
    for node in asking(model):
        name = node.name.text
        target, *rest = node.arguments
        if len(rest) > 2 or (name != "reference" and not rest):
            continue
        symbol = _of_version(model, [*_asked(model, target)], rest[0] if rest else None)
        if symbol is None:
            continue
        better = _path(symbol)
        if name != "reference":
            given = ", ".join(text_of(model, argument) for argument in rest) if len(rest) > 1 else ""
            better = f"{better}.{name}({given})"
        elif not any(isinstance(a, tree.Text) and (a.literal or "").lower() == "full" for a in rest[1:]):
            better = f"{better}.properties"
        fix = replace(node, better, f"Write {better}", Safety.UNSAFE)
        yield node, f"'{name}' of a resource of the file is {better}", fix


def _asked(model: Model, node: tree.Node) -> Iterator[Symbol]:
    """The resources whose name or id an expression is: `x.id`, or `resourceId()` with their type and names."""
    if isinstance(node, tree.Member) and node.name.text in ("id", "name"):
        symbol = model.symbol(node.base)
        if symbol is not None and isinstance(symbol.declaration, tree.Resource):
            yield symbol
    function = model.builtin(node)
    if function is None or function.name != "resourceId" or not isinstance(node, tree.Call | tree.MethodCall):
        return
    first, *names = node.arguments or (node,)
    type = (first.literal or "").lower() if isinstance(first, tree.Text) else ""
    for symbol, resource in resources(model):
        if "/" in type and type == type_of_resource(model, symbol) and model.extension_of(symbol) is None:
            own = _names(model, symbol, resource)
            if own and len(own) == len(names) and all(map(same, own, names)):
                yield symbol


def _names(model: Model, symbol: Symbol, node: tree.Resource) -> list[tree.Expression]:
    """The names of a resource and of what it is a part of, the outermost first; none where one is missing."""
    found: list[tree.Expression] = []
    while True:
        name, given = property_of(node.value, "name"), property_of(node.value, "parent")
        if name is None:
            return []
        found.insert(0, name.value)
        above = symbol.parent or (model.symbol(given.value) if given is not None else None)
        if above is None or not isinstance(above.declaration, tree.Resource) or len(found) > DEPTH:
            return found
        symbol, node = above, above.declaration


def _of_version(model: Model, asked: list[Symbol], version: tree.Node | None) -> Symbol | None:
    """Which of the resources is meant by an API version; the only one where none is given."""
    if version is None:
        return asked[0] if len(asked) == 1 else None
    if isinstance(version, tree.Member) and version.name.text == "apiVersion":
        named = model.symbol(version.base)
        return named if named in asked else None
    text = (version.literal or "").lower() if isinstance(version, tree.Text) else ""
    types = ((symbol, model.resource_types.get(symbol)) for symbol in asked)
    return next((symbol for symbol, type in types if text and type and (type.version or "").lower() == text), None)


def _path(symbol: Symbol) -> str:
    return f"{_path(symbol.parent)}::{symbol.name}" if symbol.parent is not None else symbol.name
