"""Whose is what was taken over. An engine puts no labels on what exists: an empty volume beside it carries them, its mark, so that
all states that use the engine see who owns it; notes in the state's folder say how resources call it.

A mark without labels says that it is nobody's, whatever its own labels say: those of what Ulna made and has let go of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.contract.errors import Terminal
from engine.contract.notes import Notes

if TYPE_CHECKING:
    from providers.docker.client import Client

NOTES = "adopted.json"
HOME, TOKEN, ADDRESS, ENVIRONMENT = "ulna.home", "ulna.token", "ulna.address", "ulna.environment"
"""The labels of what is Ulna's."""

Labels = Mapping[str, str]


def alike(wanted: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """What a thing has of wished labels; those of Ulna's own tell people whose it is, and count as given."""
    return {
        k: v if k.startswith("ulna.") else there[k] for k, v in wanted.items() if k.startswith("ulna.") or k in there
    }


def mark_of(kind: str, id: str) -> str:
    """The name of the volume that is the mark of a thing."""
    return f"ulna-owner-{kind}-{hashlib.sha256(id.encode()).hexdigest()[:12]}"


class Adopted:
    """What one environment took over, and the marks of it on the engine."""

    def __init__(self, folder: Path, client: Client) -> None:
        self.notes = Notes(folder / NOTES)
        self._client = client

    def id(self, token: str) -> str:
        """The id of what was taken over under a token; "" for what was not."""
        return str((self.notes.read().get(token) or {}).get("id") or "")

    def native(self, kind: str, called: str) -> str:
        """What the engine calls a thing that resources call otherwise; "" where nothing was taken over for that name."""
        notes = (n for n in self.notes.read().values() if (n["kind"], n["called"]) == (kind, called))
        return next((str(n["native"]) for n in notes), "")

    def take(self, token: str, kind: str, id: str, labels: Labels | None, native: str = "", called: str = "") -> None:
        """Note that a thing is ours from now on, and mark it; raises `Terminal` where it is somebody's."""
        client, address = self._client, token.rpartition("#")[0]
        home = client.make_home()
        noted = next((t for t, n in self.notes.read().items() if (n["kind"], n["id"]) == (kind, id)), "")
        if noted and noted.rpartition("#")[0] != address:
            raise Terminal(f"it belongs to '{noted.rpartition('#')[0]}' already", "Destroy that one first.")
        mark = mark_of(kind, id)
        there = client.volume(mark)
        _check(labels if there is None else there.get("Labels"), home, address, mark, labels)
        if there is not None:
            client.remove_volume(mark)
        _check(client.mark(mark, client.labels(token)), home, address, mark, labels)  # another may have been quicker
        note = {"kind": kind, "id": id, "native": native, "called": called}
        self.notes.change(
            lambda notes: {t: n for t, n in notes.items() if (n["kind"], n["id"]) != (kind, id)} | {token: note}
        )

    def drop(self, token: str) -> None:
        """Forget what is gone, and remove its mark."""
        note = self.notes.read().get(token)
        if note is None:
            return
        mark = mark_of(note["kind"], note["id"])
        if self._client.ours((self._client.volume(mark) or {}).get("Labels"), token):
            self._client.remove_volume(mark)
        with suppress(Terminal):  # an old note of what is gone harms nobody
            self.notes.change(lambda notes: {t: n for t, n in notes.items() if t != token})

    def release(self, token: str, kind: str, id: str, labels: Labels | None) -> None:
        """Let go of a thing that stays: of what was taken over the mark goes, and what we made is marked as nobody's."""
        ours = bool(self.id(token)) or self._client.ours(labels, token)
        self.drop(token)
        if ours and (labels or {}).get(HOME):
            self._client.mark(mark_of(kind, id), {})


def _check(marks: Labels | None, home: str, address: str, mark: str, own: Labels | None) -> None:
    """Raise `Terminal` where the marks of a thing are of another state, or another resource."""
    marks = marks or {}
    owner, whose = marks.get(HOME), marks.get(ADDRESS) or "something"
    if owner and owner != home:
        free = f"docker volume rm -f {mark}" + (f" && docker volume create {mark}" if (own or {}).get(HOME) else "")
        help = f"Let go of it there: destroy with '--on-unmanage detach'. If that state is gone: {free}."
        where = f"as '{whose}' of the environment '{marks.get(ENVIRONMENT, '')}'"
        raise Terminal(f"another state owns it, {where} ({HOME}: {owner})", help)
    if owner and whose != address:
        raise Terminal(f"it belongs to '{whose}' already", "Destroy that one first.")
