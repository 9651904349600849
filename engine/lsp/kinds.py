"""The resource types that have a schema, and what only one compute kind has: the blocks of `runtimes` and of `compute`."""

from __future__ import annotations

import json
import os
from functools import cache

from engine.check.schema import schema_at
from engine.check.types import ANY, DiscriminatedType, ObjectType, PropertyType, StringLiteral, Type

_PLACES = {"applications.core/containers": "runtimes", "applications.core/environments": "compute"}


@cache
def known_types() -> tuple[tuple[str, str], ...]:
    """The resource types that have a schema, and what each is."""
    import schemas

    folder = os.path.join(os.path.dirname(schemas.__file__), "types")  # noqa: PTH118, PTH120
    found = []
    for file in sorted(os.listdir(folder)):  # noqa: PTH208
        if file.endswith(".json"):
            with open(os.path.join(folder, file), encoding="utf-8") as opened:  # noqa: PTH118, PTH123
                document = json.load(opened)
            found.append((str(document.get("$id", "")), str(document.get("description", ""))))
    return tuple(f for f in found if f[0])


def with_kinds(type: str, body: ObjectType) -> ObjectType:
    """The body of a resource type, with what its kinds have where it leaves that open."""
    key = _PLACES.get(type.lower())
    inner = body.properties.get("properties")
    if key is None or inner is None or not isinstance(inner.type, ObjectType) or key not in inner.type.properties:
        return body
    known = inner.type.properties[key].replace(type=runtimes() if key == "runtimes" else compute())
    properties = inner.type.replace(properties={**inner.type.properties, key: known})
    return body.replace(properties={**body.properties, "properties": inner.replace(type=properties)})


@cache
def runtimes() -> Type:
    """The blocks of a container, by kind."""
    found = {
        kind: PropertyType(type, description=f"What only the kind '{kind}' has.")
        for kind, type in _schemas().items()
        if "." not in kind
    }
    return ObjectType(found, ANY, name="runtimes", lenient=True)


@cache
def compute() -> Type:
    """The block of an environment, told apart by `kind`."""
    members = {}
    for kind in _schemas():
        if kind.endswith(".compute"):
            name, type = kind.removesuffix(".compute"), _schemas()[kind]
            only = PropertyType(StringLiteral(name), True)
            members[name] = type.replace(properties={**type.properties, "kind": only})
    return DiscriminatedType("kind", members, name="compute", lenient=True)


@cache
def _schemas() -> dict[str, ObjectType]:
    """The schemas of the package, by the names of their files."""
    import schemas

    folder = os.path.join(os.path.dirname(schemas.__file__), "runtimes")  # noqa: PTH118, PTH120
    found = {}
    for file in sorted(os.listdir(folder)):  # noqa: PTH208
        if file.endswith(".json") and (type := schema_at(os.path.join(folder, file))) is not None:  # noqa: PTH118
            found[file.removesuffix(".json")] = type
    return found
