"""Rule use-parent-property."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.symbols import Symbol
from engine.check.types import StringLiteral, StringType, members_of
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.lint.edits import text_of
from engine.lint.names import property_of, resources, same, type_of_resource
from engine.lint.rule import Finding, rule
from engine.parse import tree
from engine.parse.escapes import escaped


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
        if symbol.parent is None and not isinstance(node.value, tree.For) and (type := type_of_resource(model, symbol)):
            parents.setdefault(type, []).append((symbol, node))
    for symbol, node in resources(model):
        name = property_of(node.value, "name")
        if symbol.parent is not None or name is None or property_of(node.value, "parent"):
            continue
        kind = type_of_resource(model, symbol).rpartition("/")[0]
        for parent, declared in parents.get(kind, ()):
            rest = _rest(model, name.value, parent, declared) if isinstance(name.value, tree.Text) else None
            if rest is not None and parent is not symbol:
                message = f"'{symbol.name}' repeats the name of '{parent.name}', and could name it as its parent"
                yield name.value, message, _child(model, name, parent, rest)
                break


_Rest = tuple[str, tuple[tree.Expression, ...], tuple[str, ...]]
"""What is left of a name behind that of the parent: its first text, then the holes and the texts behind each."""


def _rest(model: Model, name: tree.Text, parent: Symbol, declared: tree.Resource) -> _Rest | None:
    """The rest of a name that begins with the name of the parent and a slash; None where it does not."""
    own = property_of(declared.value, "name")
    if own is None:
        return None
    begin = own.value
    if not isinstance(begin, tree.Text):
        begin = tree.Text(0, 0, ("", ""), (begin,))
    if name.holes and not name.parts[0] and _names(model, name.holes[0], parent):
        begin = tree.Text(0, 0, ("", ""), (name.holes[0],))
    at = len(begin.holes)
    if (
        len(name.holes) < at
        or name.parts[:at] != begin.parts[:at]
        or not name.parts[at].startswith(f"{begin.parts[at]}/")
    ):
        return None
    if not all(map(same, name.holes, begin.holes)):
        return None
    return name.parts[at][len(begin.parts[at]) + 1 :], name.holes[at:], name.parts[at + 1 :]


def _names(model: Model, node: tree.Node, parent: Symbol) -> bool:
    """Whether an expression is the name of the parent, asked of the parent."""
    return isinstance(node, tree.Member) and node.name.text == "name" and model.symbol(node.base) is parent


def _child(model: Model, name: tree.Property, parent: Symbol, rest: _Rest) -> Fix:
    """The parent and the last part of the name, each a property."""
    text = model.source.text
    line = text.rfind("\n", 0, name.start) + 1
    indent = text[line : name.start]
    between = f"\n{indent}" if not indent.strip() else ", "
    new = f"parent: {parent.name}{between}name: {_written(model, rest)}"
    return Fix(f"Name '{parent.name}' as the parent", (Edit(name.span, new),), Safety.UNSAFE)


def _written(model: Model, rest: _Rest) -> str:
    first, holes, texts = rest
    alone = len(holes) == 1 and not first and not texts[0]
    if alone and all(isinstance(t, StringType | StringLiteral) for t in members_of(model.type_of(holes[0]))):
        return text_of(model, holes[0])
    parts = [f"${{{text_of(model, hole)}}}{escaped(text)}" for hole, text in zip(holes, texts, strict=True)]
    return f"'{escaped(first)}{''.join(parts)}'"
