"""Reading from the disk of this machine."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from engine.sources.port import Entry, Unreadable, join


class LocalSources:
    """The files of this machine, and the variables of this process."""

    __slots__ = ()

    def read(self, path: str) -> bytes:
        """The content of a regular file."""
        try:
            # A pipe or a device could block for ever or never end: look before opening.
            if not stat.S_ISREG((status := os.stat(path)).st_mode):  # noqa: PTH116  pathlib costs start-up time
                raise Unreadable(path, "it is a folder" if stat.S_ISDIR(status.st_mode) else "it is not a regular file")
            with open(path, "rb") as file:  # noqa: PTH123
                return file.read()
        except (OSError, ValueError) as problem:
            lost = isinstance(problem, FileNotFoundError) and os.path.islink(path)  # noqa: PTH114
            raise Unreadable(path, "it is a link that leads nowhere" if lost else _reason(problem)) from None

    def absolute(self, path: str) -> str:
        """The path from the root of the disk."""
        return os.path.abspath(path).replace(os.sep, "/")  # noqa: PTH100

    def resolve(self, base: str, reference: str) -> str:
        """Where a relative reference written in the file `base` leads."""
        return join(base, reference)

    def exists(self, path: str) -> bool:
        """Whether there is a file."""
        return os.path.isfile(path)  # noqa: PTH113

    def blocked(self, path: str) -> bool:
        """Whether something else is where a file could be."""
        return os.path.lexists(path) and not os.path.isfile(path)  # noqa: PTH113

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder, by name."""
        try:
            with os.scandir(folder) as entries:
                return tuple(sorted((Entry(e.name, e.is_dir()) for e in entries), key=lambda e: e.name))
        except (OSError, ValueError) as problem:
            raise Unreadable(folder, _reason(problem)) from None

    def environment(self, name: str) -> str | None:
        """A variable of this process."""
        return os.environ.get(name)


class SetSources(LocalSources):
    """The same, where some variables are set by options: they hide those of the process."""

    __slots__ = ("variables",)

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables

    def environment(self, name: str) -> str | None:
        """A variable as an option sets it, or of this process."""
        return self.variables.get(name) or super().environment(name)


def _reason(problem: OSError | ValueError) -> str:
    match problem:
        case FileNotFoundError():
            return "it does not exist"
        case NotADirectoryError():
            return "a part of its path is a file, not a folder"
        case IsADirectoryError():
            return "it is a folder"
        case PermissionError():
            return "it may not be read: permission denied"
        case OSError():
            return (problem.strerror or str(problem)).lower()
        case _:
            return "its path is malformed"
