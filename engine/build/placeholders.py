"""Values that stand in for those that a caller has yet to give: one that fits, of every type."""

from __future__ import annotations

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import (
    ArrayType,
    BoolLiteral,
    BoolType,
    DiscriminatedType,
    IntLiteral,
    IntType,
    NullType,
    ObjectType,
    RecursiveType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    UnionType,
    is_nullable,
)
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_DEPTH = 10
"""Types that contain themselves are filled in no deeper."""


def wanted(model: Model, everything: bool) -> list[Symbol]:
    """The parameters of a file in its order: those that a caller must give, or all there are."""
    found = [s for s in model.symbols.values() if s.kind is Kind.PARAM and s.home is None]
    return [s for s in found if everything or not is_optional(model, s)]


def is_optional(model: Model, symbol: Symbol) -> bool:
    """Whether a caller may leave a parameter out."""
    type = model.symbol_types.get(symbol)
    return getattr(symbol.declaration, "value", None) is not None or (type is not None and is_nullable(type))


def default_of(symbol: Symbol) -> tree.Expression | None:
    """The default of a parameter, as it is written."""
    value: tree.Expression | None = getattr(symbol.declaration, "value", None)
    return value


def literal(node: tree.Node) -> tuple[Any] | None:
    """The JSON value of an expression that is written out, in a tuple; None if it has to be worked out."""
    match node:
        case tree.Text() if node.literal is not None:
            return (node.literal,)
        case tree.Integer(value=value) | tree.Boolean(value=value):
            return (value,)
        case tree.Null():
            return (None,)
        case tree.Unary(operator="-", operand=tree.Integer(value=value)):
            return (-value,)
        case tree.Parenthesized(inner=inner):
            return literal(inner)
        case tree.Array(items=items):
            values = [literal(i) for i in items]
            return None if None in values else ([v[0] for v in values if v is not None],)
        case tree.Object(members=members):
            made: dict[str, Any] = {}
            for member in members:
                known = literal(member.value) if isinstance(member, tree.Property) else None
                if known is None or not isinstance(member, tree.Property):
                    return None
                name = member.key.text if isinstance(member.key, tree.Identifier) else member.key.literal
                if name is None:
                    return None
                made[name] = known[0]
            return (made,)
        case _:
            return None


def placeholder(model: Model, symbol: Symbol) -> Any:
    """A JSON value that fits the type of a parameter."""
    known = model.symbol_types.get(symbol)
    found = _fitting(model, known, _DEPTH) if known is not None else ""
    return max(found, _least(model, symbol)) if type(found) is int else found


def _least(model: Model, symbol: Symbol) -> int:
    """What `@minValue` asks for, where it is above zero."""
    for decorator in getattr(symbol.declaration, "decorators", ()):
        arguments = getattr(decorator.expression, "arguments", ())
        if model.decorators.get(id(decorator)) == "minValue" and arguments and (known := literal(arguments[0])):
            return known[0] if isinstance(known[0], int) else 0
    return 0


def _fitting(model: Model, type: Type, depth: int) -> Any:
    match type:
        case StringLiteral(value=value) | IntLiteral(value=value) | BoolLiteral(value=value):
            return value
        case StringType():
            return ""
        case IntType(minimum=least, maximum=most):
            return least if least is not None and least > 0 else most if most is not None and most < 0 else 0
        case BoolType():
            return False
        case NullType():
            return None
        case RecursiveType(symbol=symbol):
            whole = model.symbol_types.get(symbol)
            known = whole is not None and not isinstance(whole, RecursiveType)
            return _fitting(model, whole, depth - 1) if known and whole is not None and depth else {}
        case UnionType(members=members):
            return None if is_nullable(type) else _fitting(model, members[0], depth)
        case ObjectType(properties=properties):
            needed = {n: p.type for n, p in properties.items() if p.required and depth}
            return {name: _fitting(model, inner, depth - 1) for name, inner in needed.items()}
        case DiscriminatedType(members=variants):
            return _fitting(model, next(iter(variants.values())), depth) if variants else {}
        case TupleType(items=items):
            return [_fitting(model, item, depth - 1) for item in items] if depth else []
        case ArrayType():
            return []
        case _:
            return ""
