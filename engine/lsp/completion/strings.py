"""What can stand in quotes: resource types, paths of files, the texts that a type lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.check.types import StringLiteral
from engine.diagnostics.source import Span
from engine.lsp.buffers import Buffers
from engine.lsp.completion.cursor import Cursor
from engine.lsp.completion.item import Item
from engine.lsp.expected import choices, wanted
from engine.lsp.kinds import known_types
from engine.lsp.places import chain
from engine.parse import tree
from engine.sources.port import Unreadable

_TYPE = r"\s*(@.*\)\s*)?resource\s+\w*\s*$|.*resource(Input|Output)<$|\s*param\s+\w+\s+resource\s*$"
MOST = 2000
"""No more types are offered at once."""

_PATH = r"\s*(@.*\)\s*)?(module|test)\s+\w*\s*$|.*\bfrom\s*$|\s*(using|extends)\s*$"
_FILES = (".bicep", ".json", ".jsonc")
_UNQUOTED = r"\s*(@.*\)\s*)?((resource|module|test)\s+\w+|using|extends|import\s.*[}\w]\s+from)\s+"
_LOADED = r".*\bload\w+\(\s*$"


def belong_here(cursor: Cursor) -> bool:
    """Whether a string with a type or a path belongs at the cursor, and is not begun."""
    return re.fullmatch(_UNQUOTED, cursor.before) is not None and cursor.start == cursor.offset


def quoted(cursor: Cursor, buffers: Buffers) -> Iterator[Item]:
    """What fits, in quotes."""
    types = re.fullmatch(_TYPE, cursor.before) is not None
    place = Span(cursor.offset, cursor.offset)
    found = _resource_types(cursor, "", place) if types else _paths(cursor, buffers, "", _FILES)
    for item in found:
        if not item.label.endswith("/"):
            yield item.replace(label=f"'{item.label}'", replaces=place)


def strings(cursor: Cursor, buffers: Buffers) -> Iterator[Item]:
    """What fits the string at the cursor; it replaces all that is written of it."""
    assert cursor.string is not None, "asked for in strings only"
    text, start = cursor.analysis.text, cursor.string + 1
    line_end = next((n for n in range(cursor.offset, len(text)) if text[n] in "\r\n'"), len(text))
    head = text[cursor.line_start : cursor.string]
    begun = text[start : cursor.offset]
    if re.fullmatch(_TYPE, head):
        yield from _resource_types(cursor, begun, Span(start, line_end))
    elif re.fullmatch(_PATH, head):
        yield from _paths(cursor, buffers, begun, _FILES)
    elif re.fullmatch(_LOADED, head):
        yield from _paths(cursor, buffers, begun, ("",))
    else:
        yield from _literals(cursor, Span(start, line_end))


def _literals(cursor: Cursor, place: Span) -> Iterator[Item]:
    assert cursor.string is not None, "asked for in strings only"
    # An unclosed string is broken, and where that begins is no matter of course: ask at both of its ends.
    for at in (cursor.string, cursor.offset, cursor.string + 1):
        nodes = chain(cursor.analysis.file, at)
        if isinstance(nodes[-1], tree.Text | tree.Broken) and (type := wanted(cursor.model, nodes)) is not None:
            found = [m for m in choices(cursor.model, type) if isinstance(m, StringLiteral)]
            yield from (Item(m.value, "literal", order=0, replaces=place) for m in found)
            if found:
                return


def _resource_types(cursor: Cursor, begun: str, place: Span) -> Iterator[Item]:
    for name, text in known_types():
        yield Item(name, "resource", text=text, order=2, replaces=place)
    model = cursor.model
    given = [model.type_names, *model.extension_types.values()]
    for types in (each for each in given if each is not None and not each.empty):
        if "/" not in begun and types is model.type_names:
            # All types of Azure are too many to be of use: first one of their namespaces.
            yield from (Item(f"{space}/", "resource", order=3, replaces=place) for space in types.namespaces())
        else:
            names = list(types.names(begun.partition("@")[0]))
            yield from (Item(name, "resource", order=3, replaces=place) for name in sorted(names, key=_newest)[:MOST])


def _newest(name: str) -> tuple[str, int, list[int]]:
    """Types in their order, the newest stable version of each first."""
    type, _, version = name.partition("@")
    return type.lower(), len(version), [-ord(letter) for letter in version]


def _paths(cursor: Cursor, buffers: Buffers, begun: str, endings: tuple[str, ...]) -> Iterator[Item]:
    """What is in the folder that is begun: folders, and files that can be used."""
    folder = begun.rpartition("/")[0]
    where = buffers.resolve(cursor.analysis.path, f"{folder}/x" if folder else "x").rpartition("/")[0]
    try:
        entries = buffers.entries(where)
    except Unreadable:
        entries = ()
    opened = {p.rpartition("/")[2] for p in buffers.texts if p.rpartition("/")[0] == where}
    place = Span(cursor.offset - len(begun.rpartition("/")[2]), cursor.offset)
    own = cursor.analysis.path.rpartition("/")[2]
    files = {e.name for e in entries if not e.folder} | opened
    for name in sorted(files):
        if name.endswith(endings) and name not in (own, "bicepconfig.json") and not name.startswith("."):
            yield Item(name, "file", order=2 if name.endswith(".bicep") else 4, replaces=place)
    for entry in entries:
        if entry.folder and not entry.name.startswith((".", "__")):
            yield Item(f"{entry.name}/", "folder", order=3, replaces=place)
    if not folder:
        yield Item("../", "folder", order=6, replaces=place)
