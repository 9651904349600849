"""What the entry point names: which types there are, what they may hold, who owns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.contract.operator import Operator, Site
from engine.contract.platform import Platform
from ulna_notes.notes import NoteOperator


class NotesProvider:
    """Serves `Demo.Notes/notes`."""

    name = "notes"
    types: tuple[str, ...] = ("Demo.Notes/notes",)
    kinds: tuple[str, ...] = ()

    def operators(self, site: Site) -> tuple[Operator, ...]:
        """One operator, which keeps the notes in its own folder of the state."""
        return (NoteOperator(site.folder),)

    def platform(self, kind: str) -> Platform:
        """It has no compute kind."""
        raise KeyError(kind)

    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """What a note may hold: mistakes are found before anything is written."""
        text = {"type": "string", "description": "What the note says."}
        properties = {
            "type": "object",
            "properties": {"text": text},
            "required": ["text"],
            "additionalProperties": False,
        }
        note = {
            "type": "object",
            "properties": {"name": {"type": "string"}, "properties": properties},
            "required": ["properties"],
        }
        return {"Demo.Notes/notes@2026-12-01": note}


provider = NotesProvider()
