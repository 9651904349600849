"""Applies fixes to a text until none is left, and never one after which more is wrong than before.

`select` chooses the fixes that go together, `apply` carries them out, `fix` repeats both. What a text looks like to
those who check it comes in as a function, so nothing here reads or writes.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence

from engine.diagnostics.diagnostic import Diagnostic, Edit, Safety, Severity
from engine.diagnostics.source import Span
from engine.record import Record

PASSES = 25
"""A fix may make room for another; no text takes more rounds of them than this."""


class Seen(Record):
    """What is wrong with a text: the `findings` of the file itself, and how many errors the language has in the whole program.

    `errors` also counts what rules call an error; `comments` are the spans of the text's comments, in order.
    """

    findings: tuple[Diagnostic, ...]
    broken: int
    errors: int
    comments: tuple[Span, ...] = ()


Look = Callable[[str], Seen]


class Fixed(Record):
    """A text as it was and as it is now, the findings that were fixed, what is `left` to find in it, and what has to be
    said about fixes that were `refused`.
    """

    before: str
    after: str
    applied: tuple[Diagnostic, ...] = ()
    refused: tuple[Diagnostic, ...] = ()
    left: tuple[Diagnostic, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after


def fix(text: str, look: Look, unsafe: bool = False) -> Fixed:
    """The text with its safe fixes, or all of them, carried out as often as new ones turn up.

    A fix that would break the program is left out, and so is all that ends with more errors than it began with.
    """
    run = _Run(text, look, unsafe)
    for _ in range(PASSES):
        if not run.step():
            return run.result()
    if rest := run.chosen():
        run.refuse(rest[0], f"Fixes go on turning up after {PASSES} rounds, so the rest was left")
    return run.result()


def fixable(finding: Diagnostic, unsafe: bool = False) -> bool:
    """Whether a finding has a fix of the wanted safety; what is only suggested is for editors."""
    if finding.fix is None or finding.fix.safety is Safety.SUGGESTED:
        return False
    return unsafe or finding.fix.safety is Safety.SAFE


def select(findings: Iterable[Diagnostic], unsafe: bool = False, comments: Sequence[Span] = ()) -> list[Diagnostic]:
    """The findings whose fixes can be carried out together: from top to bottom, those that touch no earlier one.

    A fix that would swallow one of the `comments` inside of what it writes anew is left to a person.
    """
    chosen: list[Diagnostic] = []
    taken: list[tuple[int, int]] = []
    for finding in sorted((f for f in findings if fixable(f, unsafe)), key=lambda f: f.sort_key):
        assert finding.fix is not None, "only what is fixable is left"
        own = finding.fix.edits
        lost = any(_swallows(e, comments, finding.fix.safety) for e in own)
        if own and not lost and all(_apart(e.span, taken) for e in own):
            chosen.append(finding)
            for edit in own:
                insort(taken, (edit.span.start, edit.span.end))
    return chosen


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits that do not touch each other carried out."""
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def edits_of(findings: Iterable[Diagnostic]) -> list[Edit]:
    """All edits of their fixes."""
    return [edit for finding in findings if finding.fix is not None for edit in finding.fix.edits]


class _Run:
    """One text on its way."""

    __slots__ = ("applied", "before", "best", "dropped", "look", "refused", "seen", "text", "unsafe")

    def __init__(self, text: str, look: Look, unsafe: bool) -> None:
        self.text = text
        self.look = look
        self.unsafe = unsafe
        self.seen = look(text)
        self.before = (text, self.seen.errors)
        self.applied: list[Diagnostic] = []
        self.refused: list[Diagnostic] = []
        self.dropped: set[tuple[str, str, str]] = set()
        """Fixes that were tried and refused: they are not tried again when the text has moved."""
        self.best: tuple[str, int, Seen] = (text, 0, self.seen)
        """The last text without more errors than the first, how many fixes led to it, and what is wrong with it."""

    def chosen(self) -> list[Diagnostic]:
        """The fixes of the next round."""
        left = (f for f in self.seen.findings if _key(f) not in self.dropped)
        return select(left, self.unsafe, self.seen.comments)

    def step(self) -> bool:
        """One round: all at once, or one by one if together they break the program; False if nothing changed."""
        chosen = self.chosen()
        if not chosen:
            return False
        if self._accept(chosen):
            return True
        accepted = self._harmless(chosen, [])
        return bool(accepted) and self._accept(accepted)

    def _harmless(self, chosen: list[Diagnostic], before: list[Diagnostic]) -> list[Diagnostic]:
        """Those of some fixes that break nothing, after others; the guilty are found by halving."""
        if self.look(apply(self.text, edits_of([*before, *chosen]))).broken <= self.seen.broken:
            return [*before, *chosen]
        if len(chosen) == 1:
            (finding,) = chosen
            self.dropped.add(_key(finding))
            title = finding.fix.title if finding.fix is not None else ""
            self.refuse(finding, f"'{title}' was not carried out: it would break the program")
            return before
        middle = len(chosen) // 2
        return self._harmless(chosen[middle:], self._harmless(chosen[:middle], before))

    def refuse(self, finding: Diagnostic, message: str) -> None:
        """Say what was not done, at the place where it was not."""
        help = f"Mend {finding.code} by hand."
        self.refused.append(Diagnostic("ULN041", Severity.WARNING, message, finding.primary, help=help))

    def result(self) -> Fixed:
        """The best text there was."""
        best, count, seen = self.best
        if best != self.text:
            self.refuse(self.applied[count], "Some fixes were not carried out: they would lead to more errors")
        return Fixed(self.before[0], best, tuple(self.applied[:count]), tuple(self.refused), seen.findings)

    def _accept(self, chosen: list[Diagnostic]) -> bool:
        text = apply(self.text, edits_of(chosen))
        seen = self.look(text)
        if seen.broken > self.seen.broken or text == self.text:
            return False
        self.text, self.seen = text, seen
        self.applied += chosen
        if seen.errors <= self.before[1]:
            self.best = (text, len(self.applied), seen)
        return True


def _key(finding: Diagnostic) -> tuple[str, str, str]:
    """What tells a finding from others, wherever the text around it has moved it."""
    return (finding.code, finding.message, finding.fix.title if finding.fix is not None else "")


def _apart(span: Span, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a span is free of those that are taken, which are in order; insertions may not even touch another."""
    at = bisect_left(taken, (span.start, span.end))
    for start, end in taken[max(0, at - 1) : at + 1]:
        touching = span.start <= end and start <= span.end
        empty = span.start == span.end or start == end
        if touching and (empty or (span.start < end and start < span.end)):
            return False
    return True


def _swallows(edit: Edit, comments: Sequence[Span], safety: Safety) -> bool:
    """Whether an edit would lose a comment: a safe one loses none, another only those of what it takes away."""
    return (bool(edit.text) or safety is Safety.SAFE) and any(
        edit.span.start <= c.start and c.end <= edit.span.end for c in comments
    )
