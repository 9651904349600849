"""Imports a verb's modules from one file: searching for them and reading them one by one is a third of a short run.

The file is in the user's cache, one for each verb, interpreter and installation. It holds what earlier runs imported of Ulna
and the standard library: for each module its compiled code, as a `.pyc` does, and the time and size of its source, which have
to be the same when it is used. Whatever is wrong with the file, Python imports as it always does.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import SourceFileLoader
from _imp import source_hash

from engine.contract.cache import cache_folder, keep, own

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Sequence
    from types import CodeType

Module = tuple[str, bool, int, int, bytes]
"""The path of the source, whether it is a package, the source's time in ns and its size, the marshalled code."""

OURS = frozenset({"engine", "providers", "schemas"})


class Finder:
    """Asked before Python's own finders; knows the modules of one verb."""

    def __init__(self, verb: str) -> None:
        self.file = f"imports-{verb}-{_installation()}"
        self.modules = _read(self.file)
        self.before = frozenset(sys.modules)

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """The spec of a kept module whose source is as it was."""
        module = self.modules.get(name)
        if module is None:
            return None
        file, package, time, size, code = module
        try:
            now = os.stat(file)  # noqa: PTH116
        except OSError:
            return None
        if now.st_mtime_ns != time or now.st_size != size:
            return None
        spec = ModuleSpec(name, Loader(name, file, code), origin=file, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [os.path.dirname(file)]  # noqa: PTH120
        return spec

    def done(self) -> None:
        """Keep what this run imported besides."""
        new = {n: m for n in sys.modules.keys() - self.before if (m := self._module(n)) is not None}
        if new and not sys.dont_write_bytecode:
            keep(cache_folder() / self.file, marshal.dumps(self.modules | new))

    def _module(self, name: str) -> Module | None:
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
        return spec.origin, package, source.st_mtime_ns, source.st_size, marshal.dumps(code)


class Loader(SourceFileLoader):
    """Python's own, but for where the code comes from."""

    def __init__(self, name: str, path: str, code: bytes) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        """The kept code."""
        code: CodeType = marshal.loads(self.code)
        return code


def quick(verb: str) -> Finder:
    """Let the modules of a verb be imported from its file."""
    finder = Finder(verb)
    sys.meta_path.insert(0, finder)
    return finder


def _installation() -> str:
    """Tells apart interpreters, and places where Ulna is installed."""
    place = f"{sys.version}{sys.flags.optimize}{sys.prefix}{__file__}"
    return source_hash(0, place.encode()).hex()


def _read(name: str) -> dict[str, Module]:
    """The modules in a file that nobody else could have written; {} if there is none."""
    try:
        modules = marshal.loads(own(name) or b"")
    except (EOFError, ValueError, TypeError):
        return {}
    return modules if isinstance(modules, dict) else {}
