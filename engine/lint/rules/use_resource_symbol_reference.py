"""Rule use-resource-symbol-reference."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import Safety
from engine.lint.edits import replace
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-resource-symbol-reference")
def use_resource_symbol_reference(model: Model) -> Iterator[Finding]:
    """`reference(x.id)` or `listKeys(x.id, …)`, where `x` is a resource of the file.

    `x.properties` and `x.listKeys()` say the same, and are checked.

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
    for node in model.nodes(tree.Call):
        function = model.builtin(node)
        if function is None or not (function.name == "reference" or function.name.startswith("list")):
            continue
        target = node.arguments[0] if node.arguments else None
        if not isinstance(target, tree.Member) or target.name.text not in ("id", "name"):
            continue
        symbol = model.symbol(target.base)
        if symbol is None or not isinstance(symbol.declaration, tree.Resource):
            continue
        if function.name != "reference":
            better = f"{symbol.name}.{function.name}()"
            fix = replace(node, better, f"Write {better}", Safety.UNSAFE)
        elif any(isinstance(a, tree.Text) and a.literal == "Full" for a in node.arguments[2:]):
            better, fix = symbol.name, None
        else:
            better = f"{symbol.name}.properties"
            fix = replace(node, better, f"Write {better}", Safety.UNSAFE)
        yield node, f"'{function.name}' of a resource of the file is {better}", fix
