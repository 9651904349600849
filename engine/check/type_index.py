"""Resource types whole, as data: the folder of a `bicep-types` index, which says in which file each type is.

`index.json` names the types; what can be found in it is kept compact in the cache, and a file of types is read when one
of its types is first asked for. A `.tgz` of such a folder, which is what a registry has of an extension, is as good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from engine.check.type_file import Damaged, TypeFile
from engine.check.type_names import TypeNames, indexed, lines_of
from engine.check.types import ANY, AnyType, DiscriminatedType, ObjectType, Type
from engine.record import Record
from engine.sources.port import Sources, Unreadable

INDEX = "index.json"
_FORM = "type-index-1"
_META, _FUNCTION = "!meta", "!function "

T = TypeVar("T")

_SCOPES = (("tenant", 1), ("managementGroup", 2), ("subscription", 4), ("resourceGroup", 8), ("resource", 16))
_EVERYWHERE = frozenset(name for name, _ in _SCOPES)


class TypeData(Record):
    """What is known of one resource type in one version.

    `readable` and `writable` are the scopes it can be at: those of `targetScope`, and `resource` for what extends another.
    `existing` types can only be read, `hidden` ones only deployed. `functions` are what can be called on a resource, by
    name: (parameters, result).
    """

    name: str
    version: str
    body: Type
    readable: frozenset[str] = _EVERYWHERE
    writable: frozenset[str] = _EVERYWHERE
    existing: bool = False
    hidden: bool = False
    functions: Mapping[str, tuple[tuple[Type, ...], Type]] = {}

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class TypeIndex(TypeNames):
    """One index. `lenient` says whether data that are not met are worth a warning only: those of Azure can be wrong."""

    __slots__ = ("_data", "_files", "_meta", "_packed", "bodies", "lenient")

    def __init__(self, path: str, sources: Sources, lenient: bool = True) -> None:
        super().__init__(path, sources)
        self.lenient = lenient
        self.bodies: dict[tuple[TypeData, bool], Type] = {}
        """The bodies of resources that were asked for, with what all resources have; see `catalogue.body_type`."""
        self._files: dict[str, TypeFile] = {}
        self._data: dict[tuple[str, str], TypeData | None] = {}
        self._meta: Mapping[str, Any] | None = None
        self._packed: Mapping[str, bytes] | None = None

    def data(self, type: str, version: str) -> TypeData | None:
        """A type in a version; None if it is not in the index, or its file is damaged, which `problem` then says."""
        key = (type.lower(), version.lower())
        if key not in self._data:
            self._data[key] = self._guarded(lambda: self._read_type(*key))
        return self._data[key]

    @property
    def name(self) -> str:
        """What the extension is called in a template; empty where the index does not say."""
        return str(self._settings().get("name") or "")

    @property
    def version(self) -> str:
        """The version of the extension; empty where the index does not say."""
        return str(self._settings().get("version") or "")

    def configuration(self) -> Type | None:
        """What the extension can be configured with; None where it takes no configuration."""
        return self._guarded(self._configuration)

    def fallback(self) -> TypeData | None:
        """What types that are not in the index are; None where there are none but those."""
        reference = self._reference(self.meta().get("fallbackResourceType"))
        return self._guarded(lambda: self._resource(reference)) if reference else None

    def meta(self) -> Mapping[str, Any]:
        """What the index has beside types: `settings` and `fallbackResourceType`."""
        if self._meta is None:
            import json

            lines = list(self._beginning(f"{_META}\t"))
            self._meta = json.loads(lines[0].partition("\t")[2]) if lines else {}
        assert self._meta is not None
        return self._meta

    def _settings(self) -> Mapping[str, Any]:
        found = self.meta().get("settings")
        return found if isinstance(found, Mapping) else {}

    def _configuration(self) -> Type | None:
        reference = self._reference(self._settings().get("configurationType"))
        if not reference:
            return None
        file, place = self._file(reference)
        found = file.type(place)
        return found if isinstance(found, ObjectType | DiscriminatedType) else None

    # ------------------------------------------------------------ reading

    def _guarded(self, ask: Callable[[], T]) -> T | None:
        try:
            return ask()
        except Unreadable as problem:
            self.problem = self.problem or f"'{problem.path}': {problem.reason}"
        except Damaged as problem:
            self.problem = self.problem or str(problem)
        return None

    def _read_type(self, type: str, version: str) -> TypeData | None:
        places = (versions[version] for _, versions in self._spellings(type) if version in versions)
        place = next(places, None)
        return self._resource(unquote(place), self._actions(type, version)) if place else None

    def _actions(self, type: str, version: str) -> list[str]:
        """Where the functions of a type are that stand beside it in the index."""
        lines = self._beginning(f"{_FUNCTION}{type}@{version}\t")
        return [unquote(place) for line in lines for place in line.split("\t")[1].split(" ")]

    def _resource(self, reference: str, actions: list[str] | None = None) -> TypeData:
        file, place = self._file(reference)
        entry = file.entry(place)
        if entry.get("$type") != "ResourceType":
            raise Damaged(f"'{reference}' is no resource type")
        name, _, version = str(entry.get("name")).partition("@")
        functions = file.functions(entry)
        for action in actions or ():
            inside, at = self._file(action)
            functions |= inside.action(at)
        readable, writable, existing = _scopes(entry)
        hidden = entry.get("readableScopes") == 0 and bool(writable)
        body = file.type(file.target(entry.get("body")), body=True)
        if not isinstance(body, ObjectType | DiscriminatedType | AnyType):
            raise Damaged(f"the body of '{name}' is no object")
        whole = body if body is not ANY else ObjectType({}, ANY)
        return TypeData(name, version, whole, readable, writable, existing, hidden, functions)

    def _file(self, reference: str) -> tuple[TypeFile, int]:
        """The file that a reference of the index leads to, and the place in it."""
        name, _, place = reference.partition("#/")
        if not place.isdecimal() or not name or name.startswith("/") or ".." in name.split("/"):
            raise Damaged(f"'{reference}' is no place in a file of types")
        if name not in self._files:
            self._files[name] = TypeFile(name, self._content(name), self._file, self.lenient)
        return self._files[name], int(place)

    def _content(self, name: str) -> bytes:
        if not self.path.endswith(".tgz"):
            return self._sources.read(f"{self.path.rstrip('/')}/{name}")
        if self._packed is None:
            from engine.sources.packed import unpacked

            self._packed = unpacked(self._sources.read(self.path))
        if name not in self._packed:
            raise Unreadable(name, "it is not in the package")
        return self._packed[name]

    def _read(self) -> bytes:
        content = self._content(INDEX)
        return indexed(content, _FORM, lambda: _made(content))

    @staticmethod
    def _reference(value: object) -> str:
        found = value.get("$ref") if isinstance(value, Mapping) else None
        return found if isinstance(found, str) else ""


def is_index(path: str, sources: Sources) -> bool:
    """Whether a path leads to types as data, and not to a list of names."""
    return path.endswith(".tgz") or sources.exists(f"{path.rstrip('/')}/{INDEX}")


def _scopes(entry: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str], bool]:
    """Where a type can be read and written, and whether it can only be read; in the newer form or the older one."""
    if "readableScopes" in entry or "writableScopes" in entry:
        readable, writable = _named(entry.get("readableScopes")), _named(entry.get("writableScopes"))
        return readable | writable, writable, bool(readable and not writable)
    writable = _named(entry.get("scopeType")) or _EVERYWHERE
    return writable | _named(entry.get("readOnlyScopes")), writable, _number(entry.get("flags")) & 1 == 1


def _named(flags: object) -> frozenset[str]:
    return frozenset(name for name, bit in _SCOPES if _number(flags) & bit)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _made(content: bytes) -> str:
    """The compact form of an `index.json`: the lines of a list of names, each version with its place; and the rest."""
    import json

    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError(f"its {INDEX} is not valid JSON") from None
    resources = document.get("resources") if isinstance(document, Mapping) else None
    if not isinstance(resources, Mapping):
        raise ValueError(f"its {INDEX} has no 'resources'")
    types: dict[str, dict[str, list[str]]] = {}
    for name, place in resources.items():
        type, _, version = name.partition("@")
        if len(name.split()) != 1 or not isinstance(place, Mapping) or not type:
            raise ValueError(f"'{name}' in its {INDEX} is no type")
        token = f"{version.lower()}={_place(place)}"
        types.setdefault(type.lower(), {}).setdefault(type, []).append(token)
    rest = {key: document[key] for key in ("settings", "fallbackResourceType") if key in document}
    functions = document.get("resourceFunctions")
    return lines_of(types) if not rest and not functions else _with(lines_of(types), rest, functions)


def _with(lines: str, rest: Mapping[str, Any], functions: object) -> str:
    import json

    found = [f"{_META}\t{json.dumps(rest, separators=(',', ':'))}\n"]
    for type, versions in functions.items() if isinstance(functions, Mapping) else ():
        for version, places in versions.items() if isinstance(versions, Mapping) else ():
            if isinstance(places, list) and places:
                found.append(f"{_FUNCTION}{type}@{version}".lower() + f"\t{' '.join(map(_place, places))}\n")
    return "".join(sorted(found)) + lines


def _place(place: object) -> str:
    return quote(TypeIndex._reference(place), safe="/#.-_")
