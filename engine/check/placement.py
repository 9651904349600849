"""Checks where a resource goes: its scope, its parent's, and a name that has as many parts as its type."""

from __future__ import annotations

from engine.check.body import properties_of
from engine.check.declare import body_of
from engine.check.functions.az import SCOPE_FUNCTIONS
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import ArrayType, BoolType, IntType, ObjectType, StringLiteral, StringType, show
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

_IDENTITY = frozenset({"name", "scope", "parent", "dependsOn", "id", "type", "apiVersion"})
"""What the declaration of something that exists already may say: which one it is."""


def check_placement(infer: Infer, node: tree.Resource, symbol: Symbol, body: tree.Object) -> None:
    """One resource of ARM: those of other extensions have names and scopes of their own."""
    if infer.model.extension_of(symbol) is not None:
        return
    given = properties_of(body)
    if node.existing:
        for name, property in given.items():
            if name not in _IDENTITY:
                message = f"'{symbol.name}' exists already, so '{name}' cannot be set here"
                infer.report.error("BCP173", property.key, message, "Remove it, or remove 'existing'.")
    if "name" in given:
        _segments(infer, symbol, given["name"].value, child=symbol.parent is not None or "parent" in given)
    scope = given.get("scope")
    if scope is None:
        _inherited(infer, node, symbol, body)
    elif infer.report.says(scope.value, "BCP176"):
        pass
    elif "parent" in given and symbol.parent is None:
        help = "Remove 'scope': it is where its parent is."
        infer.report.error("BCP164", scope.value, f"'{symbol.name}' is a child, and has the scope of its parent", help)
    elif not scope_type(infer, scope) and not node.existing and _elsewhere(infer, scope.value):
        help = "Put it into a module, and give the module this scope."
        infer.report.error("BCP139", scope.value, "A file deploys resources to its own scope only", help)


def scope_type(infer: Infer, given: tree.Property) -> bool:
    """Reports a scope that is none, or one of several; whether it was."""
    if undecided(infer.model, given.value):
        help = "Name one scope, and choose what it is made of: resourceGroup(inner ? 'a' : 'b')."
        infer.report.error("BCP420", given.value, "Which scope this is cannot be told before the deployment", help)
        return True
    type = infer.open(infer.type(given.value))
    plain = isinstance(type, StringType | StringLiteral | IntType | BoolType | ArrayType)
    if plain or (isinstance(type, ObjectType) and type.name == "object" and type.additional is None):
        message = f"Property 'scope' takes a scope or a resource, and this is {show(type)}"
        infer.report.error("BCP036", given.value, message)
        return True
    return False


def written_out(model: Model, node: tree.Expression) -> tree.Expression:
    """An expression without parentheses and assertions, and instead of a variable what it stands for."""
    seen: set[Symbol] = set()
    while True:
        match node:
            case tree.Parenthesized(inner=inner):
                node = inner
            case tree.NonNull(base=base):
                node = base
            case tree.Name():
                symbol = model.symbol(node)
                declared = symbol.declaration if symbol is not None and symbol.home is None else None
                if symbol is None or symbol in seen or not isinstance(declared, tree.Var):
                    return node
                seen.add(symbol)
                node = declared.value
            case _:
                return node


def undecided(model: Model, node: tree.Expression) -> bool:
    """Whether an expression gives one of several scopes."""
    sides = _sides(model, node)
    return len(sides) > 1 and all(_is_scope(model, side) for side in sides)


def _sides(model: Model, node: tree.Expression) -> list[tree.Expression]:
    """The expressions of which one gives the value; a choice that leads to itself is reported elsewhere."""
    found: list[tree.Expression] = []
    seen: set[int] = set()
    stack = [node]
    while stack:
        match written_out(model, stack.pop()):
            case (
                tree.Ternary(then=left, otherwise=right) | tree.Binary(operator="??", left=left, right=right)
            ) as choice:
                if id(choice) not in seen:
                    seen.add(id(choice))
                    stack += [right, left]
            case whole:
                found.append(whole)
    return found


def _is_scope(model: Model, node: tree.Expression) -> bool:
    function = model.builtin(node) if isinstance(node, tree.Call | tree.MethodCall) else None
    if function is not None:
        return function.name in SCOPE_FUNCTIONS
    symbol = model.symbol(node)
    return symbol is not None and symbol.kind is Kind.RESOURCE


def _elsewhere(infer: Infer, node: tree.Expression) -> bool:
    """Whether a scope is certainly another than that of the file."""
    node = written_out(infer.model, node)
    function = infer.model.builtin(node) if isinstance(node, tree.Call | tree.MethodCall) else None
    if function is None or function.name not in SCOPE_FUNCTIONS or function.name == "tenant":
        return False
    assert isinstance(node, tree.Call | tree.MethodCall)
    return bool(node.arguments) or function.name != infer.model.target_scope


def _inherited(infer: Infer, node: tree.Resource, symbol: Symbol, body: tree.Object) -> None:
    """A child is where its ancestor is, which must be where the file deploys to."""
    if node.existing or symbol in infer.model.cyclic:
        return
    above = _parent(infer, symbol, body)
    seen = {symbol}
    while above is not None and above not in seen:
        seen.add(above)
        declaration = above.declaration
        inner = body_of(declaration.value) if isinstance(declaration, tree.Resource) else None
        if inner is None:
            return
        scope = properties_of(inner).get("scope")
        if scope is not None and isinstance(declaration, tree.Resource) and declaration.existing:
            if _elsewhere(infer, scope.value):
                help = "Put it into a module, and give the module that scope."
                message = f"'{symbol.name}' belongs to '{above.name}', which is not where this file deploys to"
                infer.report.error("BCP165", body, message, help)
            return
        above = _parent(infer, above, inner)


def _parent(infer: Infer, symbol: Symbol, body: tree.Object) -> Symbol | None:
    if symbol.parent is not None:
        return symbol.parent
    given = properties_of(body).get("parent")
    value = given.value if given is not None else None
    if isinstance(value, tree.Index):
        value = value.base
    return infer.model.bindings.get(id(value)) if value is not None else None


def _segments(infer: Infer, symbol: Symbol, node: tree.Expression, *, child: bool) -> None:
    """A name has a part for each part of its type; a child is named by the last alone."""
    if not isinstance(node, tree.Text):
        return
    slashes = sum(part.count("/") for part in node.parts)
    if child:
        if slashes:
            help = "Give the last part of the name only."
            infer.report.error("BCP170", node, f"'{symbol.name}' has its parent's name in front already", help)
        return
    name = infer.model.resource_types.get(symbol)
    wanted = name.type.count("/") - 1 if name is not None else 0
    if name is not None and not node.holes and slashes != wanted:
        message = f"A '{name.type}' needs a name with {wanted} slashes, and this has {slashes}"
        infer.report.error("BCP169", node, message, "Its name has one part for each part of its type.")
