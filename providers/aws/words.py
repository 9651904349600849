"""Names of properties: `ContainerDefinitions` in a template, `containerDefinitions` in ECS's own words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.value import Value

_FREE = frozenset({"options", "dockerlabels", "driveropts", "labels"})
"""Properties whose keys are the user's own."""
_APART = {"efsVolumeConfiguration": "EFSVolumeConfiguration", "fileSystemId": "FilesystemId"}
_BACK = {v: k for k, v in _APART.items()}


def raised(value: Value, free: bool = False) -> Value:
    """A structure of ECS's API in the words of a template."""
    if isinstance(value, Mapping):
        return {
            (k if free else _APART.get(k, k[:1].upper() + k[1:])): raised(v, not free and k.lower() in _FREE)
            for k, v in value.items()
        }
    return [raised(v) for v in value] if isinstance(value, list | tuple) else value


def lowered(value: Value, free: bool = False) -> Value:
    """A structure of a template in the words of ECS's API."""
    if isinstance(value, Mapping):
        return {
            (k if free else _BACK.get(k, k[:1].lower() + k[1:])): lowered(v, not free and k.lower() in _FREE)
            for k, v in value.items()
        }
    return [lowered(v) for v in value] if isinstance(value, list | tuple) else value


def text(value: Any) -> str:
    """A value as a variable."""
    import json

    return value if isinstance(value, str) else json.dumps(value)
