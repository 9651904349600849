"""The references of one program, answered from the cache alone: nothing here reaches the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.record import Record
from engine.sources.cache import MAIN, cache_root, cached_main, folder_of
from engine.sources.lockfile import lock_path, read_lock
from engine.sources.port import Sources, Unreadable
from engine.sources.reference import MODULES, Artifact, Commit, Image, Mapped, Spec, parse_reference


class Located(Record):
    """Where a reference leads.

    `artifact` is None for a local file that stands in; `path` is None for what is not in the cache. `confined` is the
    folder out of which nothing in it may lead.
    """

    path: str | None
    artifact: Artifact | None = None
    confined: str | None = None


class Registry:
    """Knows the lock file of a root file, and where each reference leads."""

    __slots__ = ("_lock", "lock_path", "sources")

    def __init__(self, root_file: str, sources: Sources) -> None:
        self.sources = sources
        self.lock_path = lock_path(root_file)
        self._lock: Mapping[str, str] | None = None

    @property
    def lock(self) -> Mapping[str, str]:
        """The digests that the lock file has."""
        if self._lock is None:
            self._lock = read_lock(self.lock_path, self.sources)
        return self._lock

    def locked(self, image: Image) -> Image:
        """An image by the digest that the lock file has for its tag, or as it is."""
        digest = self.lock.get(str(image)) if image.tag else None
        return image.replace(tag="", digest=digest) if digest else image

    def locate(self, text: str, settings: Mapping[str, Any], config: str | None, extension: bool = False) -> Located:
        """Where a reference leads, or `Misnamed`; as that of a module, or of an extension."""
        meant = parse_reference(text, settings, config)
        if extension and isinstance(meant, Image):
            meant = meant.replace(extension=True)
        root = cache_root(settings, config, self.sources.environment)
        match meant:
            case Mapped(path):
                return Located(self._stand_in(path))
            case Image():
                locked = self.locked(meant)
                try:
                    return Located(cached_main(root, locked, self.sources), meant)
                except Unreadable:
                    return Located(None, meant)
            case Spec():
                path = f"{folder_of(root, meant)}/{MAIN}"
                return Located(path if self.sources.exists(path) else None, meant)
            case Commit():
                folder = folder_of(root, meant)
                path = f"{folder}/{meant.path}"
                # A commit is there whole or not at all; a file that is not in it will not come by fetching it again.
                there = self.sources.exists(path) or self.sources.exists(f"{folder}/.complete")
                return Located(path if there else None, meant, folder)

    def _stand_in(self, path: str) -> str:
        """The file at a path without an ending: a Bicep file, a template, or the main file of a folder."""
        choices = [f"{path}{ending}" for ending in MODULES] + [f"{path}/main.bicep"]
        return next((choice for choice in choices if self.sources.exists(choice)), choices[0])
