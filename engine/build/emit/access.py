"""Members and indexes: `a.b`, `a.?b`, `a[0]`, `a[^1]`, and what they mean on resources, modules and imports."""

from __future__ import annotations

from engine.build.emit.calls import imported_member
from engine.build.emit.expressions import named
from engine.build.emit.references import outputs, property_of, whole
from engine.build.emit.text import call, index, member, quote, rooted
from engine.build.emit.unit import Locals, Unit, emits_text
from engine.build.emit.uses import member_name, target
from engine.check.symbols import Kind
from engine.parse import tree

Chain = tuple[str, str, list[str]]
"""What was read so far, and the links after a safe access, to be given to `tryGet` in one call."""


@emits_text(tree.Member, tree.Index)
def access(unit: Unit, node: tree.Member | tree.Index, locals: Locals) -> str:
    """A member or an element."""
    return _finish(_chain(unit, node, locals))


@emits_text(tree.NestedMember)
def nested(unit: Unit, node: tree.NestedMember, locals: Locals) -> str:
    """`parent::child` itself."""
    picked = target(unit, node)
    return whole(unit, *picked, locals) if picked else "null()"


def _finish(chain: Chain) -> str:
    base, function, links = chain
    return call(function, base, *links) if links else base


def _chain(unit: Unit, node: tree.Expression, locals: Locals) -> Chain:
    if not isinstance(node, (tree.Member, tree.Index)):
        return unit.text(node, locals), "", []
    name = member_name(node)
    if (picked := target(unit, node)) is not None:
        return whole(unit, *picked, locals), "", []
    if name is not None:
        if (picked := target(unit, node.base)) is not None:
            return property_of(unit, *picked, name, node.safe, locals)
        if (handed := _of_parameter(unit, node.base, name)) is not None:
            return handed, "", []
        if (read := outputs(unit, node, name, locals)) is not None:
            return read
        if (found := _imported(unit, node, name)) is not None:
            return found, "", []
        if unit.module_items and _is_output_of_item(unit, node.base):
            base, function, links = _chain(unit, node.base, locals)
            if node.safe:
                return call("tryGet", _finish((base, function, links)), quote(name)), "tryGet", ["'value'"]
            return (
                (base, function, [*links, quote(name), "'value'"])
                if function
                else (member(base, name) + ".value", "", [])
            )
    elif (picked := target(unit, node.base)) is not None:
        assert isinstance(node, tree.Index)
        return index(whole(unit, *picked, locals), unit.text(node.index, locals)), "", []
    chain = _chain(unit, node.base, locals)
    if isinstance(node, tree.Index) and node.from_end:
        at = unit.text(node.index, locals)
        if node.safe:
            return _finish(chain), "tryIndexFromEnd", [at]
        if chain[1]:
            return chain[0], chain[1], [*chain[2], f"createObject('value', {at}, 'fromEnd', true())"]
        return call("indexFromEnd", rooted(chain[0]), at), "", []
    link = quote(name) if name is not None else unit.text(node.index, locals)  # type: ignore[union-attr]
    if node.safe:
        return rooted(_finish(chain)), "tryGet", [link]
    if chain[1]:
        return chain[0], chain[1], [*chain[2], link]
    return (member(chain[0], name) if name is not None else index(chain[0], link)), "", []


def identified(node: tree.Expression) -> tree.Expression:
    """What stands for a resource where its id is handed over."""
    return tree.Member(node.start, node.end, node, tree.Identifier(node.start, node.end, "id"), False)


def _of_parameter(unit: Unit, node: tree.Node, name: str) -> str | None:
    """A member of a parameter that is a resource; what the parameter itself holds is the id."""
    symbol = unit.symbol(node) if type(node) is tree.Name else None
    if symbol is None or not isinstance(symbol.declaration, tree.ResourceParam):
        return None
    kind = symbol.declaration.type
    type_, _, version = ((kind.literal if isinstance(kind, tree.Text) else None) or "").partition("@")
    id = unit.parameter(symbol)
    match name:
        case "id":
            return id
        case "name":
            return call("last", call("split", id, "'/'"))
        case "type":
            return quote(type_)
        case "apiVersion":
            return quote(version)
        case "properties":
            return call("reference", id, quote(version))
        case _:
            return member(call("reference", id, quote(version), "'full'"), name)


def _is_output_of_item(unit: Unit, node: tree.Expression) -> bool:
    """Whether a node is `m.outputs` of a module that a lambda was given."""
    if not isinstance(node, (tree.Member, tree.Index)) or member_name(node) != "outputs":
        return False
    return unit.bindings.get(id(node.base)) in unit.module_items


def _imported(unit: Unit, node: tree.Member | tree.Index, name: str) -> str | None:
    """`namespace.variable`, or `extension.config`."""
    if type(node.base) is not tree.Name or (base := unit.bindings.get(id(node.base))) is None:
        return None
    if base.kind is Kind.EXTENSION and name == "config":
        return f"extensions({quote(base.name)}).config"
    symbol = imported_member(unit, base, name)
    return named(unit, symbol, node) if symbol is not None else None
