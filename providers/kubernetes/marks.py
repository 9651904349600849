"""What marks an object as made by Ulna: labels to find it by, annotations that say by what. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.record import Record

ENVIRONMENT = "ulna.environment"
HOME = "ulna.home"
ADDRESS = "ulna.address"
TOKEN = "ulna.token"
HASH = "radapp.io/secret-hash"
NO_LABELS: Mapping[str, None] = dict.fromkeys((ENVIRONMENT, HOME))
NO_NOTES: Mapping[str, None] = dict.fromkeys((ADDRESS, TOKEN))
"""What takes the marks off an object, in a merge patch."""


class Marks(Record):
    """The marks of an object; "" where it has none."""

    environment: str = ""
    home: str = ""
    address: str = ""
    token: str = ""

    @classmethod
    def of(cls, live: Mapping[str, Any]) -> Marks:
        """Those of an object as it lives."""
        meta = live["metadata"]
        labels, notes = meta.get("labels") or {}, meta.get("annotations") or {}
        return cls(labels.get(ENVIRONMENT, ""), labels.get(HOME, ""), notes.get(ADDRESS, ""), notes.get(TOKEN, ""))
