"""The extensions of a container, as what they ask for: scale, a Dapr sidecar, labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.contract.app import Autoscale, Dapr
from engine.contract.resource import Resource, body
from engine.contract.value import Properties
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place

RESERVED = "radapp.io/"
"""What the keys of the labels begin with that say which part of which application an object is."""


def extensions_of(properties: Properties) -> list[Mapping[str, Any]]:
    """The extensions in the order they are written."""
    found = properties.get("extensions")
    return [e for e in found if isinstance(e, Mapping)] if isinstance(found, list | tuple) else []


def extension(properties: Properties, kind: str) -> Mapping[str, Any] | None:
    """The last extension of a kind; None without one."""
    return next((e for e in reversed(extensions_of(properties)) if e.get("kind") == kind), None)


def replicas_of(properties: Properties) -> int:
    """How many replicas it starts with: what manual scaling says, or the least of automatic scaling; one without either."""
    manual, automatic = extension(properties, "manualScaling"), autoscale_of(properties)
    replicas = manual.get("replicas") if manual is not None else automatic.minimum if automatic is not None else 1
    return replicas if isinstance(replicas, int) else 1


def autoscale_of(properties: Properties) -> Autoscale | None:
    """Between how many replicas it scales by itself, if it does."""
    asked = extension(properties, "autoScaling")
    if asked is None:
        return None
    minimum, maximum = asked.get("minReplicas"), asked.get("maxReplicas")
    if not isinstance(maximum, int):
        return None
    return Autoscale(minimum if isinstance(minimum, int) else 1, maximum, asked.get("cpu"), asked.get("memory"))


def dapr_of(properties: Properties) -> Dapr | None:
    """The Dapr sidecar, if there is to be one."""
    asked = extension(properties, "daprSidecar")
    if asked is None:
        return None
    return Dapr(asked.get("appId") or "", asked.get("appPort"), asked.get("config"), asked.get("protocol") or "http")


def metadata_of(layers: Iterable[Properties], key: str) -> dict[str, str]:
    """Labels or annotations along environment, application, container; the nearer one wins; those that are `reserved` are left out."""
    found: dict[str, str] = {}
    for layer in layers:
        for each in extensions_of(layer):
            if each.get("kind") == "kubernetesMetadata":
                found.update({k: v for k, v in (each.get(key) or {}).items() if not k.startswith(RESERVED)})
    return found


def reserved(resource: Resource) -> Iterator[Diagnostic]:
    """The labels and annotations of a resource that are left out, on every kind: their keys belong to the app model itself."""
    for number, each in enumerate(extensions_of(body(resource))):
        if each.get("kind") != "kubernetesMetadata":
            continue
        for key in ("labels", "annotations"):
            given = each.get(key)
            for name in given if isinstance(given, Mapping) else ():
                if name.startswith(RESERVED):
                    message = f"'{resource.name}': {key}.{name} is ignored: keys that begin with {RESERVED} are set by Ulna itself"
                    where = place(resource.origin, ("extensions", number, key, name))
                    yield Diagnostic("ULN319", Severity.INFO, message, where, help="Give it another prefix.")
