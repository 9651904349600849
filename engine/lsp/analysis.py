"""One checked file as an editor asks about it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from engine.build.limits import limits
from engine.check.model import Model
from engine.diagnostics.diagnostic import Diagnostic
from engine.lint.run import by_rule
from engine.lsp.occurrences import Occurrence, occurrences
from engine.lsp.positions import Positions
from engine.parse import tree

R = TypeVar("R")


class Analysis:
    """A model with what is worked out of it at the first question.

    Looking for findings is work for many `steps`, between which others can have their turn: `left` are those of the check.
    """

    __slots__ = ("_answers", "_findings", "_occurrences", "model", "positions", "steps", "syntax")

    def __init__(self, model: Model, encoding: str = "utf-16", left: Iterable[None] = ()) -> None:
        self.model = model
        self.steps = self._look(left)
        self.syntax: tuple[Diagnostic, ...] | None = None
        """What is wrong with its syntax alone, where that is at hand."""
        self.positions = Positions(model.source, encoding)
        self._occurrences: list[Occurrence] | None = None
        self._findings: tuple[Diagnostic, ...] = ()
        self._answers: dict[str, object] = {}

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
        for _ in self.steps:
            pass
        return self._findings

    def _look(self, left: Iterable[None]) -> Iterator[None]:
        yield from left
        found = list(self.model.diagnostics)
        for stage in (by_rule(self.model), map(limits, (self.model,))):
            for some in _staged(self.path, stage):
                found += some
                yield
        self._findings = tuple(sorted(dict.fromkeys(found), key=lambda d: d.sort_key))

    @property
    def occurrences(self) -> list[Occurrence]:
        """Every name in the file that means something, in the order of the text."""
        if self._occurrences is None:
            self._occurrences = occurrences(self.model)
        return self._occurrences

    def once(self, question: Callable[[Analysis], R]) -> R:
        """The answer to a question about the whole file, worked out when it is first asked."""
        if question.__name__ not in self._answers:
            self._answers[question.__name__] = question(self)
        answer: R = self._answers[question.__name__]  # type: ignore[assignment]  # kept under the name of who gave it
        return answer

    def occurrence(self, offset: int) -> Occurrence | None:
        """The name at or just before an offset."""
        touching = [o for o in self.occurrences if o.start <= offset <= o.end]
        return max(touching, key=lambda o: o.start, default=None)


def _staged(path: str, stage: Iterator[Iterable[Diagnostic]]) -> Iterator[Iterable[Diagnostic]]:
    """What a stage finds, part by part; if it fails, the findings of the others are told all the same."""
    try:
        yield from stage
    except Exception as error:  # a bug, told where bugs are told
        print(f"ulna lsp: looking at '{path}' failed: {error!r}", file=sys.stderr)
