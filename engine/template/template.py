"""The ARM template: the narrow waist between the language and everything after it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnostics.diagnostic import Label
from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


class Template(Record):
    """A deployment template, version 1.0 or with symbolic names: compiled from Bicep, or read from ARM JSON.

    `document` is the JSON. `origins` maps a JSON pointer into it (`/resources/web`, `/resources/0/properties/template/outputs/x`)
    to the place that wrote it; ask with `origin` or `place`, which fall back to the nearest pointer above. `name` is the file's stem.
    """

    name: str
    document: Mapping[str, Any]
    origins: Mapping[str, Label] = {}

    def origin(self, pointer: str) -> Label | None:
        """The place that wrote what the pointer leads to, with the modules around it."""
        found = self._nearest(pointer)
        if found is None or _NESTED not in pointer:
            return self.origins[found] if found is not None else None
        return self.origins[found].replace(calls=self._calls(pointer))

    def place(self, pointer: str) -> Label | None:
        """As `origin`, but in a Bicep file the very property or value, where it is written out."""
        found, label = self._nearest(pointer), self.origin(pointer)
        steps = pointer[len(found or "") :].split("/")[1:]
        if label is None or not label.source.name.endswith(".bicep"):
            return label
        from engine.template.pinpoint import pinpoint

        return pinpoint(label, [step.replace("~1", "/").replace("~0", "~") for step in steps])

    def _nearest(self, pointer: str) -> str | None:
        """The nearest pointer above of which the place is known."""
        while pointer:
            if pointer in self.origins:
                return pointer
            pointer = pointer.rpartition("/")[0]
        return "" if "" in self.origins else None

    def _calls(self, pointer: str) -> tuple[Label, ...]:
        calls = []
        at = pointer.find(_NESTED)
        while at >= 0:
            label = self.origins.get(pointer[:at])
            if label is not None:
                name = label.source.text[label.span.start : label.span.end]
                calls.append(label.replace(text=f"in module '{name}'" if name.isidentifier() else "in this module"))
            at = pointer.find(_NESTED, at + 1)
        return tuple(reversed(calls))


_NESTED = "/properties/template/"
"""Stands between a module and what is in it."""


def numbered(place: Label, address: str) -> Label:
    """The place, with the modules around it by the names that they have in an address: `two[1]` instead of `two`."""
    calls: list[Label] = []
    names = address.split("/")[1:]
    for number, call in enumerate(reversed(place.calls)):
        name = names[number] if number < len(names) else ""
        same = "[" in name and call.text == f"in module '{name.partition('[')[0]}'"
        calls.append(call.replace(text=f"in module '{name}'") if same else call)
    return place.replace(calls=tuple(reversed(calls)))
