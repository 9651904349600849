"""A Dapr building block, given by hand, to a component that a platform with Dapr can make."""

from __future__ import annotations

from engine.app.environment import application_of
from engine.app.lowered import Gates, Lowered, open_part
from engine.app.stores import Keys
from engine.contract.app import DaprComponent, SecretKey
from engine.contract.operator import View
from engine.contract.resource import Resource, body
from engine.contract.value import Leaf, Value
from engine.diagnostics.diagnostic import Diagnostic


def lower_dapr(resource: Resource, view: View) -> Lowered:
    """What a building block comes to."""
    properties = body(resource)
    metadata = properties.get("metadata") or {}
    shallow = {k: v for k, v in properties.items() if k != "metadata"}
    references = metadata if isinstance(metadata, Leaf) else [e for e in metadata.values() if not _value(e)]
    if (waiting := open_part(resource, [shallow, references])) is not None:
        return waiting
    gates, problems = Gates(resource.waits), list[Diagnostic]()
    keys = Keys(resource, view, gates, problems)
    found: dict[str, Value | SecretKey] = {}
    for name, entry in metadata.items():
        reference = entry.get("secretKeyRef")
        if reference is None:
            found[name] = entry.get("value")
        elif (key := keys.key(f"The metadata '{name}'", reference["name"], reference["key"])) is not None:
            found[name] = key
    application, _ = application_of(resource, view.find)
    store = (properties.get("auth") or {}).get("secretStore") or ""
    name, type, version = str(resource.name), properties.get("type", ""), properties.get("version", "")
    component = DaprComponent(resource, application, name, type, version, found, store)
    return Lowered(component, gates.all(), problems=tuple(problems))


def _value(entry: Value) -> bool:
    return isinstance(entry, dict) and entry.get("secretKeyRef") is None
