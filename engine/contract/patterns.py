"""Regular expressions that are compiled once a machine: compiling a large one costs as much as parsing a hundred lines.

What `re` made of a pattern is kept in the user's cache, and handed to its engine when the pattern is next asked for; `re`
itself, with `enum` and half a dozen modules behind it, then need not be loaded. The file is for one version of that engine.
Whatever is wrong with it, `re` compiles as it always does. Only for patterns that are written in the code.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import marshal
import sys

from engine.contract.cache import cache_folder, keep, own

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    import re
    from typing import Any

    Code = tuple[int, list[int], int, dict[str, int], tuple[str | None, ...]]
    """Flags, code, number of groups, groups by name, names of groups."""

_FILE = f"patterns-{sys.implementation.cache_tag}-{_sre.MAGIC}"
_MADE: dict[str, re.Pattern[str]] = {}
_KEPT: dict[str, Code] = {}


def pattern(text: str) -> re.Pattern[str]:
    """The compiled pattern; flags stand in front of its text: `(?ai)`."""
    found = _MADE.get(text)
    if found is None:
        found = _MADE[text] = _restored(text) or _compiled(text)
    return found


def _restored(text: str) -> re.Pattern[str] | None:
    """From what is kept."""
    if not _KEPT:
        _KEPT.update(_read())
    try:
        flags, code, groups, by_name, names = _KEPT[text]
        made: re.Pattern[str] = _sre.compile(text, flags, code, groups, by_name, names)
    except (KeyError, TypeError, ValueError, RuntimeError, OverflowError):
        return None
    return made


def _compiled(text: str) -> re.Pattern[str]:
    """By `re`; what it made is kept."""
    import re

    if sys.dont_write_bytecode:
        return re.compile(text)
    code = _code(text)
    if code is not None:
        _KEPT[text] = code
        keep(cache_folder() / _FILE, marshal.dumps(_KEPT))
    return re.compile(text)


def _code(text: str) -> Code | None:
    """What `re` would hand to its engine; None if this Python's has other insides."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    try:
        parsed = _parser.parse(text, 0)
        names: list[str | None] = [None] * parsed.state.groups
        for name, number in parsed.state.groupdict.items():
            names[number] = name
        code = _compiler._code(parsed, 0)
        return parsed.state.flags, list(map(int, code)), parsed.state.groups - 1, parsed.state.groupdict, tuple(names)
    except (AttributeError, TypeError):
        return None


def _read() -> dict[str, Any]:
    try:
        kept = marshal.loads(own(_FILE) or b"")
    except (EOFError, ValueError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}
