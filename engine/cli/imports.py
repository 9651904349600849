"""Imports a verb's modules from one file: searching for them and reading them one by one is a third of a short run.

The file is in the user's cache, one for each verb, interpreter and installation. It holds what earlier runs imported of Ulna
and the standard library: for each module its compiled code, as a `.pyc` does, and the time and size of its source, which have
to be the same when it is used. Modules that an import brings along lie together with it, and are made in one go, in the
order in which Python would have made them. Whatever is wrong with the file, Python imports as it always does.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader
from _imp import source_hash
from _thread import _count as threads

from engine.contract.cache import cache_folder, keep, own

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    Facts = tuple[str, bool, int, int]
    """The path of a module's source, whether it is a package, the source's time in ns and its size."""

    Companions = dict[str, tuple[str, ...]]
    """The modules that an import brings along, in the order in which their code has run to its end."""

OURS = frozenset({"engine", "providers", "schemas"})


class Shelf:
    """The code of some modules, marshalled together: they share their strings. Each is taken once."""

    __slots__ = ("_codes", "content")

    def __init__(self, content: memoryview) -> None:
        self.content = content
        self._codes: list[CodeType | None] = []

    def take(self, place: int) -> CodeType:
        """The code at a place; who wants it again waits longer."""
        code = self._codes[place] if self._codes else None
        if code is None:
            self._codes = marshal.loads(self.content)
            code = self._codes[place]
        self._codes[place] = None
        assert code is not None
        return code


class Finder:
    """Asked before Python's own finders; knows the modules of one verb."""

    def __init__(self, verb: str) -> None:
        self.file = f"imports-{verb}-{_installation()}"
        self.modules, self.companions = _read(own(self.file) or b"")
        self.before = frozenset(sys.modules)
        self.begun: list[str] = []

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """The spec of a kept module whose source is as it was."""
        self.begun.append(name)
        module = self.modules.get(name)
        if module is None:
            return None
        spec = _spec(name, *module)
        companions = self.companions.get(name)
        if spec is not None and companions and not threads():  # another thread would meet modules that are not finished
            self._bring(companions)
        return spec

    def _bring(self, names: Sequence[str]) -> None:
        """Make modules, if all are as they were; if one cannot be made, it is left to Python, with those after it."""
        loaded, modules, make = sys.modules, self.modules, type(sys)
        specs = [_spec(name, *modules[name]) for name in names if name not in loaded]
        for spec in specs if all(specs) else ():
            assert spec and spec.loader
            name = spec.name
            above, _, last = name.rpartition(".")
            if name in loaded or (above and above not in loaded):
                continue
            self.begun.append(name)
            module = loaded[name] = make(name)
            module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, above
            if spec.submodule_search_locations is not None:
                module.__package__, module.__path__ = name, spec.submodule_search_locations
            try:
                spec.loader.exec_module(module)
            except Exception:
                del loaded[name]
                return
            if above:
                setattr(loaded[above], last, module)

    def done(self) -> None:
        """Keep what this run imported besides."""
        new = {n: m for n in sys.modules.keys() - self.before if (m := self._module(n)) is not None}
        if new and not sys.dont_write_bytecode:
            kept = {n: (facts, shelf.take(place)) for n, (facts, shelf, place) in self.modules.items()} | new
            known = {n: c for n, c in self.companions.items() if new.keys().isdisjoint((n, *c))}
            ours = {
                n for n in kept if n.partition(".")[0] in OURS
            }  # others are loaded once, to compile what is kept then
            brought = {n: tuple(m for m in c if m in ours) for n, c in _companions(self.begun).items()}
            keep(cache_folder() / self.file, _written(kept, known | brought))

    def _module(self, name: str) -> tuple[Facts, CodeType] | None:
        """A module that Python found itself, if it is one to be kept."""
        spec = getattr(sys.modules.get(name), "__spec__", None)
        top = name.partition(".")[0]
        if spec is None or type(spec.loader) is not SourceFileLoader or not spec.origin:
            return None
        if top not in OURS and top not in sys.stdlib_module_names:
            return None
        try:
            source = os.stat(spec.origin)  # noqa: PTH116
            code = spec.loader.get_code(name)
        except (OSError, ImportError, SyntaxError):
            return None
        package = spec.submodule_search_locations is not None
        return code and ((spec.origin, package, source.st_mtime_ns, source.st_size), code)


class Loader(SourceFileLoader):
    """Python's own, but for where the code comes from."""

    def __init__(self, name: str, path: str, shelf: Shelf, place: int) -> None:
        self.name = name
        self.path = path
        self.shelf = shelf
        self.place = place

    def get_code(self, fullname: str) -> CodeType:
        """The kept code."""
        return self.shelf.take(self.place)

    def exec_module(self, module: ModuleType) -> None:
        """Run it. The module's file is told here: a spec that tells it costs as much as the rest of the import."""
        module.__file__ = self.path
        exec(self.shelf.take(self.place), module.__dict__)


def quick(verb: str) -> Finder:
    """Let the modules of a verb be imported from its file."""
    finder = Finder(verb)
    sys.meta_path.insert(0, finder)
    return finder


def _spec(name: str, facts: Facts, shelf: Shelf, place: int) -> ModuleSpec | None:
    """The spec of a module whose source is as it was."""
    file, package, time, size = facts
    try:
        now = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    if now.st_mtime_ns != time or now.st_size != size:
        return None
    spec = ModuleSpec(name, Loader(name, file, shelf, place), origin=file, is_package=package)
    if package:
        spec.submodule_search_locations = [os.path.dirname(file)]  # noqa: PTH120
    return spec


def _companions(begun: list[str]) -> Companions:
    """What each import brought along, from the order in which modules were asked for and that in which they were finished.

    Python moves a module to the end of `sys.modules` when its code has run: between a module's begin and end lie others'.
    """
    finished = {name: place for place, name in enumerate(sys.modules)}
    brought: dict[str, list[str]] = {}
    outer = ""
    for name in begun:
        if name not in finished:
            continue
        if not outer or finished[outer] < finished[name]:
            outer = name
        else:
            brought.setdefault(outer, []).append(name)
    return {outer: tuple(sorted(names, key=finished.__getitem__)) for outer, names in brought.items()}


def _installation() -> str:
    """Tells apart interpreters, and places where Ulna is installed."""
    place = f"{sys.version}{sys.flags.optimize}{sys.prefix}{__file__}"
    return source_hash(0, place.encode()).hex()


def _written(modules: dict[str, tuple[Facts, CodeType]], companions: Companions) -> bytes:
    """The file: the length of its head in eight bytes, the head, which says where the shelves end, and the shelves."""
    places: dict[str, tuple[Facts, int, int]] = {}
    shelves: list[bytes] = []
    ends: list[int] = []
    for name in (*companions, *modules):
        together = [n for n in (*companions.get(name, ()), name) if n in modules and n not in places]
        if together:
            places |= {n: (modules[n][0], len(shelves), place) for place, n in enumerate(together)}
            shelves.append(marshal.dumps([modules[n][1] for n in together]))
            ends.append(len(shelves[-1]) + (ends[-1] if ends else 0))
    head = marshal.dumps((ends, places, companions))
    return len(head).to_bytes(8, "little") + head + b"".join(shelves)


def _read(content: bytes) -> tuple[dict[str, tuple[Facts, Shelf, int]], Companions]:
    """The modules of a file, each with its shelf and its place there, and their companions; none if it is not as it was written."""
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        view = memoryview(content)
        ends, places, companions = marshal.loads(view[8:start])
        if len(content) != start + ends[-1]:
            return {}, {}
        shelves = [Shelf(view[start + a : start + b]) for a, b in zip([0, *ends], ends, strict=False)]
        return {name: (facts, shelves[shelf], place) for name, (facts, shelf, place) in places.items()}, companions
    except (EOFError, ValueError, TypeError, AttributeError, IndexError, OverflowError):
        return {}, {}
