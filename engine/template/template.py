"""The ARM template: the narrow waist between the language and everything after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.diagnostics.diagnostic import Label
from engine.record import Record


class Template(Record):
    """A deployment template, version 1.0 or with symbolic names: compiled from Bicep, or read from ARM JSON.

    `document` is the JSON. `origins` maps a JSON pointer into it (`/resources/web`, `/resources/0/properties/template/outputs/x`)
    to the place that wrote it; ask with `origin`, which falls back to the nearest pointer above. `name` is the file's stem.
    """

    name: str
    document: Mapping[str, Any]
    origins: Mapping[str, Label] = {}

    def origin(self, pointer: str) -> Label | None:
        """The place that wrote what the pointer leads to."""
        while pointer:
            if pointer in self.origins:
                return self.origins[pointer]
            pointer = pointer.rpartition("/")[0]
        return self.origins.get("")
