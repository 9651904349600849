"""Whose is what was taken over: an engine puts no labels on what exists, so notes in the state's folder say it."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.cache import keep
from engine.contract.errors import Terminal

NOTES = "adopted.json"
HOME, TOKEN = "ulna.home", "ulna.token"
"""The labels of what was made by Ulna."""


def alike(wanted: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """What a thing has of wished labels; those of Ulna's own tell people whose it is, and count as given."""
    return {
        k: v if k.startswith("ulna.") else there[k] for k, v in wanted.items() if k.startswith("ulna.") or k in there
    }


class Adopted:
    """The notes of one environment: for each token the kind of a thing, its id, and how resources call it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / NOTES
        self._lock = threading.Lock()

    def id(self, token: str) -> str:
        """The id of what was taken over under a token; "" for what was not."""
        return str((self._read().get(token) or {}).get("id") or "")

    def native(self, kind: str, called: str) -> str:
        """What the engine calls a thing that resources call otherwise; "" where nothing was taken over for that name."""
        notes = (n for n in self._read().values() if (n["kind"], n["called"]) == (kind, called))
        return next((str(n["native"]) for n in notes), "")

    def claim(self, kind: str, id: str, labels: Mapping[str, str] | None, token: str, home: str) -> None:
        """Raise `Terminal` where somebody else has it already."""
        marks = labels or {}
        owner, other = marks.get(HOME), marks.get(TOKEN, "")
        if owner and owner != home:
            help = "Destroy it there, if it is to have another owner."
            raise Terminal(f"another state owns it ({HOME}: {owner})", help)
        if not owner:
            other = next((t for t, n in self._read().items() if (n["kind"], n["id"]) == (kind, id)), "")
        if other and other.rpartition("#")[0] != token.rpartition("#")[0]:
            raise Terminal(f"it belongs to '{other.rpartition('#')[0]}' already", "Destroy that one first.")

    def keep(self, token: str, kind: str, id: str, native: str = "", called: str = "") -> None:
        """Note that a thing is taken over; a note of the same thing is replaced."""
        note = {"kind": kind, "id": id, "native": native, "called": called}
        with self._lock:
            others = {t: n for t, n in self._read().items() if (n["kind"], n["id"]) != (kind, id)}
            self._write({**others, token: note})
            if self._read().get(token) != note:
                raise Terminal(f"'{self.file}' cannot be written", "Free space, or let Ulna write to its state folder.")

    def drop(self, token: str) -> None:
        """Forget it: it is gone."""
        with self._lock:
            notes = self._read()
            if notes.pop(token, None) is not None:
                self._write(notes)

    def _write(self, notes: Mapping[str, Any]) -> None:
        if notes:
            keep(self.file, json.dumps(notes, indent=1, sort_keys=True))
        else:
            with suppress(OSError):
                self.file.unlink()

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            notes = json.loads(self.file.read_bytes())
            return notes if isinstance(notes, dict) else {}
        return {}
