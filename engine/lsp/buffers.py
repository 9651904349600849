"""Reading for an editor: what it has open hides what is on disk, and every answer is known by a stamp."""

from __future__ import annotations

import os

from engine.sources.local import LocalSources
from engine.sources.port import Entry

Stamp = tuple[int, int] | None
"""What changes when the content of a path does; None where there is nothing."""


class Buffers(LocalSources):
    """The files of this machine, under the open ones; `readers` are told every path that is asked for, and its stamp."""

    __slots__ = ("readers", "texts", "versions")

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.readers: list[dict[str, Stamp]] = []

    def copy(self) -> Buffers:
        """The same as it is now, for another thread."""
        other = Buffers()
        other.texts, other.versions = dict(self.texts), dict(self.versions)
        return other

    def told_to(self, reader: dict[str, Stamp]) -> Buffers:
        """The same files, also as they change, for somebody who reads later."""
        other = Buffers()
        other.texts, other.versions, other.readers = self.texts, self.versions, [reader]
        return other

    def put(self, path: str, text: str) -> None:
        """Opens a file, or changes it."""
        self.texts[path] = text
        self.versions[path] = self.versions.get(path, 0) + 1

    def drop(self, path: str) -> None:
        """Closes a file: what is on disk counts again."""
        self.texts.pop(path, None)

    def stamp(self, path: str) -> Stamp:
        """What tells one content of a path from the next."""
        if path in self.texts:
            return (-1, self.versions[path])
        try:
            status = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            return None
        return (status.st_mtime_ns, status.st_size)

    def _note(self, path: str) -> None:
        if self.readers:
            self.readers[-1].setdefault(path, self.stamp(path))

    def read(self, path: str) -> bytes:
        """The content of a file, as the editor shows it if it does."""
        self._note(path)
        text = self.texts.get(path)
        return super().read(path) if text is None else text.encode("utf-8", "replace")

    def exists(self, path: str) -> bool:
        """Whether there is a file, if only in the editor."""
        self._note(path)
        return path in self.texts or super().exists(path)

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is on disk in a folder, by name."""
        self._note(folder)
        return super().entries(folder)
