"""What Cloud Control has no place for, kept in the state's folder: which identifier a token stands for, and what a type cannot change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.cache import keep
from engine.contract.errors import Terminal
from engine.contract.notes import Notes


class Shelf:
    """Small files of JSON, readable by their owner only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def card(self, name: str) -> dict[str, Any]:
        """What is kept under a name; {} if nothing is."""
        return self._notes(name).read()

    def put(self, name: str, **changes: Any) -> dict[str, Any]:
        """Change what is kept, or begin it."""
        return self._notes(name).change(lambda card: {**card, **changes})

    def holder(self, type: str, identifier: str) -> str | None:
        """The card that has an identifier."""
        for file in (self.folder / "cards").glob("*"):
            card = self.card(file.name)
            if (card.get("type"), card.get("identifier")) == (type, identifier):
                return file.name
        return None

    def drop(self, name: str) -> None:
        """Forget it."""
        with suppress(Terminal):
            self._notes(name).write({})

    def _notes(self, name: str) -> Notes:
        return Notes(self.folder / "cards" / name)

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
