"""What an operator notes in its own folder, since the platform has no place for it: a file of JSON, for its owner only."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.private import write

Content = Mapping[str, Any]


class Notes:
    """One such file; what cannot be read was never noted."""

    __slots__ = ("_lock", "file")

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()

    def read(self) -> dict[str, Any]:
        """What is noted; {} if nothing is."""
        with suppress(OSError, ValueError):
            content = json.loads(self.file.read_bytes())
            return content if isinstance(content, dict) else {}
        return {}

    def write(self, content: Content) -> None:
        """Note this and nothing else; without content there is no file. Raises `Terminal` where that cannot be."""
        try:
            if content:
                write(self.file, json.dumps(content, indent=1, sort_keys=True))
            else:
                self.file.unlink(missing_ok=True)
        except OSError as error:
            reason = f"'{self.file}' cannot be written: {error.strerror}"
            raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error

    def change(self, change: Callable[[dict[str, Any]], Content]) -> dict[str, Any]:
        """Note what `change` makes of what is noted, whoever else does so at the same time."""
        with self._lock:
            before = self.read()
            after = dict(change(dict(before)))
            if after != before:
                self.write(after)
            return after
