"""One file of types in the public form: a JSON array whose entries refer to each other by their places.

    {"$type": "ObjectType", "name": "…", "properties": {"sku": {"type": {"$ref": "#/7"}, "flags": 1}}}

Only what is asked for becomes a type: the properties of an object are looked at when they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.check.types import (
    ANY,
    ARRAY,
    BOOL,
    INT,
    NULL,
    OBJECT,
    STRING,
    ArrayType,
    DiscriminatedType,
    IntType,
    ObjectType,
    PropertyType,
    StringLiteral,
    StringType,
    Type,
    union,
)
from engine.sources.port import Unreadable

REQUIRED, READONLY, WRITEONLY, CONSTANT, IDENTIFIER = 1, 2, 4, 8, 16
"""The bits of a property's `flags`."""

_BUILT_IN: Mapping[object, Type] = {2: NULL, 3: BOOL, 4: INT, 5: STRING, 6: OBJECT, 7: ARRAY}
_SIMPLE: Mapping[object, Type] = {"AnyType": ANY, "NullType": NULL, "BooleanType": BOOL}


class Damaged(Exception):
    """Data that are not in the form they should have."""


class TypeFile:
    """The entries of one file, and the types they have become. `find` leads to other files."""

    __slots__ = ("_entries", "_find", "_known", "_open", "lenient", "name")

    def __init__(self, name: str, content: bytes, find: Callable[[str], tuple[TypeFile, int]], lenient: bool) -> None:
        import json

        self.name = name
        self.lenient = lenient
        self._find = find
        self._known: dict[tuple[int, bool], Type] = {}
        self._open: set[tuple[int, bool]] = set()
        try:
            self._entries = json.loads(content)
        except (ValueError, RecursionError):
            raise Damaged(f"'{name}' is not valid JSON") from None
        if not isinstance(self._entries, list):
            raise Damaged(f"'{name}' is no list of types")

    def entry(self, place: int) -> Mapping[str, Any]:
        """What stands at a place."""
        found = self._entries[place] if 0 <= place < len(self._entries) else None
        if not isinstance(found, Mapping):
            raise Damaged(f"'{self.name}' has no type at place {place}")
        return found

    def target(self, reference: object) -> int:
        """The place that `{"$ref": "#/7"}` means in this file."""
        text = reference.get("$ref") if isinstance(reference, Mapping) else None
        if not isinstance(text, str) or not text.startswith("#/") or not text[2:].isdecimal():
            raise Damaged(f"'{text or reference}' in '{self.name}' refers to no type")
        return int(text[2:])

    def at(self, reference: object) -> Type:
        """The type that a reference means, in this file or another: `{"$ref": "other/types.json#/3"}`."""
        text = reference.get("$ref") if isinstance(reference, Mapping) else None
        if isinstance(text, str) and not text.startswith("#"):
            file, place = self._find(text)
            return file.type(place)
        return self.type(self.target(reference))

    def type(self, place: int, body: bool = False) -> Type:
        """The type at a place; as the `body` of a resource, of which a property too many is an error."""
        key = (place, body)
        if key not in self._known:
            if key in self._open or len(self._open) > 100:
                return ANY  # it holds itself, and not in a property
            self._open.add(key)
            try:
                self._known[key] = self._made(self.entry(place), body)
            finally:
                self._open.discard(key)
        return self._known[key]

    def _made(self, entry: Mapping[str, Any], body: bool) -> Type:
        lenient = self.lenient and not body
        match entry.get("$type"):
            case "StringType":
                form = entry.get("pattern")
                return StringType(
                    _size(entry, "minLength"),
                    _size(entry, "maxLength"),
                    entry.get("sensitive") is True,
                    pattern=form if isinstance(form, str) else None,
                )
            case "StringLiteralType":
                return StringLiteral(str(entry.get("value", "")))
            case "IntegerType":
                return IntType(_size(entry, "minValue"), _size(entry, "maxValue"))
            case "ArrayType":
                bounds = _size(entry, "minLength"), _size(entry, "maxLength")
                return ArrayType(self.at(entry.get("itemType")), *bounds, lenient=lenient)
            case "UnionType":
                return union(*(self.at(e) for e in _list(entry.get("elements"))))
            case "ObjectType":
                return self._object(entry, str(entry.get("name") or "object"), {}, lenient)
            case "DiscriminatedObjectType":
                base = _mapping(entry.get("baseProperties"))
                members = {
                    value: self._member(value, element, base, lenient)
                    for value, element in _mapping(entry.get("elements")).items()
                }
                key = str(entry.get("discriminator") or "")
                return DiscriminatedType(key, members, str(entry.get("name") or "object"), lenient)
            case "BuiltInType":
                return _BUILT_IN.get(entry.get("kind"), ANY)
            case kind:
                return _SIMPLE.get(kind, ANY)

    def _object(self, entry: Mapping[str, Any], name: str, base: Mapping[str, Any], lenient: bool) -> ObjectType:
        rest = self.at(entry["additionalProperties"]) if entry.get("additionalProperties") else None
        own = _mapping(entry.get("properties"))
        mine = {key.lower() for key in own} if base else ()
        given = {**own, **{key: value for key, value in base.items() if key.lower() not in mine}}
        properties = Properties(self, given)
        return ObjectType(properties, rest, name, lenient, secure=entry.get("sensitive") is True)

    def _member(self, value: str, reference: object, base: Mapping[str, Any], lenient: bool) -> ObjectType:
        """One of the objects that a discriminated type may be, with what all of them have."""
        text = reference.get("$ref") if isinstance(reference, Mapping) else None
        file, place = self._find(text) if isinstance(text, str) and text[:1] != "#" else (self, self.target(reference))
        entry = file.entry(place)
        if entry.get("$type") != "ObjectType":
            raise Damaged(f"'{value}' in '{self.name}' is no object")
        return file._object(entry, value, base if file is self else {}, lenient)

    def property(self, given: object) -> PropertyType:
        """One property of an object."""
        known = _mapping(given)
        flags = known["flags"] if isinstance(known.get("flags"), int) else 0
        return PropertyType(
            self.at(known.get("type")),
            required=flags & REQUIRED != 0,
            readonly=flags & READONLY != 0,
            writeonly=flags & WRITEONLY != 0,
            description=str(known.get("description") or ""),
            constant=flags & CONSTANT != 0,
            identifier=flags & IDENTIFIER != 0,
            texts=self._texts(known.get("type")),
        )

    def _texts(self, reference: object) -> tuple[str, ...]:
        """The texts that are named where any is allowed."""
        text = reference.get("$ref") if isinstance(reference, Mapping) else None
        if not isinstance(text, str) or text[:1] != "#":
            return ()
        entry = self.entry(self.target(reference))
        if entry.get("$type") != "UnionType":
            return ()
        members = [
            self.entry(self.target(e)) for e in _list(entry.get("elements")) if str(_mapping(e).get("$ref"))[:1] == "#"
        ]
        if not any(m.get("$type") in ("StringType", "BuiltInType") for m in members):
            return ()
        return tuple(str(m.get("value", "")) for m in members if m.get("$type") == "StringLiteralType")

    # ------------------------------------------------------------ functions

    def functions(self, entry: Mapping[str, Any]) -> dict[str, tuple[tuple[Type, ...], Type]]:
        """What can be called on a resource, where its type says it."""
        found = {}
        for name, given in _mapping(entry.get("functions")).items():
            known = self.entry(self.target(_mapping(given).get("type")))
            parameters = tuple(self.at(_mapping(p).get("type")) for p in _list(known.get("parameters")))
            found[name] = (parameters, self.at(known.get("output")))
        return found

    def action(self, place: int) -> dict[str, tuple[tuple[Type, ...], Type]]:
        """An action of a type that stands beside it: `listKeys(apiVersion, input)`."""
        entry = self.entry(place)
        if entry.get("$type") != "ResourceFunctionType":
            raise Damaged(f"'{self.name}' has no function at place {place}")
        version = StringLiteral(str(entry.get("apiVersion") or ""))
        parameters = (version, self.at(entry["input"])) if entry.get("input") else ()
        return {str(entry.get("name")): (parameters, self.at(entry.get("output")))}


class Properties(Mapping[str, PropertyType]):
    """The properties of one object; each becomes a type when it is looked at. Equal to itself alone: they may be endless."""

    __slots__ = ("_file", "_given", "_known")

    def __init__(self, file: TypeFile, given: Mapping[str, Any]) -> None:
        self._file = file
        self._given = given
        self._known: dict[str, PropertyType] = {}

    def __getitem__(self, name: str) -> PropertyType:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._property(self._given[name])
        return found

    def _property(self, given: object) -> PropertyType:
        try:
            return self._file.property(given)
        except (Damaged, Unreadable):
            return PropertyType(ANY)  # of damaged data nothing is said

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _size(entry: Mapping[str, Any], name: str) -> int | None:
    value = entry.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
