"""One checked file as an editor asks about it."""

from __future__ import annotations

from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic
from engine.lint.run import lint
from engine.lsp.occurrences import Occurrence, occurrences
from engine.lsp.positions import Positions
from engine.parse import tree


class Analysis:
    """A model with what is worked out of it at the first question."""

    __slots__ = ("_findings", "_occurrences", "model", "positions")

    def __init__(self, model: Model, encoding: str = "utf-16") -> None:
        self.model = model
        self.positions = Positions(model.source, encoding)
        self._occurrences: list[Occurrence] | None = None
        self._findings: tuple[Diagnostic, ...] | None = None

    @property
    def path(self) -> str:
        """Which file it is."""
        return self.model.path

    @property
    def text(self) -> str:
        """The file's text."""
        return self.model.source.text

    @property
    def file(self) -> tree.File:
        """The file's tree."""
        return self.model.file

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the file, by the language and by the rules."""
        if self._findings is None:
            found = (*self.model.diagnostics, *lint(self.model))
            self._findings = tuple(sorted(dict.fromkeys(found), key=lambda d: d.sort_key))
        return self._findings

    @property
    def occurrences(self) -> list[Occurrence]:
        """Every name in the file that means something, in the order of the text."""
        if self._occurrences is None:
            self._occurrences = occurrences(self.model)
        return self._occurrences

    def occurrence(self, offset: int) -> Occurrence | None:
        """The name at or just before an offset."""
        touching = [o for o in self.occurrences if o.start <= offset <= o.end]
        return max(touching, key=lambda o: o.start, default=None)
