"""What a resource type may hold: finds the schema of a type by its name, and checks a resource against it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.app.quick import satisfies
from engine.contract.resource import OUTPUTS, Resource
from engine.contract.value import Value
from engine.diagnostics.diagnostic import Diagnostic, Label


@cache
def folder() -> Path:
    """The folder of the schemas that come with Ulna."""
    import schemas

    return Path(schemas.__file__).parent


@cache
def schema_of(type: str, api_version: str) -> Mapping[str, Any] | None:
    """The schema of a resource type that comes with Ulna, or None."""
    return _read(folder() / "types" / f"{type.replace('/', '.').lower()}@{api_version.lower()}.json")


def versions_of(type: str) -> tuple[str, ...]:
    """The API versions of a type that have a schema; newest last."""
    found = (folder() / "types").glob(f"{type.replace('/', '.').lower()}@*.json")
    return tuple(sorted(f.stem.partition("@")[2] for f in found))


def _read(file: Path) -> Mapping[str, Any] | None:
    try:
        schema: Mapping[str, Any] = json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    return schema


def check_resource(resource: Resource, schema: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """What in a resource its type does not allow."""
    return check(_written(resource, schema), schema, f"'{resource.name}'", resource.origin)


def meant_resource(resource: Resource, schema: Mapping[str, Any]) -> Resource | None:
    """A resource that its type does not allow, as it was probably meant; None where nobody can tell."""
    from engine.app.meant import meant

    body = meant(_written(resource, schema), schema)
    if not isinstance(body, dict):
        return None
    name = body.pop("name", resource.name) if "name" in schema.get("properties", ()) else resource.name
    return resource.replace(properties=body, name=name)


def _written(resource: Resource, schema: Mapping[str, Any]) -> dict[str, Value]:
    value: dict[str, Value] = {k: v for k, v in resource.properties.items() if k != OUTPUTS}
    if "properties" not in value and "properties" in schema.get("required", ()):
        value = {"properties": value}
    if "name" in schema.get("properties", ()):
        value["name"] = resource.name
    return value


def check(
    value: Value, schema: Mapping[str, Any], subject: str, origin: Label | None, path: tuple[str | int, ...] = ()
) -> tuple[Diagnostic, ...]:
    """What in a value its schema does not allow; `subject` says whose it is, `path` where it stands in that."""
    if satisfies(value, schema, schema):
        return ()
    from engine.app.explain import explain

    return tuple(explain(value, schema, subject, origin, path))
