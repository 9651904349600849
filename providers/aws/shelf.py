"""What Cloud Control has no place for, kept in the state's folder: which identifier a token stands for, and what a type cannot change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.cache import keep
from engine.contract.errors import Terminal


class Shelf:
    """Small files of JSON, readable by their owner only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def card(self, name: str) -> dict[str, Any]:
        """What is kept under a name; {} if nothing is."""
        try:
            kept = json.loads((self.folder / "cards" / name).read_text())
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def put(self, name: str, **changes: Any) -> dict[str, Any]:
        """Change what is kept, or begin it."""
        card = {**self.card(name), **changes}
        file = self.folder / "cards" / name
        keep(file, json.dumps(card))
        if self.card(name) != card:
            raise Terminal(f"'{file}' cannot be written", "Free space, or let Ulna write to its state folder.")
        return card

    def holder(self, type: str, identifier: str) -> str | None:
        """The card that has an identifier."""
        for file in (self.folder / "cards").glob("*"):
            card = self.card(file.name)
            if (card.get("type"), card.get("identifier")) == (type, identifier):
                return file.name
        return None

    def drop(self, name: str) -> None:
        """Forget it."""
        with suppress(OSError):
            (self.folder / "cards" / name).unlink()

    def schema(self, type: str) -> Mapping[str, Any] | None:
        """The schema of a type, if it was seen before; {} if AWS does not tell it."""
        try:
            read = json.loads((self.folder / "types" / type.replace("::", ".")).read_text())
        except (OSError, ValueError):
            return None
        return read if isinstance(read, dict) else {}

    def keep_schema(self, type: str, schema: Mapping[str, Any]) -> None:
        """What of a schema decides: the rest is long."""
        names = ("createOnlyProperties", "primaryIdentifier", "readOnlyProperties", "writeOnlyProperties", "tagging")
        small = {k: schema[k] for k in names if k in schema}
        keep(self.folder / "types" / type.replace("::", "."), json.dumps(small))
