"""Rule outputs-should-not-contain-secrets."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.functions.signature import Trait
from engine.check.model import Model
from engine.check.symbols import Kind
from engine.check.types import ArrayType, ObjectType, StringType, TupleType, Type, members_of
from engine.lint.names import is_secure
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree

DEPTH = 10
"""Parts of parts that are looked at."""


@rule("outputs-should-not-contain-secrets", Category.SECURITY)
def outputs_should_not_contain_secrets(model: Model) -> Iterator[Finding]:
    """An output that gives a secret away, without `@secure()`.

    Whoever may read the deployment may read its outputs. Put `@secure()` before it, or leave it out.

    Example:
        @secure()
        param password string
        output o string = password
        ---
        @secure()
        param password string
        @secure()
        output o string = password
    """
    for node in model.nodes(tree.Output):
        if model.has_decorator(node, "secure"):
            continue
        if "password" in node.name.text.lower():
            yield node, f"Output '{node.name.text}' looks like a secret by its name"
        yield from _value(model, node.value)


def _value(model: Model, value: tree.Node) -> Iterator[Finding]:
    """What an expression touches that is secret."""
    stack = [value]
    while stack:
        node = stack.pop()
        match node:
            case tree.Name() | tree.Member() | tree.Index() | tree.NonNull():
                base: tree.Node = node
                secret = _holds(model.type_of(node))
                while isinstance(base, tree.Member | tree.Index | tree.NonNull):
                    if isinstance(base, tree.Index):
                        stack.append(base.index)
                    base = base.base
                    secret = secret or _is(model.type_of(base))
                symbol = model.symbol(base)
                if not isinstance(base, tree.Name):
                    stack.append(base)
                elif secret or (symbol is not None and is_secure(model, symbol)):
                    yield node, f"'{base.text}' leads to a secret, which leaves by an output"
                continue
            case tree.Call() | tree.MethodCall() if _lists(model, node):
                yield node, f"What '{node.name.text}' returns may be a secret, and leaves by an output"
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


def _is(type: Type) -> bool:
    """Whether a value is secret as a whole."""
    return any(isinstance(m, StringType | ObjectType) and m.secure for m in members_of(type))


def _holds(type: Type, depth: int = 0) -> bool:
    """Whether a value is secret, or has a part that is."""
    if depth > DEPTH:
        return False
    for member in members_of(type):
        match member:
            case StringType(secure=True) | ObjectType(secure=True):
                return True
            case ObjectType(properties=dict(properties)):
                if any(_holds(p.type, depth + 1) for p in properties.values()):
                    return True
            case ArrayType(item=item) if _holds(item, depth + 1):
                return True
            case TupleType(items=items) if any(_holds(i, depth + 1) for i in items):
                return True
            case _:
                pass
    return False
