"""What an editor has open, and the files around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.lsp.analysis import Analysis
from engine.lsp.buffers import Buffers, Stamp
from engine.lsp.growing import Growing
from engine.lsp.loading import Kept, load
from engine.sources.port import Unreadable
from engine.sources.text import read_text

LIMIT = 2000
"""No more files of the folders are looked at for uses of a name."""

_REFERENCE = r"[^/'\r\n]+\.bicep(?:param)?"

ENDINGS = (".bicep", ".bicepparam")


class Workspace:
    """The open files by path, the folders of the project, and an analysis a file, made anew when one of its files changes."""

    __slots__ = ("_analyses", "_grown", "_kept", "_mentioned", "buffers", "encoding", "folders")

    def __init__(self) -> None:
        self.buffers = Buffers()
        self.folders: list[str] = []
        self.encoding = "utf-16"
        self._kept: dict[str, Kept] = {}
        self._grown: dict[str, Growing] = {}
        self._analyses: dict[str, Analysis] = {}
        self._mentioned: dict[str, tuple[Stamp, frozenset[str]]] = {}

    @property
    def open_paths(self) -> tuple[str, ...]:
        """The files that are open."""
        return tuple(self.buffers.texts)

    def analysis(self, path: str) -> Analysis:
        """The file as it is now."""
        kept = self._kept.get(path)
        known = self._analyses.get(path)
        if kept is not None and known is not None and known.model is kept.result and kept.fresh(self.buffers):
            return known
        model = load(path, self.buffers, self._kept, self._grown)
        kept = self._kept.get(path)
        found = self._analyses[path] = Analysis(
            model, self.encoding, kept.steps if kept is not None and kept.result is model else ()
        )
        if (grown := self._grown.get(path)) is not None:
            found.syntax = grown.problems
        return found

    def holds(self, analysis: Analysis) -> bool:
        """Whether no newer one was made of the same file since."""
        return self._analyses.get(analysis.path) is analysis

    def close(self, path: str) -> None:
        """Forgets what the editor had of a file: what is on disk counts again."""
        self.buffers.drop(path)
        for known in (self._grown, self._kept, self._analyses):
            known.pop(path, None)

    def reachable(self) -> dict[str, Analysis]:
        """The open files and all that they use, by path."""
        found: dict[str, Analysis] = {}
        for path in self.open_paths:
            for model in self.analysis(path).model.everything():
                if model.path not in found:
                    found[model.path] = self.analysis(model.path)
        return found

    def around(self, path: str) -> dict[str, Analysis]:
        """The files in which a name that is declared at `path` may be used: those reachable, and those of the folders."""
        found = self.reachable()
        if path not in found:
            found[path] = self.analysis(path)
        name = path.rpartition("/")[2]
        for other in self._files():
            if other not in found and self._mentions(other, name):
                found[other] = self.analysis(other)
        return found

    def _mentions(self, path: str, name: str) -> bool:
        """Whether a file may refer to one of a name; what it refers to is remembered until it changes."""
        stamp = self.buffers.stamp(path)
        known = self._mentioned.get(path)
        if known is None or known[0] != stamp:
            try:
                names = frozenset(re.findall(_REFERENCE, read_text(self.buffers, path)))
            except Unreadable:
                names = frozenset()
            known = self._mentioned[path] = (stamp, names)
        return name in known[1]

    def _files(self) -> Iterator[str]:
        """The Bicep files of the project's folders."""
        stack, count = list(self.folders), 0
        while stack and count < LIMIT:
            folder = stack.pop()
            try:
                entries = self.buffers.entries(folder)
            except Unreadable:
                continue
            for entry in entries:
                path = f"{folder.rstrip('/')}/{entry.name}"
                if entry.folder and not entry.name.startswith(".") and entry.name != "node_modules":
                    stack.append(path)
                elif entry.name.endswith(ENDINGS):
                    count += 1
                    yield path
