"""Sources that cannot leave a folder: for files that came from elsewhere."""

from __future__ import annotations

from engine.sources.port import Entry, Sources, Unreadable


class Confined:
    """Other sources, seen from one folder: what is outside is refused, and variables are not told."""

    __slots__ = ("folder", "inner")

    def __init__(self, inner: Sources, folder: str) -> None:
        self.inner = inner
        self.folder = folder.rstrip("/")

    def _inside(self, path: str) -> str:
        if not path.startswith(f"{self.folder}/") or "/../" in f"{path}/":
            raise Unreadable(path, "it is outside of the repository of the file that names it")
        return path

    def read(self, path: str) -> bytes:
        """The content of a file inside."""
        return self.inner.read(self._inside(path))

    def absolute(self, path: str) -> str:
        """What identifies a file."""
        return self.inner.absolute(path)

    def resolve(self, base: str, reference: str) -> str:
        """Where a reference leads, be it outside."""
        return self.inner.resolve(base, reference)

    def exists(self, path: str) -> bool:
        """Whether there is a file inside."""
        return path.startswith(f"{self.folder}/") and "/../" not in f"{path}/" and self.inner.exists(path)

    def blocked(self, path: str) -> bool:
        """Whether something else is where a file could be inside."""
        return path.startswith(f"{self.folder}/") and "/../" not in f"{path}/" and self.inner.blocked(path)

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder inside."""
        return self.inner.entries(folder if folder.rstrip("/") == self.folder else self._inside(folder))

    def environment(self, name: str) -> str | None:
        """None: a file from elsewhere learns nothing of this machine."""
        return None
