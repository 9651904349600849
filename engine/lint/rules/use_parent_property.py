"""Rule use-parent-property."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.lint.names import bare, constant_text, property_of, resources, type_of_resource
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-parent-property")
def use_parent_property(model: Model) -> Iterator[Finding]:
    """A child resource whose name repeats the name of its parent, which is in the same file.

    `parent: vnet` says it, checks it, and leaves only the child's own name to write.

    Example:
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
        }
        resource part 'My.Rp/things/parts@2024-01-01' = {
          name: '${a.name}/part'
        }
        ---
        resource a 'My.Rp/things@2024-01-01' = {
          name: 'a'
        }
        resource part 'My.Rp/things/parts@2024-01-01' = {
          parent: a
          name: 'part'
        }
    """
    parents: dict[str, list[tuple[Symbol, tree.Resource]]] = {}
    for symbol, node in resources(model):
        if symbol.parent is None and (type := type_of_resource(model, symbol)):
            parents.setdefault(type, []).append((symbol, node))
    for symbol, node in resources(model):
        name = property_of(node.value, "name")
        if symbol.parent is not None or name is None or property_of(node.value, "parent"):
            continue
        kind = type_of_resource(model, symbol).rpartition("/")[0]
        for parent, declared in parents.get(kind, ()):
            if _repeats(model, name.value, parent, declared):
                message = f"'{symbol.name}' repeats the name of '{parent.name}', and could name it as its parent"
                yield name.value, message, _child(model, name, parent)
                break


def _child(model: Model, name: tree.Property, parent: Symbol) -> Fix | None:
    """The parent and the last part of the name, each a property."""
    value, text = name.value, model.source.text
    if not isinstance(value, tree.Text) or value.multiline:
        return None
    slash = text.find("/", value.holes[0].end if value.holes else value.start)
    line = text.rfind("\n", 0, name.start) + 1
    indent = text[line : name.start]
    between = f"\n{indent}" if not indent.strip() else ", "
    new = f"parent: {parent.name}{between}name: '{text[slash + 1 : value.end]}"
    return Fix(f"Name '{parent.name}' as the parent", (Edit(name.span, new),), Safety.UNSAFE)


def _repeats(model: Model, name: tree.Node, parent: Symbol, declared: tree.Resource) -> bool:
    if not isinstance(name, tree.Text):
        return False
    own = property_of(declared.value, "name")
    if name.holes and not name.parts[0] and name.parts[1].startswith("/"):
        first = bare(name.holes[0])
        if isinstance(first, tree.Member) and first.name.text == "name":
            return model.symbol(first.base) is parent
        inner = model.symbol(first) if isinstance(first, tree.Name) else None
        return (
            inner is not None
            and own is not None
            and isinstance(own.value, tree.Name)
            and model.symbol(own.value) is inner
        )
    literal = constant_text(model, own.value) if own is not None else None
    return bool(literal) and name.parts[0].startswith(f"{literal}/")
