"""Literals, operators, names and lambdas as ARM expression text."""

from __future__ import annotations

from engine.build.emit.declared import key_text
from engine.build.emit.references import whole
from engine.build.emit.text import NULL, call, integer, quote
from engine.build.emit.unit import NO_LOCALS, Locals, Unit, emits_text
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

_PARAM = Kind.PARAM
_OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "<": "less",
    "<=": "lessOrEquals",
    ">": "greater",
    ">=": "greaterOrEquals",
    "==": "equals",
    "&&": "and",
    "||": "or",
    "??": "coalesce",
}


@emits_text(tree.Text)
def text(unit: Unit, node: tree.Text, locals: Locals) -> str:
    """A string, or a call of `format` if it has holes."""
    if not node.holes:
        return quote(node.parts[0])
    parts = node.parts
    joined = "".join(parts)
    if "{" in joined or "}" in joined:
        parts = tuple(part.replace("{", "{{").replace("}", "}}") for part in parts)
    pattern = parts[0] + "".join([f"{{{place}}}{part}" for place, part in enumerate(parts[1:])])
    return call("format", quote(pattern), *[unit.text(hole, locals) for hole in node.holes])


@emits_text(tree.Integer)
def whole_number(unit: Unit, node: tree.Integer, locals: Locals) -> str:
    """An integer."""
    return integer(node.value)


@emits_text(tree.Boolean)
def boolean(unit: Unit, node: tree.Boolean, locals: Locals) -> str:
    """`true()`, `false()`"""
    return "true()" if node.value else "false()"


@emits_text(tree.Null)
def null(unit: Unit, node: tree.Null, locals: Locals) -> str:
    """`null()`"""
    return NULL


@emits_text(tree.Broken, tree.If, tree.Nullable, tree.ArrayType, tree.TupleType, tree.ObjectType)
@emits_text(tree.Union, tree.ItemsAccess, tree.RestAccess, tree.Parameterized)
def nothing(unit: Unit, node: tree.Node, locals: Locals) -> str:
    """What can be no value; `check` has said so."""
    return NULL


@emits_text(tree.For)
def loop(unit: Unit, node: tree.For, locals: Locals) -> str:
    """A loop within an expression."""
    return unit.loop(node, locals)


@emits_text(tree.Parenthesized)
def parenthesized(unit: Unit, node: tree.Parenthesized, locals: Locals) -> str:
    """What stands in parentheses."""
    return unit.text(node.inner, locals)


@emits_text(tree.NonNull)
def non_null(unit: Unit, node: tree.NonNull, locals: Locals) -> str:
    """`x!` says something about the type only."""
    return unit.text(node.base, locals)


@emits_text(tree.Unary)
def unary(unit: Unit, node: tree.Unary, locals: Locals) -> str:
    """`not(x)`, `sub(0, x)`, or a negative number."""
    if node.operator == "!":
        return call("not", unit.text(node.operand, locals))
    if isinstance(node.operand, tree.Integer):
        return integer(-node.operand.value)
    return call("sub", "0", unit.text(node.operand, locals))


@emits_text(tree.Binary)
def binary(unit: Unit, node: tree.Binary, locals: Locals) -> str:
    """A call of the operator's function."""
    left, right = unit.text(node.left, locals), unit.text(node.right, locals)
    match node.operator:
        case "!=":
            return f"not(equals({left}, {right}))"
        case "=~":
            return f"equals(toLower({left}), toLower({right}))"
        case "!~":
            return f"not(equals(toLower({left}), toLower({right})))"
        case operator:
            return f"{_OPERATORS[operator]}({left}, {right})"


@emits_text(tree.Ternary)
def ternary(unit: Unit, node: tree.Ternary, locals: Locals) -> str:
    """`if(c, t, f)`"""
    return call("if", *unit.texts((node.condition, node.then, node.otherwise), locals))


@emits_text(tree.Lambda)
def lambda_(unit: Unit, node: tree.Lambda, locals: Locals) -> str:
    """`lambda('x', body)`"""
    return call("lambda", *(quote(p.text) for p in node.parameters), unit.text(node.body, locals))


@emits_text(tree.Array)
def array(unit: Unit, node: tree.Array, locals: Locals) -> str:
    """`createArray(…)`, joined with what is spread."""
    if not any(type(item) is tree.Spread for item in node.items):
        return call("createArray", *unit.texts(node.items, locals))
    runs: list[str] = []
    run: list[str] = []
    for item in (*node.items, None):
        if item is None or isinstance(item, tree.Spread):
            if run:
                runs.append(call("createArray", *run))
                run = []
            if item is not None:
                runs.append(unit.text(item.value, locals))
        else:
            run.append(unit.text(item, locals))
    return call("flatten", call("createArray", *runs))


@emits_text(tree.Object)
def object_(unit: Unit, node: tree.Object, locals: Locals) -> str:
    """`createObject(…)`, merged with what is spread."""
    runs: list[str] = []
    run: list[str] = []
    spread = False
    for member in (*node.members, None):
        if isinstance(member, tree.Property):
            key = key_text(member.key)
            run += [quote(key) if key is not None else unit.text(member.key, locals), unit.text(member.value, locals)]
        elif member is None or isinstance(member, tree.Spread):
            if run:
                runs.append(call("createObject", *run))
                run = []
            if member is not None:
                spread = True
                runs.append(unit.text(member.value, locals))
    if spread:
        return call("shallowMerge", call("createArray", *runs))
    return runs[0] if runs else "createObject()"


@emits_text(tree.Name)
def name(unit: Unit, node: tree.Name, locals: Locals) -> str:
    """What a name stands for."""
    symbol = unit.bindings.get(id(node))
    if symbol is None:
        return NULL
    if locals and (replaced := locals.get(symbol)) is not None and symbol not in unit.declared:
        return replaced
    if symbol.kind is _PARAM:
        return unit.parameter(symbol)
    return named(unit, symbol, node)


def named(unit: Unit, symbol: Symbol, node: tree.Node) -> str:
    """A use of a symbol that no loop replaces."""
    match symbol.kind:
        case Kind.VAR:
            if unit.inlines(symbol):
                assert isinstance(symbol.declaration, tree.Var)
                unit.active.add(symbol)
                try:
                    return unit.text(symbol.declaration.value, NO_LOCALS)
                finally:
                    unit.active.discard(symbol)
            return unit.variable(symbol)
        case Kind.PARAM | Kind.BASE:
            return unit.parameter(symbol)
        case Kind.LAMBDA_PARAMETER:
            return call("lambdaVariables", quote(symbol.name))
        case Kind.FUNC_PARAMETER:
            return call("parameters", quote(symbol.name))
        case Kind.RESOURCE | Kind.MODULE if symbol in unit.declared:
            return whole(unit, symbol, None, NO_LOCALS)
        case _:
            return NULL
