"""Writes type data in the public form: entries that refer to each other by their places, and the index of all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Ref = dict[str, str]

TENANT, MANAGEMENT_GROUP, SUBSCRIPTION, RESOURCE_GROUP, RESOURCE = 1, 2, 4, 8, 16
FLAGS = {"required": 1, "readonly": 2, "writeonly": 4, "constant": 8, "identifier": 16}


class Property(dict[str, Any]):
    """One property of an object."""


def prop(type: Ref, *flags: str, about: str = "") -> Property:
    """A property with its flags."""
    return Property(type=type, flags=sum(FLAGS[f] for f in flags), **({"description": about} if about else {}))


class Types:
    """One file of types."""

    def __init__(self, path: str, index: dict[str, Any]) -> None:
        self.path = path
        self.entries: list[dict[str, Any]] = []
        self.index = index

    def add(self, kind: str, **fields: Any) -> Ref:
        """An entry; the same one once."""
        entry = {"$type": kind, **{k: v for k, v in fields.items() if v is not None}}
        if entry not in self.entries:
            self.entries.append(entry)
        return {"$ref": f"#/{self.entries.index(entry)}"}

    def ref(self, place: int) -> Ref:
        """An entry by its place, which may be still to come."""
        return {"$ref": f"#/{place}"}

    def text(self, least: int | None = None, most: int | None = None, secret: bool | None = None) -> Ref:
        return self.add("StringType", minLength=least, maxLength=most, sensitive=secret)

    def number(self, least: int | None = None, most: int | None = None) -> Ref:
        return self.add("IntegerType", minValue=least, maxValue=most)

    def flag(self) -> Ref:
        return self.add("BooleanType")

    def any(self) -> Ref:
        return self.add("AnyType")

    def one(self, value: str) -> Ref:
        return self.add("StringLiteralType", value=value)

    def choice(self, *values: str, open: bool = False) -> Ref:
        members = [self.one(v) for v in values] + ([self.text()] if open else [])
        return self.add("UnionType", elements=members)

    def list(self, item: Ref) -> Ref:
        return self.add("ArrayType", itemType=item)

    def object(self, name: str, rest: Ref | None = None, secret: bool | None = None, /, **given: Ref | Property) -> Ref:
        found = {k: p if isinstance(p, Property) else prop(p) for k, p in given.items()}
        return self.add("ObjectType", name=name, properties=found, additionalProperties=rest, sensitive=secret)

    def told(self, name: str, by: str, members: Mapping[str, Ref], /, **base: Ref | Property) -> Ref:
        found = {k: p if isinstance(p, Property) else prop(p) for k, p in base.items()}
        return self.add(
            "DiscriminatedObjectType", name=name, discriminator=by, baseProperties=found, elements=dict(members)
        )

    def resource(self, name: str, body: Ref, scopes: int = RESOURCE_GROUP, **more: Any) -> None:
        """A resource type, in the older way to say where it can be."""
        self._resource(name, body, {"scopeType": scopes, "flags": 0, **more})

    def modern(self, name: str, body: Ref, readable: int = 0, writable: int = RESOURCE_GROUP, **more: Any) -> None:
        """The same in the newer way."""
        self._resource(name, body, {"readableScopes": readable, "writableScopes": writable, **more})

    def _resource(self, name: str, body: Ref, more: Mapping[str, Any]) -> None:
        place = self.add("ResourceType", name=name, body=body, **more)
        self.index["resources"][name] = {"$ref": self.path + place["$ref"]}

    def action(self, type: str, version: str, name: str, output: Ref, input: Ref | None = None) -> None:
        """A function of a resource type."""
        place = self.add(
            "ResourceFunctionType", name=name, resourceType=type, apiVersion=version, output=output, input=input
        )
        of_type = self.index["resourceFunctions"].setdefault(type.lower(), {})
        of_type.setdefault(version, []).append({"$ref": self.path + place["$ref"]})

    def arm(self, type: str, version: str, **given: Ref | Property) -> Ref:
        """The body of a type of ARM, with what all have."""
        common = {
            "id": prop(self.text(), "readonly", "constant"),
            "name": prop(self.text(), "required", "constant", "identifier"),
            "type": prop(self.one(type), "readonly", "constant"),
            "apiVersion": prop(self.one(version), "readonly", "constant"),
        }
        return self.object(type, **{**common, **given})


class Index:
    """The index of some files of types."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = {"resources": {}, "resourceFunctions": {}}
        self.files: list[Types] = []

    def file(self, path: str) -> Types:
        """Another file of types."""
        self.files.append(Types(path, self.document))
        return self.files[-1]

    def written(self) -> dict[str, str]:
        """All files by their paths."""
        found = {"index.json": json.dumps(self.document)}
        return found | {file.path: json.dumps(file.entries) for file in self.files}


def packed(files: Mapping[str, str]) -> bytes:
    """The files as a `.tgz`."""
    import gzip
    import io
    import tarfile

    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, text in files.items():
            content = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)
