"""Rule no-unnecessary-dependson."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.declare import body_members
from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.diagnostics.diagnostic import Safety
from engine.lint.edits import remove_member
from engine.lint.names import gates, key_of, made_of, property_of
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
        reached = _reached(model, node)
        needless: list[tuple[tree.Node, str]] = []
        for item in listed.value.items:
            symbol = model.symbol(item)
            declaration = symbol.declaration if symbol is not None else None
            if symbol is None or symbol not in reached or not isinstance(declaration, tree.Resource):
                continue
            if not isinstance(declaration.value, tree.For):
                needless.append((item, symbol.name))
        every = len(needless) == len(listed.value.items)
        for place, name in needless:
            fix = remove_member(model, listed if every else place, f"Remove '{name}' from dependsOn", Safety.SAFE)
            yield place, f"'{name}' is referred to, so it is waited for without this", fix


def _reached(model: Model, node: tree.Resource | tree.Module) -> set[Symbol | None]:
    """What a resource or module waits for without its `dependsOn`: what it refers to, through variables too, and what it is a part of."""
    parts = made_of(model, *gates(node), *_own(node))
    found = {model.symbol(part) for part in parts if isinstance(part, tree.Name | tree.NestedMember)}
    own = model.bindings.get(id(node))
    while own is not None and own.parent is not None:
        own = own.parent
        found.add(own)
    return found | _above(model, node)


def _above(model: Model, node: tree.Resource | tree.Module) -> set[Symbol | None]:
    """The resources that a declaration names as its parent, its parent's and so on; a circle of them is reported elsewhere."""
    found: set[Symbol | None] = set()
    given = property_of(node.value, "parent")
    while given is not None and (above := model.symbol(given.value)) not in found:
        found.add(above)
        declared = above.declaration if above is not None else None
        given = property_of(declared.value, "parent") if isinstance(declared, tree.Resource) else None
    return found


def _own(node: tree.Resource | tree.Module) -> list[tree.Node]:
    """The parts of a body that are its own: not `dependsOn`, nor the resources that are declared in it."""
    members = body_members(node.value)
    return [m for m in members if not isinstance(m, tree.Resource) and key_of(m) != "dependsOn"]
