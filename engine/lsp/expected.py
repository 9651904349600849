"""Which type is wanted at a place: that of a property by its schema, of a parameter by its module, of an argument by its function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.check import catalogue
from engine.check.declared import params_of
from engine.check.model import Model
from engine.check.scopes import SCOPES
from engine.check.types import (
    ANY,
    ARRAY,
    BOOL,
    STRING,
    AnyType,
    ArrayType,
    DiscriminatedType,
    ObjectType,
    PropertyType,
    RecursiveType,
    ResourceType,
    StringLiteral,
    TupleType,
    Type,
    UnionType,
    members_of,
    union,
)
from engine.lsp.kinds import with_kinds
from engine.lsp.occurrences import template_of
from engine.parse import tree

_WHERE: Mapping[str, PropertyType] = {
    "parent": PropertyType(ANY, description="The resource that this one is a part of."),
    "scope": PropertyType(ANY, description="Where it is deployed to, or which resource it extends."),
    "dependsOn": PropertyType(ARRAY, description="What must be there first; what is referred to is known anyway."),
}

_ARM: Mapping[str, PropertyType] = {
    "name": PropertyType(STRING, True, description="The name of the resource."),
    "location": PropertyType(STRING, description="The region it is in."),
    "tags": PropertyType(ObjectType({}, STRING), description="Labels by name."),
    "properties": PropertyType(ANY, description="All that is particular to its type."),
}
"""What resources have of which nothing is known."""


def wanted(model: Model, nodes: Sequence[tree.Node]) -> Type | None:
    """The type that the last of nested nodes should have; None where nothing is known."""
    type: Type | None = None
    for outer, inner in pairwise(nodes):
        type = _step(model, outer, inner, type)
    return type


def _step(model: Model, outer: tree.Node, inner: tree.Node, type: Type | None) -> Type | None:
    """From the type wanted of a node to that of one of its children."""
    match outer:
        case tree.Resource() | tree.Module() | tree.Test() if inner is outer.value:
            body = body_of(model, outer)
            return ArrayType(body) if isinstance(inner, tree.For) else body
        case tree.Object():
            return _told_apart(model, type, outer)
        case tree.Property(key=key, value=value):
            if inner is not value:
                return type
            found = properties(model, type).get(key_of(key))
            if found is not None and found.texts:
                return UnionType((*map(StringLiteral, found.texts), found.type))
            return found.type if found else rest(model, type)
        case tree.Array(items=items):
            return _item(model, type, next((n for n, i in enumerate(items) if i is inner), 0))
        case tree.For(body=body) if inner is body:
            return _item(model, type, 0)
        case tree.If(condition=condition, body=body):
            # Where the parenthesis is open yet, what is missing behind it is not what is being written.
            return BOOL if inner is condition or body.start == body.end == condition.end else type
        case tree.Ternary(condition=condition):
            return BOOL if inner is condition else type
        case tree.Parenthesized() | tree.Spread():
            return type
        case tree.Binary(operator=operator, left=left, right=right):
            if operator == "??":
                return type
            return model.type_of(right if inner is left else left) if operator in ("==", "!=", "=~", "!~") else None
        case tree.Param(name=name, value=value) if inner is value:
            used = template_of(model)
            symbol = (used or model).symbols.get(name.text)
            return (used or model).type_of_symbol(symbol) if symbol else None
        case tree.Output(name=name, value=value) if inner is value:
            return model.type_of_symbol(model.outputs[name.text]) if name.text in model.outputs else None
        case tree.Var(name=name, value=value, type=declared) if inner is value and declared is not None:
            symbol = model.symbols.get(name.text)
            return model.type_of_symbol(symbol) if symbol else None
        case tree.TargetScope():
            return union(*map(StringLiteral, SCOPES))
        case tree.Call(arguments=arguments) | tree.MethodCall(arguments=arguments):
            place = next((n for n, a in enumerate(arguments) if a is inner), None)
            return _argument(model, outer, place) if place is not None else None
        case _:
            return None


def _argument(model: Model, call: tree.Call | tree.MethodCall, place: int) -> Type | None:
    function, symbol = model.builtin(call), model.symbol(call)
    own = model.signature(symbol.original or symbol) if symbol else None
    if own is None and symbol is not None and symbol.home is not None and symbol.original is not None:
        own = symbol.home.signature(symbol.original)
    overload = own or (function.overloads[0] if function else None)
    if overload is None or not overload.parameters:
        return None
    return overload.parameter(place)


def _item(model: Model, type: Type | None, place: int) -> Type | None:
    for member in choices(model, type):
        match member:
            case ArrayType(item=item):
                return item
            case TupleType(items=items) if place < len(items):
                return items[place]
            case _:
                pass
    return None


def body_of(model: Model, node: tree.Resource | tree.Module | tree.Test) -> Type:
    """What the body of a resource or module may have."""
    if not isinstance(node, tree.Resource):
        target = model.modules.get(id(node))
        parameters = ObjectType(params_of(target) if target is not None else {}, None if target else ANY, name="params")
        whole = {"params": PropertyType(parameters, description="The values of the module's parameters.")}
        if isinstance(node, tree.Module):
            whole["name"] = PropertyType(STRING, description="The name of the deployment that the module becomes.")
            whole |= {k: _WHERE[k] for k in ("scope", "dependsOn")}
        return ObjectType(whole, name="module")
    symbol = model.symbol(node)
    if symbol is not None and (data := catalogue.body_type(model, symbol)) is not None:
        return _described(data)
    name = model.resource_types.get(symbol) if symbol else None
    schema = catalogue.writable(name) if name is not None else None
    if schema is None or name is None:
        return ObjectType({**_ARM, **_WHERE}, ANY, name="resource")
    full = with_kinds(name.type, schema)
    if "name" in full.properties and not full.properties["name"].description:
        named = full.properties["name"].replace(description=_ARM["name"].description)
        full = full.replace(properties={**full.properties, "name": named})
    return full.replace(properties={**full.properties, **_WHERE})


def _described(body: Type) -> Type:
    """The body of a type that data give, with what is to be said of where a resource is, and without what may be wrong."""
    match body:
        case DiscriminatedType(members=members):
            found = {value: _described(member) for value, member in members.items()}
            return body.replace(members={v: m for v, m in found.items() if isinstance(m, ObjectType)})
        case ObjectType(properties=own):
            named = (
                own["name"].replace(description=own["name"].description or _ARM["name"].description)
                if "name" in own
                else None
            )
            where = {n: p for n, p in _WHERE.items() if n in own or n == "dependsOn"}
            known = {n: p for n, p in own.items() if not p.fallback}
            return body.replace(properties={**known, **({"name": named} if named else {}), **where})
        case _:
            return body


def choices(model: Model, type: Type | None) -> tuple[Type, ...]:
    """The members of a type, those that contain themselves opened."""
    if type is None:
        return ()
    return tuple(m for member in members_of(type) for m in members_of(_open(model, member)))


def _open(model: Model, type: Type) -> Type:
    if not isinstance(type, RecursiveType):
        return type
    symbol = type.symbol.original or type.symbol
    found = next((m.symbol_types[symbol] for m in model.everything() if symbol in m.symbol_types), ANY)
    return ANY if isinstance(found, RecursiveType) else found


def properties(model: Model, type: Type | None, given: tree.Object | None = None) -> dict[str, PropertyType]:
    """The properties that an object of a type can have; `given` tells which of its variants it is."""
    found: dict[str, PropertyType] = {}
    for member in choices(model, type):
        match member:
            case ObjectType(properties=inner):
                found.update({k: p for k, p in inner.items() if k not in found})
            case ResourceType(body=body):
                found.update(properties(model, body))
            case DiscriminatedType(key=key, members=members):
                chosen = members.get(_tag(given, key))
                for variant in (chosen,) if chosen else members.values():
                    found.update({k: p for k, p in variant.properties.items() if k not in found})
                if not chosen:
                    found[key] = PropertyType(union(*map(StringLiteral, members)), True)
            case _:
                pass
    return found


def _told_apart(model: Model, type: Type | None, given: tree.Object) -> Type | None:
    """The one of several objects that a written one is, where a text in it says which."""
    for member in choices(model, type):
        if isinstance(member, DiscriminatedType) and (chosen := member.members.get(_tag(given, member.key))):
            return chosen
    return type


def rest(model: Model, type: Type | None) -> Type | None:
    """The type of the properties that are not named."""
    return next((m.additional for m in choices(model, type) if isinstance(m, ObjectType) and m.additional), None)


def knows(type: Type | None) -> bool:
    """Whether anything is known at all."""
    return type is not None and not isinstance(type, AnyType)


def _tag(given: tree.Object | None, key: str) -> str:
    for member in given.members if given else ():
        if isinstance(member, tree.Property) and key_of(member.key) == key and isinstance(member.value, tree.Text):
            return member.value.literal or ""
    return ""


def key_of(key: tree.Identifier | tree.Text) -> str:
    """The name that a key gives."""
    return key.text if isinstance(key, tree.Identifier) else key.literal or ""
