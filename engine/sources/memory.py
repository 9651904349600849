"""Reading from a dictionary: for tests, and for files that an editor has not saved."""

from __future__ import annotations

from collections.abc import Mapping

from engine.sources.port import Entry, Unreadable, join


class MemorySources:
    """Files by path, and variables by name; folders are the prefixes of paths."""

    __slots__ = ("files", "variables")

    def __init__(self, files: Mapping[str, str | bytes], variables: Mapping[str, str] | None = None) -> None:
        self.files = {_rooted(path): content for path, content in files.items()}
        self.variables = dict(variables or {})

    def read(self, path: str) -> bytes:
        """The content of a file."""
        content = self.files.get(_rooted(path))
        if content is None:
            folder = _rooted(path).rstrip("/") + "/"
            raise Unreadable(path, "it is a folder" if self._below(folder) else "it does not exist")
        return content.encode() if isinstance(content, str) else content

    def absolute(self, path: str) -> str:
        """The path from the root."""
        return _rooted(path)

    def resolve(self, base: str, reference: str) -> str:
        """Where a relative reference written in the file `base` leads."""
        return join(_rooted(base), reference)

    def exists(self, path: str) -> bool:
        """Whether there is a file."""
        return _rooted(path) in self.files

    def blocked(self, path: str) -> bool:
        """Whether there is a folder where a file could be."""
        return bool(self._below(_rooted(path).rstrip("/") + "/"))

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder, by name."""
        prefix = _rooted(folder).rstrip("/") + "/"
        if not (below := self._below(prefix)):
            raise Unreadable(folder, "it does not exist")
        names = {rest.partition("/")[::2] for rest in below}
        return tuple(sorted((Entry(name, bool(rest)) for name, rest in dict(names).items()), key=lambda e: e.name))

    def environment(self, name: str) -> str | None:
        """A variable."""
        return self.variables.get(name)

    def _below(self, prefix: str) -> list[str]:
        return [path[len(prefix) :] for path in self.files if path.startswith(prefix)]


def _rooted(path: str) -> str:
    return path if path.startswith("/") else f"/{path}"
