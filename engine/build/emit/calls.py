"""Calls of built-in functions, of functions of the program, and of a resource's methods."""

from __future__ import annotations

from engine.build.emit.references import handle
from engine.build.emit.text import NULL, call, quote, wrap
from engine.build.emit.unit import Locals, Unit, emits_text, emits_value, namespace_of
from engine.build.emit.uses import LOADS, target
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

_SCOPES = frozenset({"resourceGroup", "subscription", "managementGroup"})
"""With arguments they say where to deploy, and have no value."""

_ITERATING = frozenset({"map", "filter", "sort", "reduce", "toObject", "groupBy"})
_KEEPING = frozenset({"filter", "sort", "skip", "take"})
"""Functions that give some of the items they are given."""


@emits_text(tree.Call)
def call_text(unit: Unit, node: tree.Call, locals: Locals) -> str:
    """`f(…)`"""
    symbol = unit.bindings.get(id(node))
    if symbol is not None and symbol.kind is Kind.FUNC:
        return unit.call(symbol, unit.texts(node.arguments, locals))
    return _built_in(unit, node, locals)


@emits_text(tree.MethodCall)
def method_text(unit: Unit, node: tree.MethodCall, locals: Locals) -> str:
    """`sys.f(…)`, `imported.f(…)`, `resource.listKeys(…)`, `this.exists()`"""
    if namespace_of(unit, node.base):
        return _built_in(unit, node, locals)
    symbol = unit.bindings.get(id(node))
    if symbol is not None and symbol.kind is Kind.FUNC:
        return unit.call(symbol, unit.texts(node.arguments, locals))
    if (picked := target(unit, node.base)) is not None:
        each = unit.declared[picked[0]]
        owner = unit.model.extension_of(picked[0])
        if owner is not None and id(owner.declaration) in unit.model.extension_types:
            given = call("createArray", *unit.texts(node.arguments, locals))
            return call("invokeResourceMethod", handle(unit, *picked, locals), quote(node.name.text), given)
        arguments = unit.texts(node.arguments, locals) or [quote(each.version)]
        return call(node.name.text, handle(unit, *picked, locals), *arguments)
    match node.base, node.name.text:
        case tree.Name(text="this"), "exists":
            return "not(empty(target('full')))"
        case tree.Name(text="this"), "existingResource":
            return "target('full')"
        case _:
            return NULL


@emits_value(tree.Call, tree.MethodCall)
def call_value(unit: Unit, node: tree.Call | tree.MethodCall, locals: Locals) -> object:
    """A call where a value stands: some disappear."""
    if unit.bindings.get(id(node)) is None and (isinstance(node, tree.Call) or namespace_of(unit, node.base)):
        function = node.name.text
        if function == "any" and node.arguments:
            return unit.value(node.arguments[0], locals)
        if function in _SCOPES and node.arguments:
            return {}
        if function in LOADS:
            from engine.build.emit.loads import load_value

            return load_value(unit, node)
    return wrap(unit.text(node, locals))


def _built_in(unit: Unit, node: tree.Call | tree.MethodCall, locals: Locals) -> str:
    function, arguments = node.name.text, node.arguments
    if function == "any" and arguments:
        return unit.text(arguments[0], locals)
    if function == "nameof" and arguments:
        return quote(last_name(arguments[0]))
    if function in LOADS:
        from engine.build.emit.loads import load_text

        return load_text(unit, node)
    if (special := unit.special(function, node, locals)) is not None:
        return special
    if function in _SCOPES and arguments:
        return "createObject()"
    if function in _ITERATING and arguments and _are_modules(unit, arguments[0]):
        for argument in arguments[1:]:
            if isinstance(argument, tree.Lambda):
                parameters = (
                    argument.parameters[function == "reduce" :][:1] if function != "sort" else argument.parameters
                )
                unit.module_items.update(s for p in parameters if (s := unit.bindings.get(id(p))) is not None)
    return call(function, *unit.texts(arguments, locals))


def _are_modules(unit: Unit, node: tree.Expression) -> bool:
    """Whether an expression gives modules of a collection."""
    match node:
        case tree.Parenthesized():
            return _are_modules(unit, node.inner)
        case tree.Name():
            symbol = unit.bindings.get(id(node))
            if symbol is None:
                return False
            if symbol.kind is Kind.VAR and unit.inlines(symbol) and isinstance(symbol.declaration, tree.Var):
                return _are_modules(unit, symbol.declaration.value)
            each = unit.declared.get(symbol)
            return each is not None and each.module and each.loop is not None
        case tree.Call() | tree.MethodCall():
            return node.name.text in _KEEPING and bool(node.arguments) and _are_modules(unit, node.arguments[0])
        case _:
            return False


def imported_member(unit: Unit, wildcard: Symbol, name: str) -> Symbol | None:
    """What `name` is in the file that a wildcard import brings in."""
    return unit.model.imported.get((wildcard, name)) if wildcard.kind is Kind.WILDCARD else None


def last_name(node: tree.Expression) -> str:
    """What `nameof` gives: the last name written."""
    match node:
        case tree.Name():
            return node.text
        case tree.Member() | tree.NestedMember():
            return node.name.text
        case tree.Index():
            literal = node.index.literal if isinstance(node.index, tree.Text) else None
            return literal if literal is not None else last_name(node.base)
        case tree.Parenthesized():
            return last_name(node.inner)
        case tree.NonNull():
            return last_name(node.base)
        case _:
            return ""
