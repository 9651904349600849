"""Expressions that may stand only in certain places: loops, lambdas, collections, and some functions.

One walk down from each statement, carrying what the place allows.
"""

from __future__ import annotations

from engine.check.functions.signature import Trait
from engine.check.symbols import Kind, Symbol
from engine.check.types import ArrayType, ResourceType, members_of
from engine.diagnostics.source import Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

# What a place allows: bits of one number, for there is one place a node.
NOWHERE = 0
LOOP = 1
"""A loop may stand here."""
PROPERTY_LOOP = 2
"""A loop may stand as the value of a property below here."""
IN_PROPERTY_LOOP = 4
"""It is inside a loop of properties."""
LAMBDA = 8
"""A lambda may stand here."""
DEFAULT = 16
"""It is the default of a parameter."""
PARAM = 32
"""It is the value of a module's parameter, or what a parameters file gives to one."""

PARAMS = 64
"""It is an object of such values."""
CONFIGS = 128
"""It is an object of such objects."""

_OBJECTS = PARAMS | CONFIGS
_HERE = LAMBDA | LOOP | PARAM | _OBJECTS
"""What holds for a value, and not for what is inside it."""

_DOWN = DEFAULT | IN_PROPERTY_LOOP
"""What is still allowed inside an expression that is no property."""

_LEAVES = frozenset({tree.Integer, tree.Boolean, tree.Null, tree.Identifier, tree.Name, tree.Broken})


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
        self.stack: list[tuple[tree.Node, int]] = []

    def statement(self, node: tree.Statement) -> None:
        """One statement, iteratively."""
        push = self.stack.append
        for decorator in node.decorators:
            push((decorator.expression, NOWHERE))
        match node:
            case tree.Var(value=value) | tree.Output(value=value):
                push((value, LOOP))
            case tree.Resource(value=value) | tree.Module(value=value):
                self.body(value, isinstance(node, tree.Module))
            case tree.Param(value=value) if value is not None:
                push((value, PARAM if self.infer.params_file else DEFAULT))
            case tree.Func(body=body):
                push((body, NOWHERE))
            case tree.Metadata(value=value) | tree.Assert(value=value) | tree.Test(value=value):
                push((value, NOWHERE))
            case _:
                pass
        stack, visit = self.stack, self.visit
        while stack:
            below, spot = stack.pop()
            if type(below) not in _LEAVES:
                visit(below, spot)

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
                        self.stack.append((inner, LOOP))
                    elif name == "params" and module:
                        self.params(inner)
                        self.stack.append((inner, PROPERTY_LOOP | PARAMS))
                    elif name == "extensionConfigs" and module:
                        self.stack.append((inner, CONFIGS))
                    else:
                        self.stack.append((inner, LOOP | PROPERTY_LOOP))
                case tree.Resource():
                    self.statement_nested(member)
                case tree.Spread():
                    self.no_spread(value)
                    self.stack.append((member, NOWHERE))
                case _:
                    self.stack.append((member, NOWHERE))

    def no_spread(self, body: tree.Object) -> None:
        """What a body says of the deployment itself must be plain to see."""
        for member in body.members:
            if isinstance(member, tree.Spread):
                help = "Spread it in a property, such as 'properties'."
                self.report.error("BCP401", member, "Nothing can be spread here", help)

    def params(self, value: tree.Node) -> None:
        """The parameters of a module are written out."""
        while isinstance(value, tree.Parenthesized):
            value = value.inner
        if isinstance(value, tree.Object):
            self.no_spread(value)
        elif not isinstance(value, tree.Broken):
            self.report.error("BCP183", value, "The parameters of a module are written out in braces", "Write { … }.")

    def statement_nested(self, node: tree.Resource) -> None:
        """A resource in a resource."""
        for decorator in node.decorators:
            self.stack.append((decorator.expression, NOWHERE))
        self.body(node.value, False)

    def visit(self, node: tree.Node, spot: int) -> None:
        """One expression that is no leaf."""
        match node:
            case tree.Text(holes=holes):
                self.stack += [(hole, spot & _DOWN) for hole in holes]
            case tree.For():
                self.loop(node, spot)
            case tree.Object(members=members):
                inner = spot & ~_HERE | (LOOP if spot & PROPERTY_LOOP else 0) | (spot & _OBJECTS) >> 1
                looped = any(isinstance(m, tree.Property) and isinstance(m.value, tree.For) for m in members)
                for member in members:
                    if looped and isinstance(member, tree.Spread):
                        message = "Nothing can be spread in an object that has a loop as a property"
                        self.report.error("BCP417", member, message, "Use map() for the loop.")
                    if isinstance(member, tree.Property):
                        if (
                            isinstance(member.value, tree.For)
                            and isinstance(member.key, tree.Text)
                            and member.key.holes
                        ):
                            message = "A property with a loop as its value must have a plain name"
                            self.report.error("BCP143", member.key, message)
                        if type(member.key) is tree.Text:
                            self.stack.append((member.key, NOWHERE))
                        self.stack.append((member.value, inner))
                    else:
                        self.stack.append((member, NOWHERE))
            case tree.Parenthesized(inner=inner_node):
                self.stack.append((inner_node, spot))
            case tree.Lambda(body=body):
                if not spot & LAMBDA:
                    self.report.error("BCP242", node, "A lambda can only be an argument of a function")
                self.stack.append((body, spot & _DOWN))
            case tree.Call(arguments=arguments) | tree.MethodCall(arguments=arguments):
                self.call(node, spot)
                for argument in arguments:
                    self.stack.append((argument, spot & _DOWN | LAMBDA))
                if isinstance(node, tree.MethodCall):
                    self.stack.append((node.base, spot & _DOWN))
            case tree.Index(base=base, index=index):
                self.index(node)
                self.stack.append((base, spot & _DOWN))
                self.stack.append((index, spot & _DOWN))
            case tree.Member(base=base) | tree.NonNull(base=base) | tree.NestedMember(base=base):
                self.stack.append((base, spot & _DOWN))
            case tree.Array(items=items):
                for item in items:
                    below = spot & (_DOWN | PROPERTY_LOOP)
                    self.stack.append((item, below))
            case tree.Ternary(condition=condition, then=then, otherwise=otherwise):
                self.stack.append((condition, spot & _DOWN))
                self.stack += [(then, spot & (_DOWN | PARAM)), (otherwise, spot & (_DOWN | PARAM))]
            case _:
                self.stack += [(child, spot & _DOWN) for child in tree.children(node)]

    def loop(self, node: tree.For, spot: int) -> None:
        start = node.item.start
        text = self.report.source.text
        at = text.find("for", node.start, max(start, node.start + 1))
        place = Span(at, at + 3) if at >= 0 else Span(node.start, node.start + 1)
        if not spot & LOOP:
            message = "A loop cannot stand here"
            help = "It can be a whole resource, module, variable or output, or a property of a resource or module; map() goes everywhere."
            self.report.error("BCP138", place, message, help)
        elif spot & IN_PROPERTY_LOOP:
            self.report.error(
                "BCP142", place, "A loop of properties cannot stand inside another", "Use map() for the inner one."
            )
        self.stack.append((node.array, spot & _DOWN))
        inside = PROPERTY_LOOP | IN_PROPERTY_LOOP if spot & PROPERTY_LOOP else NOWHERE
        body = node.body.body if isinstance(node.body, tree.If) else node.body
        if isinstance(node.body, tree.If):
            self.stack.append((node.body.condition, spot & _DOWN))
        self.stack.append((body, inside))

    def call(self, node: tree.Call | tree.MethodCall, spot: int) -> None:
        function = self.model.builtin(node)
        if function is not None:
            if Trait.DEFAULT_ONLY in function.traits and not spot & DEFAULT:
                message = f"'{function.name}' can only be used in the default value of a parameter"
                self.report.error("BCP065", node.name, message, "Its result would change with every deployment.")
            if function.name == "getSecret" and not spot & PARAM:
                message = "'getSecret' can only be the whole value of a parameter"
                self.report.error("BCP351", node, message, "Assign it to a parameter by itself.")
            if Trait.INLINE in function.traits:
                self.given(node)
            return
        if isinstance(node, tree.MethodCall) and node.name.text == "getSecret" and not spot & PARAM:
            base = self.infer.model.types.get(id(node.base))
            if base is not None and any(isinstance(m, ResourceType) for m in members_of(base)):
                message = "'getSecret' can only be the whole value of a secure parameter of a module"
                self.report.error("BCP180", node, message)

    def given(self, node: tree.Call | tree.MethodCall) -> None:
        """What is asked of the platform cannot depend on what a lambda is given."""
        for argument in node.arguments:
            for used in tree.find(argument, tree.Name):
                symbol = self.model.symbol(used)
                if symbol is not None and symbol.kind is Kind.LAMBDA_PARAMETER:
                    message = f"'{node.name.text}' cannot be given '{symbol.name}', known only while the lambda runs"
                    self.report.error("BCP248", node, message)
                    return

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
