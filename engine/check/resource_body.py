"""The bodies of resources by type data: what may be written in one, and what can be read of it.

To what the data say, ARM adds what all of its resources have: a name and an identity of which no data can be wrong
(`system`), and properties that a type may have though its data do not tell (`fallback`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

from engine.check.declare import key_text
from engine.check.types import (
    ANY,
    BOOL,
    INT,
    OBJECT,
    STRING,
    ArrayType,
    DiscriminatedType,
    ObjectType,
    PropertyType,
    Type,
)
from engine.parse import tree

_TEXTS = ArrayType(STRING)


def _object(name: str, rest: Type | None = None, /, **properties: Type) -> ObjectType:
    """An object of optional properties; those with a trailing underscore are required."""
    found = {key.rstrip("_"): PropertyType(type, key.endswith("_")) for key, type in properties.items()}
    return ObjectType(found, rest, name=name)


_IDENTITIES = ObjectType({}, _object("userAssignedIdentityProperties", principalId=STRING, clientId=STRING))
COMMON: Mapping[str, PropertyType] = {
    name: PropertyType(type)
    for name, type in {
        "location": STRING,
        "tags": ObjectType({}, STRING, name="tags"),
        "asserts": ObjectType({}, BOOL, name="asserts"),
        "properties": OBJECT,
        "sku": _object("sku", name=STRING, tier=STRING, size=STRING, family=STRING, model=STRING, capacity=INT),
        "kind": STRING,
        "managedBy": STRING,
        "managedByExtended": _TEXTS,
        "extendedLocation": _object("extendedLocation", type_=STRING, name=STRING),
        "zones": _TEXTS,
        "placement": OBJECT,
        "plan": OBJECT,
        "eTag": STRING,
        "scale": _object("scale", capacity_=INT, maximum=INT, minimum=INT),
        "identity": _object(
            "identity",
            principalId=STRING,
            tenantId=STRING,
            type_=STRING,
            identityIds=_TEXTS,
            userAssignedIdentities=_IDENTITIES,
            delegatedResources=OBJECT,
        ),
    }.items()
}
"""What resources of ARM can have at the top, whatever their type."""

_FALLBACK = {name: property.replace(fallback=name != "asserts") for name, property in COMMON.items()}
_SETTLED = {n: PropertyType(STRING, readonly=True, constant=True, system=True) for n in ("id", "type", "apiVersion")}
_WHERE = PropertyType(ANY, writeonly=True, system=True)
_MEANT: Mapping[str, Mapping[str, PropertyType]] = {
    "microsoft.resources/deployments": {
        name: PropertyType(STRING, constant=True, system=True) for name in ("resourceGroup", "subscriptionId")
    }
}


def of_arm(body: Type, type: str, scopes: Set[str], *, child: bool) -> Type:
    """The body of a type of ARM that can be at some scopes.

    `child` says that its parent is named apart, so that its name is the last part alone.
    """
    literal = child or type.count("/") == 1
    match body:
        case DiscriminatedType(key="name") if not literal:
            members = {name for member in body.members.values() for name in member.properties}
            common = {n: p for n, p in COMMON.items() if n in members}
            return _completed(ObjectType(common, name=type), type, literal, scopes)
        case DiscriminatedType(members=members_of):
            return body.replace(members={v: _completed(m, type, literal, scopes) for v, m in members_of.items()})
        case ObjectType():
            return _completed(body, type, literal, scopes)
        case _:
            return body


def unknown(type: str) -> ObjectType:
    """The body of a type of ARM that the data do not have."""
    return _completed(ObjectType(COMMON, name=type), type, True, frozenset({"resource"}))


def _completed(body: ObjectType, type: str, literal: bool, scopes: Set[str]) -> ObjectType:
    own = body.properties
    name = own["name"].type if literal and "name" in own else STRING
    describe = own["name"].description if "name" in own else ""
    system = {
        "name": PropertyType(name, True, description=describe, constant=True, system=True, identifier=True),
        **_SETTLED,
        "dependsOn": _WHERE,
        **({"scope": _WHERE} if "resource" in scopes or "tenant" in scopes else {}),
        **({"parent": _WHERE} if type.count("/") > 1 else {}),
        **_MEANT.get(type.lower(), {}),
    }
    fallback = {n: p for n, p in _FALLBACK.items() if n not in own}
    return body.replace(properties=Overlaid(own, {**fallback, **system}))


class Overlaid(Mapping[str, PropertyType]):
    """Properties under others of the same names; those below stay unread until they are looked at."""

    __slots__ = ("above", "below")

    def __init__(self, below: Mapping[str, PropertyType], above: Mapping[str, PropertyType]) -> None:
        self.below = below
        self.above = above

    def __getitem__(self, name: str) -> PropertyType:
        return self.above[name] if name in self.above else self.below[name]

    def __contains__(self, name: object) -> bool:
        return name in self.above or name in self.below

    def __iter__(self) -> Iterator[str]:
        yield from self.below
        yield from (name for name in self.above if name not in self.below)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def narrowed(type: Type, node: tree.Object | None) -> Type:
    """A type by what is written in an object: where it is told apart by a text, that one; `any` where the text is not plain."""
    match type:
        case DiscriminatedType(key=key, members=members):
            chosen = members.get(_text(node, key) or "")
            return ANY if chosen is None else narrowed(chosen, node)
        case ObjectType(properties=properties) if node is not None:
            changed = {}
            for member in node.members:
                if isinstance(member, tree.Property) and isinstance(member.value, tree.Object):
                    name = key_text(member.key)
                    known = properties.get(name) if name is not None else None
                    if known is not None and name is not None:
                        inner = narrowed(known.type, member.value)
                        if inner is not known.type:
                            changed[name] = known.replace(type=inner)
            return type.replace(properties=Overlaid(properties, changed)) if changed else type
        case _:
            return type


def _text(node: tree.Object | None, key: str) -> str | None:
    for member in node.members if node is not None else ():
        if isinstance(member, tree.Property) and key_text(member.key) == key and isinstance(member.value, tree.Text):
            return member.value.literal
    return None


class Adapter:
    """Changes the properties of types, and theirs, when they are looked at; the same type becomes the same one."""

    __slots__ = ("_change", "_known")

    def __init__(self, change: Callable[[PropertyType], PropertyType]) -> None:
        self._change = change
        self._known: dict[int, tuple[Type, Type]] = {}

    def of(self, type: Type) -> Type:
        """The changed type."""
        if id(type) not in self._known:
            self._known[id(type)] = (type, self._made(type))
        return self._known[id(type)][1]

    def _made(self, type: Type) -> Type:
        match type:
            case ObjectType(properties=properties, additional=additional):
                rest = self.of(additional) if additional is not None else None
                return type.replace(properties=Adapted(properties, self), additional=rest)
            case DiscriminatedType(members=members):
                return type.replace(members={value: self.of(m) for value, m in members.items()})
            case ArrayType(item=item):
                return type.replace(item=self.of(item))
            case _:
                return type

    def property(self, given: PropertyType) -> PropertyType:
        """A changed property."""
        changed = self._change(given)
        return changed.replace(type=self.of(changed.type))


class Adapted(Mapping[str, PropertyType]):
    """Properties of which each is changed when it is looked at."""

    __slots__ = ("_adapter", "_known", "_of")

    def __init__(self, of: Mapping[str, PropertyType], adapter: Adapter) -> None:
        self._of = of
        self._adapter = adapter
        self._known: dict[str, PropertyType] = {}

    def __getitem__(self, name: str) -> PropertyType:
        if name not in self._known:
            self._known[name] = self._adapter.property(self._of[name])
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._of

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
