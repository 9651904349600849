"""Questions that several rules ask of a tree."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.declare import body_of
from engine.check.functions.signature import Trait
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import ArrayType, ObjectType, StringType, TupleType, Type, members_of
from engine.contract.patterns import pattern
from engine.parse import tree

DEPTH = 10
"""Parts of parts of a type that are looked at."""

IDENTIFIER = r"(?!(?:true|false|null)$)[A-Za-z_][A-Za-z0-9_]*"


def unused(model: Model, kind: Kind) -> Iterator[tuple[Symbol, tree.Identifier]]:
    """The file's own symbols of a kind that nothing refers to, with the identifier that declares each."""
    for statement in model.file.statements:
        symbol = model.bindings.get(id(statement))
        if symbol is None or symbol.kind is not kind or not symbol.name:
            continue
        name = getattr(statement, "name", None)
        # Of several declarations of one name only the first is bound to the uses.
        if isinstance(name, tree.Identifier) and model.unused(symbol):
            yield symbol, name


def declared_params(model: Model) -> list[tree.Param | tree.ResourceParam]:
    """The parameters that a file declares, in order; a parameter file declares none, it gives values to those of another."""
    if model.path.endswith(".bicepparam"):
        return []
    every: list[tree.Param | tree.ResourceParam] = [*model.nodes(tree.Param), *model.nodes(tree.ResourceParam)]
    return sorted(every, key=lambda node: node.start)


def is_identifier(text: str | None) -> bool:
    """Whether a text could be written without quotes as the name of a property."""
    return text is not None and pattern(IDENTIFIER).fullmatch(text) is not None


def key_of(member: tree.Node) -> str | None:
    """The name of a property; None for what is none, or has holes."""
    if type(member) is not tree.Property:
        return None
    key = member.key
    return key.text if isinstance(key, tree.Identifier) else key.literal


def property_of(body: tree.Node | None, *path: str) -> tree.Property | None:
    """The property under a path of names in an object literal."""
    found: tree.Property | None = None
    for name in path:
        inner = body_of(body) if body is not None else None
        for member in inner.members if inner is not None else ():
            if key_of(member) == name:
                assert isinstance(member, tree.Property), "nothing else has a key"
                found, body = member, member.value
                break
        else:
            return None
    return found


def calls(model: Model, *names: str) -> Iterator[tree.Call | tree.MethodCall]:
    """The calls of built-in functions by name."""
    every: list[tree.Call | tree.MethodCall] = [*model.nodes(tree.Call), *model.nodes(tree.MethodCall)]
    for node in every:
        function = model.builtin(node)
        if function is not None and function.name in names:
            yield node


def decorated(model: Model, name: str) -> Iterator[tuple[tree.Node, tree.Decorator]]:
    """The statements and members that carry a decorator, with it."""
    kinds = (tree.TypeProperty, tree.TupleItem)
    for node in (*model.file.statements, *(n for kind in kinds for n in model.nodes(kind))):
        for decorator in getattr(node, "decorators", ()):
            if model.decorators.get(id(decorator)) == name:
                yield node, decorator


def resources(model: Model) -> Iterator[tuple[Symbol, tree.Resource]]:
    """All resources, nested ones too."""
    for node in model.nodes(tree.Resource):
        symbol = model.bindings.get(id(node))
        if symbol is not None:
            yield symbol, node


def type_of_resource(model: Model, symbol: Symbol) -> str:
    """The full type of a resource in lower case, without its version; empty where it is malformed."""
    name = model.resource_types.get(symbol)
    return name.type.lower() if name else ""


def nested_template(model: Model, symbol: Symbol, node: tree.Resource) -> tuple[tree.Node | None, bool]:
    """The template of a nested deployment written as a resource, and whether it is evaluated inside; None for others.

    With symbolic names it always is.
    """
    if type_of_resource(model, symbol) != "microsoft.resources/deployments":
        return None, False
    template = property_of(node.value, "properties", "template")
    if template is None:
        return None, False
    scope = property_of(node.value, "properties", "expressionEvaluationOptions", "scope")
    text = literal_of(model, scope.value)[0] if scope is not None else None
    return template.value, (text or "").lower() == "inner" or model.once(_symbolic)


def _symbolic(model: Model) -> bool:
    """Whether a file compiles to a template with symbolic names."""
    from engine.build.build import opened
    from engine.build.emit.language import language_version
    from engine.build.emit.unit import Session

    unit, survey, _ = opened(model, Session())
    return language_version(unit, survey) is not None


def bare(node: tree.Node) -> tree.Node:
    """The expression inside any parentheses."""
    while isinstance(node, tree.Parenthesized):
        node = node.inner
    return node


def is_secure(model: Model, symbol: Symbol) -> bool:
    """Whether a symbol is a parameter with `@secure()`."""
    return isinstance(symbol.declaration, tree.Param) and model.has_decorator(symbol.declaration, "secure")


def constant_text(model: Model, node: tree.Node, depth: int = 0) -> str | None:
    """The text an expression certainly is, through variables and defaults of parameters; None if it is none."""
    node = bare(node)
    if isinstance(node, tree.Text):
        return node.literal
    if isinstance(node, tree.Name) and depth < 10:
        symbol = model.symbol(node)
        if symbol is not None and isinstance(symbol.declaration, tree.Var | tree.Param) and symbol.declaration.value:
            return constant_text(model, symbol.declaration.value, depth + 1)
    return None


def literal_of(model: Model, node: tree.Node) -> tuple[str | None, tree.Var | None]:
    """The text an expression is, through variables, and the variable that has it; None if it is none."""
    found: tree.Var | None = None
    for _ in range(DEPTH):
        if isinstance(node, tree.Text):
            return node.literal, found
        symbol = model.symbol(node) if isinstance(node, tree.Name) else None
        if symbol is None or not isinstance(symbol.declaration, tree.Var):
            break
        found = symbol.declaration
        node = found.value
    return None, None


def made_of(model: Model, *values: tree.Node, defaults: bool = False) -> Iterator[tree.Node]:
    """The nodes of values, and those of the variables that they name, or of the defaults of parameters too; each once."""
    through: tuple[type[tree.Var] | type[tree.Param], ...] = (tree.Var, tree.Param) if defaults else (tree.Var,)
    stack, seen = [*values], set[int]()
    while stack:
        for node in tree.walk(stack.pop()):
            yield node
            symbol = model.symbol(node) if isinstance(node, tree.Name) else None
            declaration = symbol.declaration if symbol is not None else None
            if isinstance(declaration, through) and declaration.value is not None and id(declaration) not in seen:
                seen.add(id(declaration))
                stack.append(declaration.value)


def gates(node: tree.Resource | tree.Module) -> list[tree.Node]:
    """What decides whether and how often something is deployed: the arrays and conditions around its body."""
    found: list[tree.Node] = []
    value: tree.Node = node.value
    while isinstance(value, tree.For | tree.If):
        found.append(value.array if isinstance(value, tree.For) else value.condition)
        value = value.body
    return found


def same(a: tree.Node, b: tree.Node) -> bool:
    """Whether two expressions are written alike, but for blanks and comments."""
    return [*map(_said, tree.walk(a))] == [*map(_said, tree.walk(b))]


def _said(node: tree.Node) -> tuple[object, ...]:
    """What a node says itself, and how many are directly below it."""
    own = [
        None if isinstance(v, tree.Node) else v for field in _SAID if (v := getattr(node, field, _SAID)) is not _SAID
    ]
    return (type(node), sum(1 for _ in tree.children(node)), *own)


_SAID = ("text", "parts", "value", "operator", "safe", "from_end")


def secrets(model: Model, value: tree.Node) -> Iterator[tuple[tree.Node, str]]:
    """What an expression touches that is secret."""
    stack = [value]
    while stack:
        node = stack.pop()
        match node:
            case tree.Name() | tree.Member() | tree.Index() | tree.NonNull():
                base: tree.Node = node
                secret = holds_secret(model.type_of(node))
                while isinstance(base, tree.Member | tree.Index | tree.NonNull):
                    if isinstance(base, tree.Index):
                        stack.append(base.index)
                    base = base.base
                    secret = secret or is_secret(model.type_of(base))
                symbol = model.symbol(base)
                if not isinstance(base, tree.Name):
                    stack.append(base)
                elif secret or (symbol is not None and is_secure(model, symbol)):
                    yield node, f"'{base.text}' leads to a secret, which is shown here"
                continue
            case tree.Call() | tree.MethodCall() if _lists(model, node):
                yield node, f"What '{node.name.text}' returns may be a secret, and is shown here"
            case _:
                pass
        stack.extend(reversed(list(tree.children(node))))


def _lists(model: Model, node: tree.Call | tree.MethodCall) -> bool:
    """Whether a call asks a resource, or the platform, for its keys."""
    function = model.builtin(node)
    if function is not None:
        return Trait.SECURE in function.traits
    if isinstance(node, tree.Call) or not node.name.text.lower().startswith("list"):
        return False
    symbol = model.symbol(node.base)
    return symbol is not None and symbol.kind is Kind.RESOURCE


def is_secret(type: Type) -> bool:
    """Whether a value is secret as a whole."""
    return any(isinstance(m, StringType | ObjectType) and m.secure for m in members_of(type))


def holds_secret(type: Type, depth: int = 0) -> bool:
    """Whether a value is secret, or has a part that is."""
    if depth > DEPTH:
        return False
    for member in members_of(type):
        match member:
            case StringType(secure=True) | ObjectType(secure=True):
                return True
            case ObjectType(properties=dict(properties)):
                if any(holds_secret(p.type, depth + 1) for p in properties.values()):
                    return True
            case ArrayType(item=item) if holds_secret(item, depth + 1):
                return True
            case TupleType(items=items) if any(holds_secret(i, depth + 1) for i in items):
                return True
            case _:
                pass
    return False
