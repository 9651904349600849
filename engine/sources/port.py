"""What the pure stages ask for when they need a file, a listing or an environment variable."""

from __future__ import annotations

from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Protocol
else:
    Protocol = object


class Unreadable(Exception):
    """A path that cannot be read; `reason` is the second half of a sentence, such as "it does not exist"."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"'{path}': {reason}")
        self.path = path
        self.reason = reason


class Entry(Record):
    """One thing in a folder: its own name, and whether it is a folder itself."""

    name: str
    folder: bool


class Sources(Protocol):
    """Reads for everybody: paths are absolute, with `/`, and identify a file."""

    def read(self, path: str) -> bytes:
        """The content of a file, or `Unreadable`."""
        ...

    def absolute(self, path: str) -> str:
        """What identifies the file at a path as a person wrote it."""
        ...

    def resolve(self, base: str, reference: str) -> str:
        """Where a relative reference written in the file `base` leads."""
        ...

    def exists(self, path: str) -> bool:
        """Whether there is a file."""
        ...

    def blocked(self, path: str) -> bool:
        """Whether something else is where a file could be: a folder, or a link that leads nowhere."""
        ...

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """What is in a folder, by name, or `Unreadable`."""
        ...

    def environment(self, name: str) -> str | None:
        """An environment variable."""
        ...


def join(base: str, reference: str) -> str:
    """`reference` seen from the folder of the file `base`, with `.` and `..` worked out."""
    parts = [] if reference.startswith("/") else base.split("/")[:-1]
    for part in reference.split("/"):
        if part == "..":
            if len(parts) > 1 or (parts and parts[0]):
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    path = "/".join(parts)
    rooted = base.startswith("/") or reference.startswith("/")
    return f"/{path}" if rooted and not path.startswith("/") else path


def relative(path: str, folder: str) -> str:
    """How a person in `folder` would write `path`."""
    there, here = path.split("/"), folder.rstrip("/").split("/")
    same = 0
    while same < min(len(there) - 1, len(here)) and there[same] == here[same]:
        same += 1
    return "/".join([".."] * (len(here) - same) + there[same:])


def as_written(path: str, folder: str, known: str) -> str:
    """How people would write a path, who write `known` for a file of `folder`."""
    below = relative(path, folder)
    if not below.startswith("../"):
        return join(known, below)
    # One file has one name, whichever folder it is seen from: findings on it are told once.
    above = known.rpartition("/")[0]
    while below.startswith("../") and above.rpartition("/")[2] not in ("", ".", ".."):
        above, below = above.rpartition("/")[0], below[3:]
    return f"{above}/{below}" if above or known.startswith("/") else below
