"""A Dapr building block, given by hand, to a component that a platform with Dapr can make."""

from __future__ import annotations

from collections.abc import Iterator

from engine.app.environment import application_of
from engine.app.lowered import Gates, Lowered, open_part
from engine.app.stores import Keys
from engine.contract.app import DaprComponent, SecretKey
from engine.contract.operator import View
from engine.contract.resource import Resource, body, short
from engine.contract.value import Leaf, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity


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
    problems += _rivals(resource, application, view)
    store = (properties.get("auth") or {}).get("secretStore") or ""
    name, type, version = str(resource.name), properties.get("type", ""), properties.get("version", "")
    component = DaprComponent(resource, application, name, type, version, found, store)
    return Lowered(component, gates.all(), problems=tuple(problems))


def _rivals(resource: Resource, application: str, view: View) -> Iterator[Diagnostic]:
    """Others of the application that its containers would know by the same name."""
    for other in view.resources():
        same = (
            other.type.lower().startswith("applications.dapr/")
            and str(other.name).lower() == str(resource.name).lower()
        )
        if same and other.address != resource.address and application_of(other, view.find)[0] == application:
            message = f"'{resource.name}' and another Dapr building block, a {short(other.type)}, have the same component name"
            help = "Give one of them another name: applications know a component by its name alone."
            yield Diagnostic("ULN328", Severity.ERROR, message, resource.origin, help=help)


def _value(entry: Value) -> bool:
    return isinstance(entry, dict) and entry.get("secretKeyRef") is None
