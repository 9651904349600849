"""Which ports of the engine's machine a container is published on: its own if free, else one close by, and the same one again.

The engine alone knows what is free, so ports are tried. What was found is noted in the state's folder: a container that is
replaced gets the port that people know. A note that is lost costs nothing but that.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.cache import keep

NOTES = "ports.json"
UNPRIVILEGED = 8000
"""Added to a port below 1024 that cannot be had: 80 becomes 8080."""


class Publishing:
    """The notes of one environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    def first(self, token: str, wanted: Mapping[str, int]) -> dict[str, int]:
        """The ports to try first: those it had, else its own."""
        noted = self._read().get(_address(token)) or {}
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
        with self._lock:
            notes = self._read()
            if not found or notes.get(_address(token)) == found:
                return
            keep(self.folder / NOTES, json.dumps({**notes, _address(token): found}, indent=1, sort_keys=True))

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            notes = json.loads((self.folder / NOTES).read_bytes())
            return notes if isinstance(notes, dict) else {}
        return {}


def _address(token: str) -> str:
    return token.rpartition("#")[0]
