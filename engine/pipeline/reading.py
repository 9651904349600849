"""Sources that remember what was read: a plan is refused when one of these files has changed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from engine.sources.local import LocalSources
from engine.sources.port import relative


class RememberingSources(LocalSources):
    """The disk, with the content of every file that was read."""

    __slots__ = ("contents",)

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def read(self, path: str) -> bytes:
        """The content of a regular file, the same for the whole of a run."""
        if path not in self.contents:
            self.contents[path] = super().read(path)
        return self.contents[path]

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of every file that was read, by its path as seen from the current folder."""
        from hashlib import sha256

        here = os.getcwd().replace(os.sep, "/")  # noqa: PTH109  pathlib costs start-up time
        return {relative(path, here): sha256(content).hexdigest() for path, content in sorted(self.contents.items())}
