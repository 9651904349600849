"""What a resource or module means in an expression: `reference(…)`, its id, or what its declaration says."""

from __future__ import annotations

from engine.build.emit.declared import Declared
from engine.build.emit.identifiers import identifier
from engine.build.emit.names import name_of, seen
from engine.build.emit.secure import secure_outputs
from engine.build.emit.text import call, member, quote
from engine.build.emit.unit import Locals, Unit
from engine.build.emit.uses import IDENTITY, member_name, target
from engine.check.symbols import Symbol
from engine.parse import tree


def symbolic(each: Declared, at: str | None) -> str:
    """Its symbolic name as text, with the index if it is one of a collection."""
    return call("format", quote(each.name + "[{0}]"), at) if at is not None else quote(each.name)


def by_name(unit: Unit, each: Declared) -> bool:
    """Whether the template knows it by its symbolic name."""
    return unit.symbolic and each.symbol not in unit.inlined


def handle(unit: Unit, symbol: Symbol, index: tree.Expression | None, locals: Locals) -> str:
    """What `list…` functions and `reference` take: its symbolic name, or its id."""
    each = unit.declared[symbol]
    at = None if index is None else unit.text(index, locals)
    return _handle(unit, each, at)


def _handle(unit: Unit, each: Declared, at: str | None) -> str:
    return symbolic(each, at) if by_name(unit, each) else identifier(unit, each, seen(unit, each, at))


def whole(unit: Unit, symbol: Symbol, index: tree.Expression | None, locals: Locals) -> str:
    """The thing itself, with all its properties; all of them, if it is a collection."""
    each = unit.declared[symbol]
    at = None if index is None else unit.text(index, locals)
    if each.loop is not None and at is None:
        full = () if each.module or each.extension else ("'full'",)
        return call("references", quote(each.name), *full)
    return _reference(unit, each, at, full=True)


def _reference(unit: Unit, each: Declared, at: str | None, *, full: bool) -> str:
    arguments = [_handle(unit, each, at)]
    if each.extension is None:
        full = full and not each.module
        if full or not by_name(unit, each):
            arguments.append(quote(each.version))
        if full:
            arguments.append("'full'")
    return call("reference", *arguments)


def property_of(
    unit: Unit, symbol: Symbol, index: tree.Expression | None, name: str, safe: bool, locals: Locals
) -> tuple[str, str, list[str]]:
    """A member of a resource or module, as the start of a chain of accesses."""
    each = unit.declared[symbol]
    at = None if index is None else unit.text(index, locals)
    if name in IDENTITY and each.extension is None:
        text = _declared(unit, each, name, at)
        return _if_there(unit, each, at, text) if safe and name in ("id", "name") else text, "", []
    if each.loop is not None and at is None:
        return member(whole(unit, symbol, None, locals), name), "", []
    if safe:
        if name == "outputs" and secure_outputs(unit.model.modules.get(id(each.statement))):
            return _if_there(unit, each, at, _secure(unit, each, at)), "tryGet", []
        return _if_there(unit, each, at, _reference(unit, each, at, full=True)), "tryGet", [quote(name)]
    if name == "properties" and not each.module and each.extension is None:
        return _reference(unit, each, at, full=False), "", []
    return member(_reference(unit, each, at, full=True), name), "", []


def _if_there(unit: Unit, each: Declared, at: str | None, text: str) -> str:
    """What is read of a resource that a condition may have left out."""
    if not each.conditions:
        return text
    return call("if", all_of(unit.texts(each.conditions, seen(unit, each, at))), text, "null()")


def _secure(unit: Unit, each: Declared, at: str | None) -> str:
    return call("listOutputsWithSecureValues", _handle(unit, each, at), quote(each.version))


def _declared(unit: Unit, each: Declared, name: str, at: str | None) -> str:
    match name:
        case "id":
            return identifier(unit, each, seen(unit, each, at))
        case "name":
            return name_of(unit, each, seen(unit, each, at))
        case "type":
            return quote(each.type)
        case _:
            return quote(each.version)


def outputs(unit: Unit, node: tree.Member | tree.Index, name: str, locals: Locals) -> tuple[str, str, list[str]] | None:
    """`module.outputs.name`; None if the node is something else."""
    below = node.base
    if not isinstance(below, (tree.Member, tree.Index)) or member_name(below) != "outputs":
        return None
    if (picked := target(unit, below.base)) is None or not (each := unit.declared[picked[0]]).module:
        return None
    symbol, index = picked
    secure = secure_outputs(unit.model.modules.get(id(each.statement)))
    if below.safe:
        base, function, links = property_of(unit, symbol, index, "outputs", True, locals)
        if secure:
            return base, function, [quote(name)]
        if node.safe:
            return call("tryGet", call(function, base, *links), quote(name)), "tryGet", ["'value'"]
        return base, function, [*links, quote(name), "'value'"]
    if name in secure:
        at = None if index is None else unit.text(index, locals)
        return member(_secure(unit, each, at), name), "", []
    base, _, _ = property_of(unit, symbol, index, "outputs", False, locals)
    if node.safe:
        return call("tryGet", base, quote(name)), "tryGet", ["'value'"]
    return member(base, name) + ".value", "", []


def all_of(conditions: list[str]) -> str:
    """All conditions at once, as nested `and`s."""
    text = conditions[0]
    for condition in conditions[1:]:
        text = call("and", text, condition)
    return text
