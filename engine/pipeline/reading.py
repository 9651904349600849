"""Sources that remember what they were asked: whatever rests on the answers can be told apart from what is true now."""

from __future__ import annotations

import os
from collections.abc import Mapping

from engine.sources.local import LocalSources
from engine.sources.port import Entry, Sources, Unreadable, relative

Question = tuple[str, str]
"""What was asked (`read`, `exists`, `entries`, `environment`, `setting`) and of what."""

SETTINGS = frozenset({"ULNA_TYPES", "ULNA_TYPE_NAMES", "ULNA_MODULE_VERSIONS"})
"""The variables that are settings of the compiler, not values of the program."""


class RememberingSources(LocalSources):
    """The disk, with every answer that it gave: a file has the same content for the whole of a run."""

    __slots__ = ("answers", "contents")

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.answers: dict[Question, str] = {}

    def read(self, path: str) -> bytes:
        """The content of a regular file."""
        if path not in self.contents:
            try:
                self.contents[path] = super().read(path)
            except Unreadable as problem:
                self.answers["read", path] = problem.reason
                raise
            self.answers["read", path] = mark(self.contents[path])
        return self.contents[path]

    def exists(self, path: str) -> bool:
        """Whether there is a file."""
        found = super().exists(path)
        self.answers["exists", path] = str(found)
        return found

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder, by name."""
        try:
            found = super().entries(folder)
        except Unreadable as problem:
            self.answers["entries", folder] = problem.reason
            raise
        self.answers["entries", folder] = mark(repr(found).encode())
        return found

    def environment(self, name: str) -> str | None:
        """A variable of this process; its value may be a secret, so all that is remembered is that it was asked for,
        unless it is one of Ulna's own settings."""
        found = super().environment(name)
        if name in SETTINGS:
            self.answers["setting", name] = found or ""
        else:
            self.answers["environment", name] = ""
        return found

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of every file that was read, by its path as seen from the current folder."""
        from hashlib import sha256

        here = os.getcwd().replace(os.sep, "/")  # noqa: PTH109  pathlib costs start-up time
        return {relative(path, here): sha256(content).hexdigest() for path, content in sorted(self.contents.items())}


def mark(content: bytes) -> str:
    """Tells two contents apart that were not made to look alike."""
    from zlib import adler32, crc32

    return f"{len(content)}-{crc32(content):08x}{adler32(content):08x}"


def ask(sources: Sources, question: Question) -> None:
    """Ask again, for the answer that is remembered."""
    verb, subject = question
    try:
        match verb:
            case "read":
                sources.read(subject)
            case "exists":
                sources.exists(subject)
            case "entries":
                sources.entries(subject)
            case _:
                sources.environment(subject)
    except Unreadable:
        pass
