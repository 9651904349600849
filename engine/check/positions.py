"""Expressions that may stand only in certain places: loops, lambdas, collections, and some functions.

One walk down from each statement, carrying what the place allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.check.functions.signature import Trait
from engine.check.symbols import Kind, Symbol
from engine.check.types import ArrayType, ResourceType, members_of
from engine.diagnostics.source import Span
from engine.parse import tree
from engine.record import Record

if TYPE_CHECKING:
    from engine.check.infer import Infer


class Spot(Record):
    """What is allowed at a place."""

    loop: bool = False
    """A loop may stand here."""
    property_loop: bool = False
    """A loop may stand as the value of a property below here."""
    in_property_loop: bool = False
    lambda_: bool = False
    default: bool = False
    """It is the default of a parameter."""
    param: bool = False
    """It is the value of a module's parameter."""
    collection: bool = False
    """A whole collection of resources may be named here."""


NOWHERE = Spot()


def check_positions(infer: Infer) -> None:
    """Walks every statement."""
    walk = _Walk(infer)
    for statement in infer.model.file.statements:
        walk.statement(statement)


class _Walk:
    """The walk over one file."""

    __slots__ = ("infer", "model", "report", "stack")

    def __init__(self, infer: Infer) -> None:
        self.infer = infer
        self.model = infer.model
        self.report = infer.report
        self.stack: list[tuple[tree.Node, Spot]] = []

    def statement(self, node: tree.Statement) -> None:
        """One statement, iteratively."""
        push = self.stack.append
        for decorator in node.decorators:
            push((decorator.expression, NOWHERE))
        match node:
            case tree.Var(value=value) | tree.Output(value=value):
                push((value, Spot(loop=True, collection=True)))
            case tree.Resource(value=value) | tree.Module(value=value):
                self.body(value, isinstance(node, tree.Module))
            case tree.Param(value=value) if value is not None:
                push((value, Spot(default=True)))
            case tree.Func(body=body):
                push((body, NOWHERE))
            case tree.Metadata(value=value) | tree.Assert(value=value) | tree.Test(value=value):
                push((value, NOWHERE))
            case _:
                pass
        while self.stack:
            self.visit(*self.stack.pop())

    def body(self, value: tree.Node, module: bool) -> None:
        """The value of a resource or module: its own loop and condition, then its properties."""
        while isinstance(value, tree.For | tree.If | tree.Parenthesized):
            if isinstance(value, tree.For):
                self.stack.append((value.array, NOWHERE))
                value = value.body
            elif isinstance(value, tree.If):
                self.stack.append((value.condition, NOWHERE))
                value = value.body
            else:
                value = value.inner
        if not isinstance(value, tree.Object):
            self.stack.append((value, NOWHERE))
            return
        for member in value.members:
            match member:
                case tree.Property(key=key, value=inner):
                    name = key.text if isinstance(key, tree.Identifier) else key.literal
                    if name == "dependsOn":
                        self.stack.append((inner, Spot(loop=True, collection=True)))
                    elif name == "params" and module:
                        self.stack.append((inner, Spot(property_loop=True, param=True)))
                    else:
                        self.stack.append((inner, Spot(loop=True, property_loop=True)))
                case tree.Resource():
                    self.statement_nested(member)
                case _:
                    self.stack.append((member, NOWHERE))

    def statement_nested(self, node: tree.Resource) -> None:
        """A resource in a resource."""
        for decorator in node.decorators:
            self.stack.append((decorator.expression, NOWHERE))
        self.body(node.value, False)

    def visit(self, node: tree.Node, spot: Spot) -> None:
        """One expression."""
        match node:
            case tree.For():
                self.loop(node, spot)
            case tree.Object(members=members):
                inner = spot.replace(loop=spot.property_loop, lambda_=False, default=spot.default)
                for member in members:
                    if isinstance(member, tree.Property):
                        if (
                            isinstance(member.value, tree.For)
                            and isinstance(member.key, tree.Text)
                            and member.key.holes
                        ):
                            message = "A property with a loop as its value must have a plain name"
                            self.report.error("BCP143", member.key, message)
                        self.stack.append((member.key, NOWHERE))
                        self.stack.append((member.value, inner))
                    else:
                        self.stack.append((member, NOWHERE))
            case tree.Parenthesized(inner=inner_node):
                self.stack.append((inner_node, spot))
            case tree.Lambda(body=body):
                if not spot.lambda_:
                    self.report.error("BCP242", node, "A lambda can only be an argument of a function")
                self.stack.append((body, self.down(spot)))
            case tree.Call(arguments=arguments) | tree.MethodCall(arguments=arguments):
                self.call(node, spot)
                for argument in arguments:
                    self.stack.append((argument, self.down(spot).replace(lambda_=True)))
                if isinstance(node, tree.MethodCall):
                    self.stack.append((node.base, self.down(spot)))
            case tree.Index(base=base, index=index):
                self.index(node)
                self.stack.append((base, self.down(spot).replace(collection=True)))
                self.stack.append((index, self.down(spot)))
            case tree.Member(base=base) | tree.NonNull(base=base) | tree.NestedMember(base=base):
                self.stack.append((base, self.down(spot).replace(collection=True)))
            case tree.Name():
                pass
            case tree.Array(items=items):
                for item in items:
                    below = self.down(spot).replace(collection=spot.collection, property_loop=spot.property_loop)
                    self.stack.append((item, below))
            case tree.Ternary(condition=condition, then=then, otherwise=otherwise):
                self.stack.append((condition, self.down(spot)))
                self.stack += [
                    (then, self.down(spot, param=spot.param)),
                    (otherwise, self.down(spot, param=spot.param)),
                ]
            case _:
                self.stack += [(child, self.down(spot)) for child in tree.children(node)]

    def down(self, spot: Spot, *, param: bool = False) -> Spot:
        """What is still allowed inside an expression that is no property."""
        return Spot(default=spot.default, in_property_loop=spot.in_property_loop, param=param)

    def loop(self, node: tree.For, spot: Spot) -> None:
        start = node.item.start
        text = self.report.source.text
        at = text.find("for", node.start, max(start, node.start + 1))
        place = Span(at, at + 3) if at >= 0 else Span(node.start, node.start + 1)
        if not spot.loop:
            message = "A loop cannot stand here: only as a whole resource, module, variable or output, or as a property of a resource or module"
            self.report.error("BCP138", place, message, "The functions map() and filter() go everywhere.")
        elif spot.in_property_loop:
            self.report.error(
                "BCP142", place, "A loop of properties cannot stand inside another", "Use map() for the inner one."
            )
        self.stack.append((node.array, self.down(spot)))
        inside = Spot(property_loop=spot.property_loop, in_property_loop=spot.property_loop)
        body = node.body.body if isinstance(node.body, tree.If) else node.body
        if isinstance(node.body, tree.If):
            self.stack.append((node.body.condition, self.down(spot)))
        self.stack.append((body, inside))

    def call(self, node: tree.Call | tree.MethodCall, spot: Spot) -> None:
        function = self.model.builtin(node)
        if function is not None:
            if Trait.DEFAULT_ONLY in function.traits and not spot.default:
                message = f"'{function.name}' can only be used in the default value of a parameter"
                self.report.error("BCP065", node.name, message, "Its result would change with every deployment.")
            return
        if isinstance(node, tree.MethodCall) and node.name.text == "getSecret" and not spot.param:
            base = self.infer.model.types.get(id(node.base))
            if base is not None and any(isinstance(m, ResourceType) for m in members_of(base)):
                message = "'getSecret' can only be the whole value of a secure parameter of a module"
                self.report.error("BCP180", node, message)

    def index(self, node: tree.Index) -> None:
        """A collection of resources cannot be indexed by what a lambda is given."""
        base = self.model.types.get(id(node.base))
        if not (isinstance(base, ArrayType) and any(isinstance(m, ResourceType) for m in members_of(base.item))):
            return
        for used in tree.find(node.index, tree.Name):
            symbol: Symbol | None = self.model.symbol(used)
            if symbol is not None and symbol.kind is Kind.LAMBDA_PARAMETER:
                message = f"A resource cannot be chosen by '{symbol.name}', which is known only while the lambda runs"
                self.report.error("BCP247", node.index, message)
                return
