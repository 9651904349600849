"""Rule use-secure-value-for-secure-inputs."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.catalogue import body_type
from engine.check.functions.signature import Trait
from engine.check.model import Model
from engine.check.types import (
    ArrayType,
    DiscriminatedType,
    NullType,
    ObjectType,
    ResourceType,
    StringLiteral,
    StringType,
    Type,
    members_of,
    show,
    without_null,
)
from engine.lint.names import bare, is_secret, is_secure, key_of, resources
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("use-secure-value-for-secure-inputs", Category.SECURITY)
def use_secure_value_for_secure_inputs(model: Model) -> Iterator[Finding]:
    """A secret property of a resource with a value that is not kept secret.

    What is no secure value is shown in the history of deployments. Take it from a parameter with `@secure()`, or from what a
    `list…()` function gives. Which properties are secret only types tell (`--types`, `ULNA_TYPES`, or `ulna.types` in
    bicepconfig.json); without them nothing is said.

    Example:
        >>> bicepconfig.json
        { "ulna": { "types": "types" } }
        <<<
        >>> types/index.json
        { "resources": { "My.Rp/things@2024-01-01": { "$ref": "types.json#/3" } } }
        <<<
        >>> types/types.json
        [
          { "$type": "StringType" },
          { "$type": "StringType", "sensitive": true },
          {
            "$type": "ObjectType",
            "name": "thing",
            "properties": {
              "name": { "type": { "$ref": "#/0" }, "flags": 1 },
              "key": { "type": { "$ref": "#/1" }, "flags": 0 }
            }
          },
          { "$type": "ResourceType", "name": "My.Rp/things@2024-01-01", "body": { "$ref": "#/2" }, "scopeType": 0, "flags": 0 }
        ]
        <<<
        param key string
        resource thing 'My.Rp/things@2024-01-01' = {
          name: 'thing'
          key: key
        }
        ---
        @secure()
        param key string
        resource thing 'My.Rp/things@2024-01-01' = {
          name: 'thing'
          key: key
        }
    """
    if model.type_names is None and not model.extension_types:
        return
    for symbol, node in resources(model):
        type = body_type(model, symbol) if not node.existing else None
        if type is not None:
            yield from _inside(model, node.value, type)


def _inside(model: Model, node: tree.Node, type: Type) -> Iterator[Finding]:
    """The secret parts of a value that is written out."""
    node = bare(node)
    types = members_of(without_null(type))
    match node:
        case tree.If(body=body):
            yield from _inside(model, body, type)
        case tree.For(body=body):
            items = [t.item for t in types if isinstance(t, ArrayType)]
            yield from _inside(model, body, items[0] if items else type)
        case tree.Ternary(then=then, otherwise=otherwise):
            yield from _inside(model, then, type)
            yield from _inside(model, otherwise, type)
        case tree.Array(items=items_):
            for each in items_:
                for wanted in types:
                    if isinstance(wanted, ArrayType):
                        yield from _inside(model, each, wanted.item)
        case tree.Object() if not is_secret(type):
            for member in node.members:
                name = key_of(member)
                known = _property(node, types, name) if name is not None else None
                if known is not None and isinstance(member, tree.Property):
                    yield from _inside(model, member.value, known)
        case _ if is_secret(type) and _open(model, node):
            yield node, f"This is a secret, and takes a secure value; {show(model.type_of(node))} is none"
        case _:
            pass


def _property(node: tree.Object, types: tuple[Type, ...], name: str) -> Type | None:
    for type in types:
        if isinstance(type, DiscriminatedType):
            tag = next((m.value for m in node.members if isinstance(m, tree.Property) and key_of(m) == type.key), None)
            chosen = type.members.get((tag.literal or "") if isinstance(tag, tree.Text) else "")
            type = chosen if chosen is not None else type
        if isinstance(type, ObjectType) and name in type.properties:
            found = type.properties[name]
            return None if found.readonly else found.type
    return None


def _open(model: Model, node: tree.Node) -> bool:
    """Whether a value is certainly not kept secret: nothing in it is."""
    type = model.type_of(node)
    kinds = members_of(type)
    if not all(isinstance(t, StringType | StringLiteral | ObjectType | NullType) for t in kinds):
        return False
    if is_secret(type) or all(isinstance(t, NullType) for t in kinds):
        return False
    return not any(_kept(model, inner) for inner in tree.walk(node))


def _kept(model: Model, node: tree.Node) -> bool:
    """Whether a part of a value is a secret, or may be: what a module or another resource gives."""
    match node:
        case tree.Name():
            symbol = model.symbol(node)
            declaration = symbol.declaration if symbol is not None else None
            if symbol is not None and is_secure(model, symbol):
                return True
            return isinstance(declaration, tree.Var) and any(_kept(model, n) for n in tree.walk(declaration.value))
        case tree.Call():
            function = model.builtin(node)
            return function is not None and Trait.SECURE in function.traits
        case tree.MethodCall(name=name):
            return name.text.startswith("list") or name.text == "getSecret"
        case tree.Member(base=base):
            return any(isinstance(t, ResourceType) and t.module for t in members_of(model.type_of(base)))
        case _:
            return False
