"""Which ports of the engine's machine a container is published on: its own if free, else one close by, and the same one again.

The engine alone knows what is free, so ports are tried. What was found is noted in the state's folder: a container that is
replaced gets the port that people know. A note that is lost costs nothing but that.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from engine.contract.errors import Terminal
from engine.contract.notes import Notes

NOTES = "ports.json"
UNPRIVILEGED = 8000
"""Added to a port below 1024 that cannot be had: 80 becomes 8080."""


class Publishing:
    """The notes of one environment."""

    def __init__(self, folder: Path) -> None:
        self.notes = Notes(folder / NOTES)

    def first(self, token: str, wanted: Mapping[str, int]) -> dict[str, int]:
        """The ports to try first: those it had, else its own."""
        noted = self.notes.read().get(_address(token)) or {}
        return {key: noted.get(key, port) for key, port in wanted.items()}

    def next(self, ports: dict[str, int], wanted: Mapping[str, int], taken: int | None) -> bool:
        """Move on from the port that is taken; False if nothing can be moved."""
        moved = False
        for key, port in ports.items():
            if taken is not None and port != taken:
                continue
            low = wanted[key] if wanted[key] >= 1024 else wanted[key] + UNPRIVILEGED
            if port == wanted[key] and low != port:
                ports[key] = low
            else:
                ports[key] = port + 1 if low <= port < 65535 else low
            moved = True
        return moved

    def keep(self, token: str, published: Mapping[str, int], listens: Mapping[str, str]) -> None:
        """Note what was found."""
        found = {listens[name]: port for name, port in published.items()}
        if found:
            with suppress(Terminal):
                self.notes.change(lambda notes: {**notes, _address(token): found})


def _address(token: str) -> str:
    return token.rpartition("#")[0]
