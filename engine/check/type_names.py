"""The names of resource types that somebody has listed: which there are, and how they are spelled officially.

A list has `Namespace/type@version` names, one a line, in any order; blank lines and `#` lines are skipped, and it may be
packed as `.xz`. A program without a list, and one that needs no name of it, never gets here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from zlib import adler32, crc32

from engine.sources.port import Sources, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.type_index import TypeData

LARGEST = 64 * 1024 * 1024
"""No list is longer, unpacked."""

MEMORY = 128 * 1024 * 1024
"""What unpacking one may take."""

SHORT = 4096
"""The index of a shorter list is made as soon as it would be found."""

_FORM = "types-2"
_END = "\tend\n"
"""The last line of an index that was written to its end."""

_indexes: dict[str, bytes] = {}


class TypeNames:
    """One list, read when it is first asked; `problem` says then why it could not be."""

    __slots__ = ("_asked", "_index", "_sources", "path", "problem")

    def __init__(self, path: str, sources: Sources) -> None:
        self.path = path
        self.problem = ""
        self._sources = sources
        self._index: bytes | None = None
        self._asked: dict[str, list[tuple[str, Mapping[str, str]]]] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing is known, as of a list that cannot be read."""
        return not self._text()

    def official(self, type: str, version: str) -> str | None:
        """How a type is spelled in a version; None if there is no such."""
        wanted = version.lower()
        return next((spelling for spelling, versions in self._spellings(type) if wanted in versions), None)

    def data(self, type: str, version: str) -> TypeData | None:
        """What a type consists of, which a list of names does not know."""
        return None

    def has(self, type: str) -> bool:
        """Whether there is a type in any version; of a list that cannot be read, it is believed."""
        return self.empty or bool(self.versions(type))

    def versions(self, type: str) -> list[str]:
        """The versions of a type, oldest first; none if there is no such type."""
        return sorted(version for _, versions in self._spellings(type) for version in versions)

    def names(self, start: str = "") -> Iterator[str]:
        """Every `Namespace/type@version` that begins so, as it is spelled."""
        for line in self._beginning(start.lower()):
            if not line.startswith("!"):
                for spelling in line.split("\t")[1:]:
                    name, *versions = spelling.split(" ")
                    yield from (f"{name}@{v.partition('=')[0]}" if v[0] != "=" else name for v in versions)

    def namespaces(self) -> list[str]:
        """The first parts of the types, as they are spelled."""
        return self._namespaces()

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

    def _spellings(self, type: str) -> list[tuple[str, Mapping[str, str]]]:
        """The spellings of a type, each with its versions in lower case, and where an index has them."""
        key = type.lower()
        if key not in self._asked:
            parts = [spelling.split(" ") for line in self._beginning(key + "\t") for spelling in line.split("\t")[1:]]
            self._asked[key] = [(name, dict(v.partition("=")[::2] for v in versions)) for name, *versions in parts]
        return self._asked[key]

    def _of(self, namespace: str) -> list[str]:
        """The types of a namespace, as they are spelled."""
        return [_spelling(line) for line in self._beginning(namespace.lower() + "/")]

    def _namespaces(self) -> list[str]:
        lines = (line for line in self._beginning("") if not line.startswith("!"))
        return list(dict.fromkeys(_spelling(line).partition("/")[0] for line in lines))

    def _beginning(self, start: str) -> Iterator[str]:
        """The lines of the index that begin so; found by halving, for splitting it into lines takes longer."""
        text, wanted = self._text(), start.encode("utf-8", "surrogatepass")
        low, high = 0, len(text)
        while low < high:
            middle = (low + high) // 2
            at, end = text.rfind(b"\n", 0, middle) + 1, text.find(b"\n", middle)
            if text[at:end] < wanted:
                low = end + 1
            else:
                high = at
        while text.startswith(wanted, low) and low < len(text):
            end = text.find(b"\n", low)
            yield text[low:end].decode()
            low = end + 1

    def _text(self) -> bytes:
        if self._index is None:
            try:
                self._index = self._read()
            except Unreadable as problem:
                self.problem, self._index = problem.reason, b""
            except ValueError as problem:
                self.problem, self._index = str(problem), b""
        return self._index

    def _read(self) -> bytes:
        """The index, or `Unreadable` or `ValueError` with the reason."""
        content = self._sources.read(self.path)
        return indexed(content, _FORM, lambda: _made(_unpacked(content).splitlines()))


def _spelling(line: str) -> str:
    """The first spelling in a line of the index."""
    return line.split("\t")[1].partition(" ")[0]


def indexed(content: bytes, form: str, make: Callable[[], str]) -> bytes:
    """The index of some content: as kept in the cache, or made and kept; `form` tells kinds of indexes apart."""
    mark = f"{form}-{len(content)}-{crc32(content):08x}{adler32(content):08x}"
    if mark not in _indexes:
        if len(content) < SHORT:
            _indexes[mark] = make().encode()
            return _indexes[mark]
        from engine.contract.cache import cache_folder, keep, kept

        name = f"{mark}.txt"
        found = kept(name)
        if found is not None and found.endswith(_END.encode()):
            _indexes[mark] = found.removesuffix(_END.encode())
        else:
            text = make()
            _indexes[mark] = text.encode()
            keep(cache_folder() / name, text + _END)
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


def _made(lines: Iterable[str]) -> str:
    """An index: a line a type, sorted, in lower case, then each spelling with its versions."""
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
    return lines_of(types)


def lines_of(types: Mapping[str, Mapping[str, Iterable[str]]]) -> str:
    """The lines of types, by their lower case, with their spellings and the versions of each."""
    return "".join(
        sorted(
            "\t".join([lower, *(" ".join([spelling, *versions]) for spelling, versions in spellings.items())]) + "\n"
            for lower, spellings in types.items()
        )
    )
