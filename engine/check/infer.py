"""Gives every expression of a file a type, and reports what cannot be right whatever the values are.

Each expression is looked at once; its type is kept in `Model.types`, that of a symbol in `Model.symbol_types`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.check import access, calls, operators
from engine.check.declare import key_text
from engine.check.declared import Declared
from engine.check.fold import LONGEST
from engine.check.model import Model
from engine.check.report import Report
from engine.check.symbols import Kind, Symbol
from engine.check.types import (
    ANY,
    BOOL,
    INT,
    NULL,
    STRING,
    UNKNOWN,
    AnyType,
    ArrayType,
    BoolLiteral,
    IntLiteral,
    LambdaType,
    NamespaceType,
    NullType,
    ObjectType,
    PropertyType,
    RecursiveType,
    StringLiteral,
    TupleType,
    Type,
    UnionType,
    UnknownType,
    members_of,
    show,
    union,
)
from engine.diagnostics.source import Span
from engine.parse import tree

DEPTH = 120
"""Expressions nested deeper are not looked into."""


class Infer:
    """The types of one file."""

    __slots__ = ("_depth", "declared", "model", "params_file", "report")

    def __init__(self, model: Model, report: Report, *, params_file: bool) -> None:
        self.model = model
        self.report = report
        self.params_file = params_file
        self.declared = Declared(model, report, self)
        self._depth = 0

    def type(self, node: tree.Node) -> Type:
        """The type of an expression."""
        known = self.model.types.get(id(node))
        if known is not None:
            return known
        handler = _HANDLERS.get(type(node))
        if handler is None or self._depth > DEPTH:
            return ANY
        self._depth += 1
        try:
            found = handler(self, node)
        finally:
            self._depth -= 1
        self.model.types[id(node)] = found
        return found

    def resolve(self, type: RecursiveType) -> Type:
        """What a type that contains itself is."""
        found = self.model.symbol_types.get(type.symbol, ANY)
        return ANY if isinstance(found, RecursiveType) else found

    def open(self, type: Type) -> Type:
        """The type itself, opened if it is one that contains itself."""
        return self.resolve(type) if isinstance(type, RecursiveType) else type

    def symbol(self, symbol: Symbol) -> Type:
        """The type of what a symbol stands for."""
        known = self.model.symbol_types.get(symbol)
        if known is not None:
            return known
        self.model.symbol_types[symbol] = RecursiveType(symbol) if symbol.kind is Kind.TYPE else ANY
        found = self._symbol(symbol)
        self.model.symbol_types[symbol] = found
        return found

    def _symbol(self, symbol: Symbol) -> Type:
        if symbol.home is not None and symbol.original is not None:
            return symbol.home.symbol_types.get(symbol.original, ANY)
        match symbol.declaration:
            case tree.Param(type=None, value=value):
                return self.type(value) if value is not None else ANY
            case tree.Param(type=type) if type is not None:
                return self.declared.of_param(symbol.declaration, type)
            case tree.Var(type=type, value=value):
                return self.declared.of(type) if type is not None else self.type(value)
            case tree.TypeDeclaration():
                return self.declared.of_declaration(symbol.declaration)
            case tree.Resource() | tree.Module():
                return self.declared.of_resource(symbol, symbol.declaration)
            case tree.Test():
                return UNKNOWN
            case tree.Assert():
                return BOOL
            case tree.Extension() | None:
                return NamespaceType(symbol)
            case tree.Import() if symbol.kind is Kind.WILDCARD:
                return NamespaceType(symbol)
            case _:
                return ANY

    def locals(self, node: tree.Node, types: tuple[Type, ...]) -> None:
        """Sets the types of what a loop, lambda or function declares."""
        for symbol, type in zip(self.model.locals.get(id(node), ()), types, strict=False):
            self.model.symbol_types[symbol] = type

    def items(self, node: tree.Node, code: str = "BCP137") -> Type:
        """The type of the items of an array that is looped over."""
        array = self.open(self.type(node))
        match array:
            case ArrayType(item=item):
                return item
            case TupleType(items=items):
                return union(*items) if items else ANY
            case AnyType() | UnknownType():
                return ANY
            case UnionType(members=members) if any(isinstance(m, ArrayType | TupleType) for m in members):
                return ANY
            case _:
                self.report.error(code, node, f"A loop needs an array, and this is {_article(show(array))}")
                return UNKNOWN


# ---------------------------------------------------------------- one function a kind of node


def _text(infer: Infer, node: tree.Text) -> Type:
    """Text of which every hole is known is itself known."""
    holes = [infer.type(hole) for hole in node.holes]
    if UNKNOWN in holes:
        return UNKNOWN
    known = [node.parts[0]]
    whole = True
    for type, part in zip(holes, node.parts[1:], strict=False):
        match type:
            case StringLiteral(value=value):
                known += [value, part]
            case IntLiteral(value=number):
                known += [str(number), part]
            case BoolLiteral(value=flag):
                known += ["True" if flag else "False", part]
            case _:
                whole = False
    return StringLiteral("".join(known)) if whole and sum(map(len, known)) <= LONGEST else STRING


_SOUND = frozenset({Kind.VAR, Kind.RESOURCE, Kind.FUNC_PARAMETER, Kind.TEST})
"""The kinds of things that cannot be referred to while their own declarations are wrong."""


def _name(infer: Infer, node: tree.Name) -> Type:
    symbol = infer.model.bindings.get(id(node))
    if symbol is None or symbol.kind in (Kind.TYPE, Kind.FUNC):
        return UNKNOWN
    found = infer.symbol(symbol)
    if symbol.kind in _SOUND and (found is UNKNOWN or (symbol.kind is Kind.VAR and symbol in infer.model.cyclic)):
        if not infer.report.says(node, "BCP079", "BCP080"):
            message = f"What '{node.text}' stands for is not known, for its own declaration is wrong"
            infer.report.error("BCP062", node, message)
        return UNKNOWN
    return found


def _array(infer: Infer, node: tree.Array) -> Type:
    types = []
    spread = False
    for item in node.items:
        if isinstance(item, tree.Spread):
            spread = True
            types.append(_spread_items(infer, item))
        else:
            types.append(infer.type(item))
    if spread:
        return ArrayType(union(*types))
    return TupleType(tuple(types))


def _spread_items(infer: Infer, node: tree.Spread) -> Type:
    inner = infer.open(infer.type(node.value))
    match inner:
        case ArrayType(item=item):
            return item
        case TupleType(items=items):
            return union(*items)
        case AnyType() | UnknownType() | UnionType():
            return ANY
        case _:
            message = f"Only an array can be spread in an array, and this is {_article(show(inner))}"
            infer.report.error("BCP402", node.value, message)
            return ANY


def _object(infer: Infer, node: tree.Object) -> Type:
    properties: dict[str, PropertyType] = {}
    keys: dict[str, list[tree.Node]] = {}
    additional: Type | None = None
    for member in node.members:
        match member:
            case tree.Property(key=key, value=value):
                type = infer.type(value)
                name = key_text(key)
                if name is None:
                    infer.type(key)
                    additional = ANY
                else:
                    properties[name] = PropertyType(type, required=True)
                    keys.setdefault(name, []).append(key)
            case tree.Spread(value=value):
                additional = _spread(infer, value, properties, additional)
            case tree.Resource():
                pass
            case tree.Broken():
                additional = ANY
    for name, same in keys.items():
        if len(same) > 1 and name:
            for each in same:
                infer.report.error("BCP025", each, f"Property '{name}' is given more than once", "Keep one of them.")
    return ObjectType(properties, additional)


def _spread(
    infer: Infer, value: tree.Node, properties: dict[str, PropertyType], additional: Type | None
) -> Type | None:
    inner = infer.open(infer.type(value))
    if isinstance(inner, ObjectType):
        properties.update(inner.properties)
        return additional if inner.additional is None else ANY
    if not any(isinstance(m, AnyType | UnknownType | ObjectType | NullType) for m in members_of(inner)):
        infer.report.error(
            "BCP402", value, f"Only an object can be spread in an object, and this is {_article(show(inner))}"
        )
    return ANY


def _ternary(infer: Infer, node: tree.Ternary) -> Type:
    then, otherwise = infer.type(node.then), infer.type(node.otherwise)
    if then is UNKNOWN or otherwise is UNKNOWN:
        infer.type(node.condition)
        return UNKNOWN
    if not operators.condition(infer, node.condition):
        return UNKNOWN
    match infer.type(node.condition):
        case BoolLiteral(value=chosen):
            return then if chosen else otherwise
        case _:
            return union(then, otherwise)


def _for(infer: Infer, node: tree.For) -> Type:
    infer.locals(node, (infer.items(node.array), INT))
    return ArrayType(infer.type(node.body))


def _if(infer: Infer, node: tree.If) -> Type:
    opening = infer.report.source.text.rfind("(", node.start, node.condition.start + 1)
    operators.condition(infer, node.condition, Span(opening, node.condition.end + 1) if opening >= 0 else None)
    return infer.type(node.body)


def _lambda(infer: Infer, node: tree.Lambda) -> Type:
    # One that is an argument was given the types of its parameters before.
    parameters = tuple(infer.model.symbol_types.get(s, ANY) for s in infer.model.locals.get(id(node), ()))
    return LambdaType(parameters, len(parameters), infer.type(node.body))


def _parenthesized(infer: Infer, node: tree.Parenthesized) -> Type:
    return infer.type(node.inner)


def _article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}" if noun[:1].isalpha() and " " not in noun else noun


_HANDLERS: dict[type, Callable[..., Type]] = {
    tree.Text: _text,
    tree.Integer: lambda infer, node: IntLiteral(node.value),
    tree.Boolean: lambda infer, node: BoolLiteral(node.value),
    tree.Null: lambda infer, node: NULL,
    tree.Name: _name,
    tree.Array: _array,
    tree.Object: _object,
    tree.Unary: operators.unary,
    tree.Binary: operators.binary,
    tree.Ternary: _ternary,
    tree.Parenthesized: _parenthesized,
    tree.Member: access.member,
    tree.Index: access.index,
    tree.NestedMember: access.nested,
    tree.NonNull: access.non_null,
    tree.Call: calls.call,
    tree.MethodCall: calls.method,
    tree.Lambda: _lambda,
    tree.For: _for,
    tree.If: _if,
    tree.Broken: lambda infer, node: UNKNOWN,
}
