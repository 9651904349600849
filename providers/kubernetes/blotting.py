"""Keeps the secrets of pods out of what is shown of their words."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engine.contract.blotting import blotted
from engine.contract.errors import OperatorError
from providers.kubernetes.client import Client, Kind

SECRETS = Kind("v1", "Secret", "/api/v1", "secrets", True)


def blotter(client: Client, pods: Iterable[Mapping[str, Any]]) -> Callable[[str], str]:
    """A function that blots out the secrets that these pods have in their variables."""
    values: set[str] = set()
    for namespace, name, keys in _references(pods):
        try:
            data = (client.get(SECRETS, namespace, name) or {}).get("data") or {}
        except OperatorError:
            continue  # who may not read it cannot know what to blot
        for key, text in data.items():
            if keys is None or key in keys:
                values.add(base64.b64decode(text).decode(errors="replace"))
    return lambda text: blotted(text, values)


def _references(pods: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, set[str] | None]]:
    """(namespace, name, keys) of each Secret that variables come from; None for all of its keys."""
    found: dict[tuple[str, str], set[str] | None] = {}
    for pod in pods:
        spec, namespace = pod.get("spec") or {}, pod["metadata"]["namespace"]
        for container in (*(spec.get("initContainers") or ()), *(spec.get("containers") or ())):
            for entry in container.get("env") or ():
                reference = (entry.get("valueFrom") or {}).get("secretKeyRef")
                if reference:
                    keys = found.setdefault((namespace, reference["name"]), set())
                    if keys is not None:
                        keys.add(reference["key"])
            for entry in container.get("envFrom") or ():
                if reference := entry.get("secretRef"):
                    found[namespace, reference["name"]] = None
    yield from ((namespace, name, keys) for (namespace, name), keys in found.items())
