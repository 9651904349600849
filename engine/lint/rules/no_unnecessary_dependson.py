"""Rule no-unnecessary-dependson."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.diagnostics.diagnostic import Safety
from engine.lint.edits import remove_member
from engine.lint.names import property_of
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("no-unnecessary-dependson")
def no_unnecessary_dependson(model: Model) -> Iterator[Finding]:
    """An entry of `dependsOn` for what the body refers to anyway.

    A reference is a dependency already. Remove the entry, and the list stays short enough to read.

    Example:
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
        }
        resource b 'My.Rp/things@2024-01-01' = {
          name: 'b'
          properties: {
            of: a.id
          }
          dependsOn: [
            a
          ]
        }
        ---
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
        }
        resource b 'My.Rp/things@2024-01-01' = {
          name: 'b'
          properties: {
            of: a.id
          }
        }
    """
    statements: list[tree.Resource | tree.Module] = [*model.nodes(tree.Resource), *model.nodes(tree.Module)]
    for node in statements:
        listed = property_of(node.value, "dependsOn")
        if listed is None or not isinstance(listed.value, tree.Array):
            continue
        inside = {id(n) for n in tree.walk(listed.value)}
        needless: list[tuple[tree.Node, str]] = []
        for item in listed.value.items:
            symbol = model.symbol(item) if isinstance(item, tree.Name) else None
            declaration = symbol.declaration if symbol is not None else None
            if symbol is None or not isinstance(declaration, tree.Resource | tree.Module):
                continue
            if isinstance(declaration.value, tree.For) or getattr(declaration, "existing", False):
                continue
            if any(node.start <= u.start < node.end and id(u) not in inside for u in model.uses[symbol]):
                needless.append((item, symbol.name))
        every = len(needless) == len(listed.value.items)
        for place, name in needless:
            fix = remove_member(model, listed if every else place, f"Remove '{name}' from dependsOn", Safety.SAFE)
            yield place, f"'{name}' is referred to, so it is waited for without this", fix
