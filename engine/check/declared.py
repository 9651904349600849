"""The types that declarations spell out: type expressions, parameters, functions, resources and modules."""

from __future__ import annotations

from engine.check import arm_types, catalogue
from engine.check.access import missing
from engine.check.declare import body_of
from engine.check.derived import derived
from engine.check.functions.signature import Overload
from engine.check.model import Model
from engine.check.report import Report
from engine.check.symbols import Kind, Symbol
from engine.check.type_parts import has_parts, part_of
from engine.check.type_unions import discriminated, literal_union
from engine.check.types import (
    AMBIENT,
    ANY,
    ARRAY,
    BOUNDS,
    NULL,
    OBJECT,
    SECURE_OBJECT,
    SECURE_STRING,
    STRING,
    TRUE,
    UNKNOWN,
    ArrayType,
    BoolLiteral,
    IntLiteral,
    IntType,
    ObjectType,
    PropertyType,
    ResourceType,
    StringLiteral,
    StringType,
    TupleType,
    Type,
    bounded,
    is_nullable,
    union,
    widen,
    without_null,
)
from engine.parse import tree
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

Typed = tree.Param | tree.Output | tree.TypeDeclaration | tree.TypeProperty | tree.TupleItem


_PARTS = (tree.Member, tree.Index, tree.ItemsAccess, tree.RestAccess)
"""Type expressions whose type is kept in the model, for parts of resource types have no other name."""


class Declared:
    """Reads type expressions of one file; each once."""

    __slots__ = ("_functions", "_read", "infer", "model", "report")

    def __init__(self, model: Model, report: Report, infer: Infer) -> None:
        self.model = model
        self.report = report
        self.infer = infer
        self._read: dict[int, Type] = {}
        self._functions: dict[Symbol, Overload | None] = {}

    # ------------------------------------------------------------ type expressions

    def of(self, node: tree.Node) -> Type:
        """The type that a type expression means."""
        known = self._read.get(id(node))
        if known is None:
            known = self._read[id(node)] = self._of(node)
            if isinstance(node, _PARTS):
                self.model.types[id(node)] = known
        return known

    def _of(self, node: tree.Node) -> Type:
        match node:
            case tree.Name(text=text):
                symbol = self.model.bindings.get(id(node))
                if symbol is None:
                    return AMBIENT.get(text, UNKNOWN)
                return self.infer.symbol(symbol) if symbol.kind is Kind.TYPE else UNKNOWN
            case tree.Text():
                return StringLiteral(node.parts[0]) if not node.holes else UNKNOWN
            case tree.Integer(value=number):
                return IntLiteral(number)
            case tree.Boolean(value=flag):
                return BoolLiteral(flag)
            case tree.Null():
                return NULL
            case tree.Unary(operand=tree.Integer(value=number), operator="-"):
                return IntLiteral(-number)
            case tree.Unary(operand=tree.Boolean(value=flag), operator="!"):
                return BoolLiteral(not flag)
            case tree.Unary(operand=operand) if not isinstance(operand, tree.Broken):
                self.report.error("BCP285", node, "This comes to no literal, and so is no type")
                return UNKNOWN
            case tree.Parenthesized(inner=inner):
                return self.of(inner)
            case tree.Nullable(base=base):
                return union(self.of(base), NULL)
            case tree.NonNull(base=base):
                return without_null(self.of(base))
            case tree.ArrayType(item=item):
                while isinstance(item, tree.Parenthesized):
                    item = item.inner
                if isinstance(item, tree.Union):
                    # An array may hold literals of several kinds.
                    return ArrayType(literal_union(self, item, [self.of(m) for m in item.members], mixed=True))
                return ArrayType(self.of(item))
            case tree.TupleType(items=items):
                return TupleType(tuple(self.of_typed(i) if isinstance(i, tree.TupleItem) else UNKNOWN for i in items))
            case tree.ObjectType():
                return self.of_object(node)
            case tree.Union(members=members):
                return literal_union(self, node, [self.of(m) for m in members], mixed=False)
            case tree.Member(base=base, name=name):
                symbol = self.model.bindings.get(id(node))
                if symbol is not None:
                    return self.infer.symbol(symbol)
                namespace = self.model.bindings.get(id(base))
                if namespace is not None and namespace.kind is Kind.NAMESPACE:
                    return AMBIENT.get(name.text, UNKNOWN)
                return self.part(base, name.text, name)
            case tree.Index(base=base, index=tree.Text(parts=(text,), holes=()) as key):
                return self.part(base, text, key)
            case tree.Index() | tree.ItemsAccess() | tree.RestAccess():
                return part_of(self, node)
            case tree.Parameterized():
                return derived(self, node)
            case _:
                return UNKNOWN

    def is_type(self, name: tree.Identifier) -> bool:
        """Whether a name is that of a type."""
        symbol = self.model.symbols.get(name.text)
        return name.text in AMBIENT or (symbol is not None and symbol.kind is Kind.TYPE)

    def part(self, base: tree.Node, name: str, place: tree.Node) -> Type:
        """The type of a property of a named object type."""
        if not has_parts(self, base):
            return UNKNOWN
        whole = self.infer.open(self.of(base))
        if isinstance(whole, ObjectType) and name and name not in whole.properties:
            missing(self.infer, whole.replace(soft=False, lenient=False), name, place)
            return UNKNOWN
        return whole.properties[name].type if isinstance(whole, ObjectType) and name else ANY

    def of_object(self, node: tree.ObjectType) -> Type:
        """`{ name: T, *: U }`"""
        properties: dict[str, PropertyType] = {}
        additional: Type | None = None
        for member in node.members:
            if not isinstance(member, tree.TypeProperty):
                additional = ANY
                continue
            type = self.of_typed(member)
            if member.key is None:
                additional = type
            else:
                name = member.key.text if isinstance(member.key, tree.Identifier) else member.key.literal
                if not name:
                    additional = additional or ANY  # whatever it was to be called
                else:
                    properties[name] = PropertyType(type, required=not is_nullable(type))
        return ObjectType(properties, additional, soft=additional is None)

    # ------------------------------------------------------------ declarations

    def of_typed(self, node: Typed) -> Type:
        """The type of something that is declared with a type and decorators."""
        return bounded(self._unbounded(node), self._bounds(node))

    def _bounds(self, node: Typed) -> dict[str, int]:
        """What decorators say of a length or a value."""
        found: dict[str, int] = {}
        for decorator in node.decorators:
            name = self.model.decorators.get(id(decorator))
            arguments: tuple[tree.Node, ...] = getattr(decorator.expression, "arguments", ()) if name in BOUNDS else ()
            if name is not None and len(arguments) == 1:
                match arguments[0]:
                    case tree.Integer(value=value):
                        found[name] = value
                    case tree.Unary(operator="-", operand=tree.Integer(value=value)):
                        found[name] = -value
                    case _:
                        pass
        return found

    def _unbounded(self, node: Typed) -> Type:
        """The same, however long or large."""
        written = node.value if isinstance(node, tree.TypeDeclaration) else node.type
        if written is None:
            return ANY
        bare = written
        while isinstance(bare, tree.Nullable | tree.Parenthesized | tree.NonNull):
            bare = bare.inner if isinstance(bare, tree.Parenthesized) else bare.base
        if isinstance(bare, tree.Union) and self.model.has_decorator(node, "discriminator"):
            key = self.discriminator(node)
            return discriminated(self, written, key) if key is not None else UNKNOWN
        type = self.of(written)
        if isinstance(type, ObjectType) and self.model.has_decorator(node, "sealed"):
            return type.replace(soft=False)
        if self.model.has_decorator(node, "secure"):
            return SECURE_STRING if isinstance(type, StringType) else SECURE_OBJECT if type == OBJECT else type
        return type

    def discriminator(self, node: Typed) -> str | None:
        """The property that `@discriminator` names."""
        for decorator in node.decorators:
            if self.model.decorators.get(id(decorator)) == "discriminator":
                arguments = getattr(decorator.expression, "arguments", ())
                if arguments and isinstance(arguments[0], tree.Text):
                    return arguments[0].literal
        return None

    def of_param(self, node: tree.Param, written: tree.Node) -> Type:
        """A parameter as the file itself sees it: of the values that `@allowed` lists, where it does."""
        type = self._unbounded(node)
        plain = tree.Text | tree.Integer | tree.Boolean | tree.Unary
        listed = [self.of(i) if isinstance(i, plain) else UNKNOWN for i in self._allowed(node)]
        if type == ARRAY and listed and all(isinstance(i, StringLiteral) for i in listed):
            return ArrayType(union(*listed))
        if not isinstance(type, StringType | IntType):
            return bounded(type, self._bounds(node))
        literal = StringLiteral | IntLiteral | BoolLiteral
        if listed and all(isinstance(i, literal) and widen(i) == type for i in listed):
            return union(*listed)
        return bounded(type.replace(loose=True), self._bounds(node))

    def _allowed(self, node: tree.Param) -> tuple[tree.Node, ...]:
        """The values that `@allowed` lists."""
        for decorator in node.decorators:
            if self.model.decorators.get(id(decorator)) == "allowed":
                values = getattr(decorator.expression, "arguments", ())
                return values[0].items if values and isinstance(values[0], tree.Array) else ()
        return ()

    def of_declaration(self, node: tree.TypeDeclaration) -> Type:
        """`type name = T`; an object type carries the name."""
        type = self.of_typed(node)
        if isinstance(type, ObjectType) and type.name == "object" and isinstance(node.value, tree.ObjectType):
            return type.replace(name=node.name.text or "object")
        return type

    def of_func(self, symbol: Symbol) -> Overload | None:
        """The signature of a user's function; None where it is not known."""
        if symbol not in self._functions:
            self._functions[symbol] = self._func(symbol)
        return self._functions[symbol]

    def _func(self, symbol: Symbol) -> Overload | None:
        if symbol.home is not None and symbol.original is not None:
            return symbol.home.functions.get(symbol.original)
        declaration = symbol.declaration
        if not isinstance(declaration, tree.Func):
            return None
        written = [p.type for p in declaration.parameters]
        types = tuple(ANY if isinstance(t, tree.Broken) else self.of(t) for t in written)
        signature = Overload(types, len(types), False, self.of(declaration.returns))
        self.model.functions[symbol] = signature
        return signature

    # ------------------------------------------------------------ resources and modules

    def of_resource(self, symbol: Symbol, node: tree.Resource | tree.Module) -> Type:
        """A resource or module; an array where it is looped, perhaps null where it has a condition."""
        if isinstance(node, tree.Module):
            single: Type = self.of_module(symbol, node)
        else:
            if symbol not in self.model.resource_types:
                return UNKNOWN
            single = ResourceType(symbol, catalogue.readable(self.model, symbol))
        value: tree.Node = node.value
        if isinstance(value, tree.For):
            perhaps = (
                isinstance(value.body, tree.If)
                and isinstance(node, tree.Module)
                and self.infer.type(value.body.condition) != TRUE
            )
            return ArrayType(union(single, NULL) if perhaps else single)
        perhaps = isinstance(value, tree.If) and bool(body_of(value)) and self.infer.type(value.condition) != TRUE
        return union(single, NULL) if perhaps else single

    def of_module(self, symbol: Symbol, node: tree.Module) -> Type:
        """What can be read of a module."""
        target = self.model.modules.get(id(node))
        if target is None:
            return UNKNOWN
        outputs = ObjectType({n: PropertyType(t, True) for n, t in outputs_of(target).items()}, name="outputs")
        body = ObjectType(
            {
                "name": PropertyType(STRING, True),
                "outputs": PropertyType(outputs, True),
                "identity": PropertyType(ANY),
                "params": PropertyType(ANY, writeonly=True),
                "scope": PropertyType(ANY, writeonly=True),
                "dependsOn": PropertyType(ANY, writeonly=True),
            },
            name="module",
        )
        return ResourceType(symbol, body, module=True)


def outputs_of(target: Model | Template) -> dict[str, Type]:
    """The outputs of a module by name."""
    if isinstance(target, Template):
        return arm_types.outputs(target)
    return {name: target.symbol_types.get(symbol, ANY) for name, symbol in target.outputs.items()}


def params_of(target: Model | Template) -> dict[str, PropertyType]:
    """The parameters of a module by name; those without a default are required."""
    if isinstance(target, Template):
        return arm_types.parameters(target)
    found = {}
    for symbol in target.of_kind(Kind.PARAM):
        type = target.symbol_types.get(symbol, ANY)
        optional = isinstance(symbol.declaration, tree.Param) and symbol.declaration.value is not None
        required = not optional and not is_nullable(type)
        found[symbol.name] = PropertyType(type if required else union(type, NULL), required)
    return found
