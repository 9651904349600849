"""The names of resource types that somebody has listed: which there are, and how they are spelled officially.

A list has `Namespace/type@version` names, one a line, in any order; blank lines and `#` lines are skipped, and it may be
packed as `.xz`. A program without a list, and one that needs no name of it, never gets here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from zlib import adler32, crc32

from engine.sources.port import Sources, Unreadable

LARGEST = 64 * 1024 * 1024
"""No list is longer, unpacked."""

MEMORY = 128 * 1024 * 1024
"""What unpacking one may take."""

SHORT = 4096
"""The index of a shorter list is made as soon as it would be found."""

_FORM = "types-1"
_indexes: dict[str, tuple[str, ...]] = {}


class TypeNames:
    """One list, read when it is first asked; `problem` says then why it could not be."""

    __slots__ = ("_index", "_sources", "path", "problem")

    def __init__(self, path: str, sources: Sources) -> None:
        self.path = path
        self.problem = ""
        self._sources = sources
        self._index: tuple[str, ...] | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is known, as of a list that cannot be read."""
        return not self._lines()

    def official(self, type: str, version: str) -> str | None:
        """How a type is spelled in a version; None if there is no such."""
        wanted = version.lower()
        return next((spelling for spelling, versions in self._spellings(type) if wanted in versions), None)

    def has(self, type: str) -> bool:
        """Whether there is a type in any version; of a list that cannot be read, it is believed."""
        return self.empty or bool(self.versions(type))

    def versions(self, type: str) -> list[str]:
        """The versions of a type, oldest first; none if there is no such type."""
        return sorted(version for _, versions in self._spellings(type) for version in versions)

    def instead(self, type: str, version: str) -> str:
        """What may have been meant by a name that is not in the list, as a help sentence; empty if nothing is near."""
        from engine.diagnostics.suggest import nearest

        if self.versions(type):
            return f"The type is known in other versions: did you mean '{self._version(type, version)}'?"
        namespace, _, rest = type.partition("/")
        space = namespace if self._of(namespace) else nearest(namespace, self._namespaces())
        within = self._of(space) if space else []
        spelled = {spelling.partition("/")[2]: spelling for spelling in within}
        near = nearest(rest, spelled)
        return f"Did you mean '{self._version(spelled[near], version)}'?" if near else ""

    def _version(self, type: str, version: str) -> str:
        """The type in the version that was likely meant: this one, one much like it, or the newest that is stable."""
        from engine.diagnostics.suggest import nearest

        known = self.versions(type)
        stable = [v for v in known if "preview" not in v] or known
        near = nearest(version, known)
        meant = near if near is not None and near[:4] == version[:4] else stable[-1]
        return f"{self.official(type, meant)}@{meant}"

    def _spellings(self, type: str) -> Iterator[tuple[str, Sequence[str]]]:
        """The spellings of a type, each with its versions in lower case."""
        for line in self._beginning(type.lower() + "\t"):
            for spelling in line.split("\t")[1:]:
                name, *versions = spelling.split(" ")
                yield name, versions

    def _of(self, namespace: str) -> list[str]:
        """The types of a namespace, as they are spelled."""
        return [line.split("\t")[1].partition(" ")[0] for line in self._beginning(namespace.lower() + "/")]

    def _namespaces(self) -> list[str]:
        return list(dict.fromkeys(line.split("\t")[1].partition("/")[0] for line in self._lines()))

    def _beginning(self, start: str) -> Iterator[str]:
        lines = self._lines()
        at = bisect_left(lines, start)
        while at < len(lines) and lines[at].startswith(start):
            yield lines[at]
            at += 1

    def _lines(self) -> tuple[str, ...]:
        """One line a type, sorted: in lower case, then each spelling with its versions."""
        if self._index is None:
            try:
                self._index = _indexed(self._sources.read(self.path))
            except Unreadable as problem:
                self.problem, self._index = problem.reason, ()
            except ValueError as problem:
                self.problem, self._index = str(problem), ()
        return self._index


def _indexed(content: bytes) -> tuple[str, ...]:
    """The lines of the index of a list: as kept, or made and kept."""
    mark = f"{len(content)}-{crc32(content):08x}{adler32(content):08x}"
    if mark not in _indexes:
        if len(content) < SHORT:
            _indexes[mark] = _sorted(_unpacked(content).splitlines())
            return _indexes[mark]
        from engine.contract.cache import cache_folder, keep

        file = cache_folder() / f"{_FORM}-{mark}.txt"
        try:
            _indexes[mark] = tuple(file.read_text(encoding="utf-8").splitlines())
        except (OSError, ValueError):
            _indexes[mark] = _sorted(_unpacked(content).splitlines())
            keep(file, "\n".join(_indexes[mark]))
    return _indexes[mark]


def _unpacked(content: bytes) -> str:
    if content.startswith(b"\xfd7zXZ\x00"):
        from lzma import LZMADecompressor, LZMAError

        try:
            unpacking = LZMADecompressor(memlimit=MEMORY)
            content = unpacking.decompress(content, LARGEST)
        except LZMAError:
            raise ValueError("it is packed as .xz, and damaged") from None
        if not unpacking.eof:
            raise ValueError("it is packed as .xz, and too long or cut off")
    if len(content) > LARGEST:
        raise ValueError("it is too long")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None


def _sorted(lines: Iterable[str]) -> tuple[str, ...]:
    types: dict[str, dict[str, dict[str, None]]] = {}
    for number, line in enumerate(lines, 1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        type, _, version = name.partition("@")
        if "/" not in type or not version or len(name.split()) > 1:
            raise ValueError(f"its line {number} is no 'Namespace/type@version'")
        types.setdefault(type.lower(), {}).setdefault(type, {})[version.lower()] = None
    if not types:
        raise ValueError("it is empty")
    return tuple(
        sorted(
            "\t".join([lower, *(" ".join([spelling, *versions]) for spelling, versions in spellings.items())])
            for lower, spellings in types.items()
        )
    )
