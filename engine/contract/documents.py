"""JSON documents that are installed with Ulna, as values: what was read once is kept, for `json` costs more to load than they do."""

from __future__ import annotations

import marshal
import os
import sys

from engine.contract.cache import cache_folder, keep, own

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

    Kept = dict[str, tuple[int, int, bytes]]
    """By path: time in ns and size of the file, and its value marshalled."""

_FILE = f"documents-{sys.implementation.cache_tag}"
_KEPT: Kept = {}


def document(path: str) -> Any:
    """The value of a JSON file; raises what opening and parsing it raises."""
    status = os.stat(path)  # noqa: PTH116  pathlib costs start-up time
    if not _KEPT:
        _KEPT.update(_read())
    try:
        time, size, value = _KEPT[path]
        if (time, size) == (status.st_mtime_ns, status.st_size):
            return marshal.loads(value)
    except (KeyError, EOFError, ValueError, TypeError):
        pass
    return _parsed(path, status)


def _parsed(path: str, status: os.stat_result) -> Any:
    import json

    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        value = json.load(file)
    if not sys.dont_write_bytecode:
        _KEPT[path] = (status.st_mtime_ns, status.st_size, marshal.dumps(value))
        keep(cache_folder() / _FILE, marshal.dumps(_KEPT))
    return value


def _read() -> Kept:
    try:
        kept = marshal.loads(own(_FILE) or b"")
    except (EOFError, ValueError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}
