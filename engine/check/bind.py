"""Binds every name to what it stands for, and reports the names that stand for nothing.

One iterative walk over the tree with a chain of scopes: what a loop, a lambda, a function or a resource body declares
hides what is declared further out, and the file hides the namespaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.check import exports
from engine.check.bind_decorators import bind_decorator
from engine.check.declare import report_doubles
from engine.check.derived import NAMES as DERIVED
from engine.check.functions import lookup
from engine.check.functions.sys import BANNED, BANNED_SYNTAX, SYNTAX_CODES
from engine.check.model import Model
from engine.check.regions import AFTER, FILE, IN_FUNC, Scope
from engine.check.report import Report
from engine.check.spelling import suggestion, write
from engine.check.symbols import Kind, Symbol
from engine.check.types import AMBIENT
from engine.diagnostics.suggest import did_you_mean
from engine.parse import tree

_LEAVES = frozenset({tree.Integer, tree.Boolean, tree.Null, tree.Identifier, tree.Pragma, tree.Broken})
_PLAIN = frozenset(
    {tree.Text, tree.Object, tree.Array, tree.Binary, tree.Unary, tree.Ternary, tree.Parenthesized, tree.If}
)
"""The usual nodes that bind nothing themselves: the others are told apart one by one."""


class Binder:
    """One walk over one file."""

    __slots__ = ("model", "namespaces", "params_file", "report", "stack")

    def __init__(self, model: Model, report: Report, *, params_file: bool) -> None:
        self.model = model
        self.report = report
        self.params_file = params_file
        self.stack: list[tuple[tree.Node, Scope, bool]] = []
        implicit = model.config.get("implicitExtensions", default=("az",))
        with_az = "az" in implicit and model.target_scope != "local"
        self.namespaces = {n: Symbol(n, Kind.NAMESPACE, None) for n in (("sys", "az") if with_az else ("sys",))}
        self.namespaces["this"] = Symbol("this", Kind.NAMESPACE, None)

    def run(self) -> None:
        """Binds the whole file."""
        for statement in reversed(self.model.file.statements):
            self.stack.append((statement, FILE, False))
        stack, visit, after = self.stack, self.visit, self.after
        while stack:
            node, scope, in_type = stack.pop()
            if scope is AFTER:
                after(node)
            elif type(node) in _PLAIN:
                below = tree.children(node)
                below.reverse()
                stack += [(child, scope, in_type) for child in below if type(child) not in _LEAVES]
            elif type(node) is tree.Property:
                stack.append((node.value, scope, in_type))
                if type(node.key) is tree.Text:
                    stack.append((node.key, scope, in_type))
            elif type(node) not in _LEAVES:
                visit(node, scope, in_type)

    # ------------------------------------------------------------ the walk

    def push(self, nodes: Iterable[tree.Node], scope: Scope, in_type: bool = False) -> None:
        """Puts nodes on the stack, to be visited in their order."""
        self.stack.extend((node, scope, in_type) for node in reversed(tuple(nodes)))

    def visit(self, node: tree.Node, scope: Scope, in_type: bool) -> None:
        """Binds a node that binds something, and puts what is below it on the stack."""
        match node:
            case tree.Name():
                if in_type:
                    self.type_name(node, scope)
                else:
                    self.value_name(node, scope)
            case tree.Call():
                self.call(node, scope)
                self.push(node.arguments, scope)
            case tree.Member() | tree.NestedMember():
                self.stack.append((node, AFTER, in_type))
                self.base(node.base, scope, in_type)
            case tree.MethodCall():
                self.push(node.arguments, scope)
                self.stack.append((node, AFTER, in_type))
                self.base(node.base, scope, in_type)
            case tree.Lambda(parameters=parameters, body=body):
                inner = self.locals(node, [(p, Kind.LAMBDA_PARAMETER) for p in parameters], scope)
                self.push((body,), inner)
            case tree.For(item=item, index=index, array=array, body=body):
                names = [(item, Kind.LOOP_ITEM)] + ([(index, Kind.LOOP_INDEX)] if index else [])
                self.push((body,), self.locals(node, names, scope))
                self.push((array,), scope)
            case tree.Func(parameters=parameters, returns=returns, body=body):
                inner = self.locals(
                    node, [(p.name, Kind.FUNC_PARAMETER) for p in parameters], Scope({}, None, func=True)
                )
                self.push((body,), inner)
                self.push((p.type for p in parameters), FILE, True)
                self.push((returns,), FILE, True)
                self.push(node.decorators, scope)
            case tree.Resource(value=value):
                self.resource_value(value, scope, Scope(self.model.nested.get(id(node), {}), scope, this=True))
                # A hole in its type is a mistake of its own; what is in it does not matter.
                self.push(node.decorators, scope)
            case tree.Param() | tree.Var() | tree.Output() | tree.ResourceParam():
                given = getattr(node, "value", None)
                self.push((given,) if given else (), scope)
                self.push((node.type,) if node.type else (), scope, True)
                self.push(node.decorators, scope)
            case tree.TypeDeclaration(value=value):
                self.push((value,), scope, True)
                self.push(node.decorators, scope)
            case tree.Decorator(expression=expression):
                bind_decorator(self, node, expression, scope)
            case tree.Extension(config=config, decorators=decorators):
                # Its first word names what the configuration calls so, not a symbol of the file.
                self.push((*decorators, config) if config else decorators, scope)
            case tree.Import():
                self.push(node.decorators, scope)
            case tree.TypeProperty() | tree.TupleItem():
                self.push((node.type,), scope, True)
                self.push(node.decorators, scope)
            case tree.Parameterized(arguments=arguments):
                self.push(arguments if len(arguments) == 1 else (), scope, in_type)
            case _:
                self.push(tree.children(node), scope, in_type)

    def base(self, node: tree.Node, scope: Scope, in_type: bool) -> None:
        """Binds what a member is taken of, where a namespace may stand too."""
        if isinstance(node, tree.Name):
            self.qualifier(node, scope, in_type)
        else:
            self.stack.append((node, scope, in_type))

    def resource_value(self, value: tree.Node, scope: Scope, body: Scope) -> None:
        """The loop and condition of a resource see the file; only its object sees what is nested in it."""
        match value:
            case tree.For(item=item, index=index, array=array):
                names = [(item, Kind.LOOP_ITEM)] + ([(index, Kind.LOOP_INDEX)] if index else [])
                inner = self.locals(value, names, scope)
                self.resource_value(value.body, inner, Scope(body.names, inner, this=True))
                self.push((array,), scope)
            case tree.If(condition=condition, body=then):
                self.resource_value(then, scope, body)
                self.push((condition,), scope)
            case _:
                self.push((value,), body)

    def locals(self, node: tree.Node, names: list[tuple[tree.Identifier, Kind]], outer: Scope) -> Scope:
        """A scope for the names that a node declares."""
        symbols = tuple(Symbol(i.text, kind, i) for i, kind in names)
        for (identifier, _), symbol in zip(names, symbols, strict=True):
            self.model.bindings[id(identifier)] = symbol
        self.model.locals[id(node)] = symbols
        report_doubles(self.report, symbols, "BCP028")
        return Scope({s.name: s for s in reversed(symbols) if s.name}, outer)

    # ------------------------------------------------------------ names

    def find(self, name: str, scope: Scope) -> Symbol | None:
        """What a name stands for here; None if nothing."""
        at: Scope | None = scope
        while at is not None:
            if name in at.names:
                return at.names[name]
            at = at.outer
        symbol = self.model.symbols.get(name)
        return None if symbol is not None and scope.func and symbol.kind not in IN_FUNC else symbol

    def use(self, node: tree.Node, symbol: Symbol) -> None:
        """Records that a node refers to a symbol."""
        self.model.bindings[id(node)] = symbol
        self.model.uses.setdefault(symbol, []).append(node)

    def value_name(self, node: tree.Name, scope: Scope) -> None:
        """A name where a value stands."""
        symbol = self.find(node.text, scope)
        if symbol is None:
            self.unknown_value(node, scope)
            return
        self.use(node, symbol)
        if symbol.kind is Kind.TYPE:
            self.report.error("BCP288", node, f"'{node.text}' is a type, and a value is needed here")
        elif symbol.kind is Kind.FUNC:
            help = "Call it, or wrap it in a lambda."
            self.report.error("BCP063", node, f"'{node.text}' is a function, not a value", help)
        elif symbol.kind is Kind.UNKNOWN and self.not_exported(symbol):
            self.report.error("BCP063", node, f"'{node.text}' is no value: the file does not export it")
        elif symbol.kind is Kind.EXTENSION and not self.params_file:
            self.report.error("BCP418", node, f"Extension '{node.text}' is no value")

    def not_exported(self, symbol: Symbol) -> bool:
        """Whether an imported name is certainly not in the file it is imported from."""
        item = symbol.declaration
        return isinstance(item, tree.ImportItem) and self.report.says(item.name, "BCP360")

    def unknown_value(self, node: tree.Name, scope: Scope) -> None:
        """A name where a value stands, and nothing of that name."""
        if not node.text:
            return
        namespace = self.namespaces.get(node.text)
        if namespace and (node.text != "this" or scope.this):
            self.use(node, namespace)
        elif any(lookup.find(n, node.text, params_file=self.params_file) for n in self.open_namespaces()):
            self.report.error("BCP063", node, f"'{node.text}' is a function, not a value", f"Call it: {node.text}(…).")
        else:
            self.unknown(node, node.text, self.visible(scope))

    def qualifier(self, node: tree.Name, scope: Scope, in_type: bool) -> None:
        """A name before a dot or `::`: namespaces are welcome."""
        symbol = self.find(node.text, scope)
        if symbol is None and node.text in self.namespaces and (node.text != "this" or scope.this):
            symbol = self.namespaces[node.text]
        if symbol is not None and (symbol.kind in (Kind.WILDCARD, Kind.NAMESPACE, Kind.EXTENSION)):
            self.use(node, symbol)
        elif in_type:
            self.type_name(node, scope)
        else:
            self.value_name(node, scope)

    def type_name(self, node: tree.Name, scope: Scope) -> None:
        """A name where a type stands."""
        symbol = self.find(node.text, FILE)
        if symbol is not None:
            self.use(node, symbol)
        if symbol is not None and symbol.kind in (Kind.TYPE, Kind.UNKNOWN):
            return
        if node.text in ("az", "sys") if symbol is None else symbol.kind in (Kind.WILDCARD, Kind.EXTENSION):
            self.report.error("BCP306", node, f"'{node.text}' is a namespace, not a type")
        elif symbol is not None:
            self.report.error("BCP287", node, f"'{node.text}' is a {symbol.kind}, not a type")
        elif node.text in DERIVED:
            help = f"Write {node.text}<'Namespace/type@version'>."
            self.report.error("BCP384", node, f"'{node.text}' needs a resource type", help)
        elif node.text not in AMBIENT and node.text:
            types = [s.name for s in self.model.of_kind(Kind.TYPE)]
            listed = f"Types are {_listing(sorted([*AMBIENT, *types]))}."
            help = did_you_mean(node.text, [*AMBIENT, *types]) or listed
            self.report.error("BCP302", node, f"There is no type '{node.text}'", help)

    def unknown(self, place: tree.Node, name: str, candidates: Iterable[str]) -> None:
        """Reports a name that stands for nothing."""
        if name == "if":
            self.report.error("BCP100", place, "There is no function 'if'", "Write condition ? one : other.")
            return
        if name == "base" and self.params_file and isinstance(place, tree.Name):
            self.report.error("BCP437", place, "'base' is what an extended file assigns", "Write extends 'file' above.")
            return
        known = tuple(candidates)
        near = suggestion(name, known)
        code = "BCP082" if near and isinstance(place, tree.Identifier) else "BCP057"
        help, fix = (f"Did you mean '{near}'?", write(place, near)) if near else (did_you_mean(name, known), None)
        self.report.error(code, place, f"'{name}' is not declared here", help, fix=fix)

    def visible(self, scope: Scope) -> Iterator[str]:
        """The names that could be meant, nearest scope first."""
        at: Scope | None = scope
        while at is not None:
            yield from at.names
            at = at.outer
        for name, symbol in self.model.symbols.items():
            if not scope.func or symbol.kind in IN_FUNC:
                yield name
        yield from self.function_names()

    def function_names(self) -> Iterator[str]:
        """The names of the built-in functions that need no qualifier."""
        for namespace in self.open_namespaces():
            yield from lookup.names(namespace, params_file=self.params_file)

    def open_namespaces(self) -> list[str]:
        """The namespaces whose functions need no qualifier."""
        return [n for n in self.namespaces if n != "this"]

    # ------------------------------------------------------------ calls

    def call(self, node: tree.Call, scope: Scope) -> None:
        """`name(…)`: the user's function, else a built-in one."""
        name = node.name.text
        symbol = self.find(name, scope)
        if symbol is not None and symbol.kind in (Kind.FUNC, Kind.UNKNOWN):
            self.use(node, symbol)
            self.model.bindings[id(node.name)] = symbol
            if symbol.kind is Kind.UNKNOWN and self.not_exported(symbol):
                self.report.error("BCP059", node, f"'{name}' is no function: the file does not export it")
            return
        for namespace in self.open_namespaces():
            function = lookup.find(namespace, name, params_file=self.params_file)
            if function is None:
                continue
            if symbol is not None:
                self.use(node.name, symbol)
                message = f"'{name}' is a {symbol.kind} here, and hides the function of that name"
                fix = write(node.name, f"{namespace}.{name}")
                self.report.error("BCP265", node.name, message, f"Write {namespace}.{name} for the function.", fix=fix)
            else:
                self.model.builtins[id(node)] = function
            return
        if symbol is not None:
            self.use(node.name, symbol)
            self.report.error("BCP059", node.name, f"'{name}' is a {symbol.kind}, not a function")
        elif name:
            self.unknown_function(node.name)

    def unknown_function(self, name: tree.Identifier) -> None:
        """A call of nothing known; some ARM functions are operators or syntax here."""
        if name.text in BANNED:
            operator = BANNED[name.text]
            self.report.error("BCP069", name, f"There is no function '{name.text}'", f"Use the operator '{operator}'.")
        elif name.text in BANNED_SYNTAX:
            code, help = SYNTAX_CODES[name.text], f"Write {BANNED_SYNTAX[name.text]}."
            self.report.error(code, name, f"There is no function '{name.text}'", help)
        else:
            users = [s.name for s in self.model.of_kind(Kind.FUNC)]
            self.unknown(name, name.text, [*users, *self.function_names()])

    def after(self, node: tree.Node) -> None:
        """Binds a member whose base is bound."""
        match node:
            case tree.MethodCall(base=tree.Name() as base):
                self.method(node, self.model.bindings.get(id(base)))
            case tree.Member(base=tree.Name() as base, name=name):
                symbol = self.model.bindings.get(id(base))
                if symbol is not None and symbol.kind is Kind.WILDCARD:
                    self.through_wildcard(node, symbol, name)
            case tree.NestedMember():
                self.nested_member(node)
            case _:
                pass

    def method(self, node: tree.MethodCall, symbol: Symbol | None) -> None:
        """`name.method(…)` on a namespace or a wildcard import; resources' methods are no names."""
        if symbol is None or not node.name.text:
            return
        if symbol.kind is Kind.WILDCARD:
            self.through_wildcard(node, symbol, node.name)
        elif symbol.kind is Kind.NAMESPACE and symbol.declaration is None:
            function = lookup.find(symbol.name, node.name.text, params_file=self.params_file)
            if function is not None:
                self.model.builtins[id(node)] = function
            elif node.name.text in BANNED or node.name.text in BANNED_SYNTAX:
                self.unknown_function(node.name)
            else:
                near = suggestion(node.name.text, lookup.names(symbol.name, params_file=self.params_file))
                message = f"Namespace '{symbol.name}' has no function '{node.name.text}'"
                help, fix = (f"Did you mean '{near}'?", write(node.name, near)) if near else ("", None)
                self.report.error("BCP108" if near else "BCP107", node.name, message, help, fix=fix)

    def through_wildcard(self, node: tree.Member | tree.MethodCall, wildcard: Symbol, name: tree.Identifier) -> None:
        """`ns.name` of a wildcard import."""
        symbol = exports.through(self.model, wildcard, name.text)
        if symbol is not None and (symbol.kind is Kind.FUNC) == isinstance(node, tree.MethodCall):
            self.use(node, symbol)
            self.model.bindings[id(name)] = symbol
        elif name.text and self.model.modules.get(id(wildcard.declaration)) is not None:
            what = "function" if isinstance(node, tree.MethodCall) else "type or variable"
            message = f"Import '{wildcard.name}' exports no {what} '{name.text}'"
            near = suggestion(name.text, exports.names(self.model, wildcard))
            code = "BCP107" if isinstance(node, tree.MethodCall) else "BCP052"
            self.report.error(code, name, message, f"Did you mean '{near}'?" if near else "")

    def nested_member(self, node: tree.NestedMember) -> None:
        """`parent::child`"""
        symbol = self.resource_at(node.base)
        if symbol is None:
            if not isinstance(node.base, tree.NestedMember | tree.Broken) and self.base_is_known(node.base):
                self.report.error("BCP158", node, "Only a resource has nested resources, and this is none")
            return
        inner = self.model.nested.get(id(symbol.declaration), {})
        name = node.name.text
        if name in inner:
            self.use(node, inner[name])
            self.model.bindings[id(node.name)] = inner[name]
        elif name:
            known = f"It has {_listing(sorted(inner))}." if inner else "It has none."
            self.report.error("BCP159", node.name, f"Resource '{symbol.name}' has no nested resource '{name}'", known)

    def base_is_known(self, node: tree.Node) -> bool:
        """Whether what stands before `::` is bound to something, or is no name at all."""
        return not isinstance(node, tree.Name) or id(node) in self.model.bindings

    def resource_at(self, node: tree.Node) -> Symbol | None:
        """The resource an expression names, if need be as one of a collection."""
        while isinstance(node, tree.Index | tree.Parenthesized | tree.NonNull):
            node = node.inner if isinstance(node, tree.Parenthesized) else node.base
        symbol = self.model.bindings.get(id(node))
        return symbol if symbol is not None and symbol.kind is Kind.RESOURCE else None


def _listing(names: list[str]) -> str:
    return ", ".join(f"'{n}'" for n in names[:12]) + (", …" if len(names) > 12 else "")
