"""What is wrong, where, and what to do: plain data. Only `render/` knows layout."""

from __future__ import annotations

from engine.diagnostics.source import Source, Span
from engine.record import Record
from engine.words import Words


class Severity(Words):
    """How bad; an error stops the pipeline after the stage that found it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Safety(Words):
    """Whether a fix may be applied unasked: a safe one keeps the meaning, an unsafe one may change it, and one that is
    only suggested asks a person to think: it fills in a blank, or claims what nobody can see.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    SUGGESTED = "suggested"


class Label(Record):
    """A place in a source, with words of its own (`text` may be empty).

    What stands in a module is reached through `calls`: the places of the modules around it, the innermost first.
    """

    source: Source
    span: Span
    text: str = ""
    calls: tuple[Label, ...] = ()


class Edit(Record):
    """Replace a span of the diagnostic's own source by a text."""

    span: Span
    text: str


class Fix(Record):
    """Edits that mend the problem, sorted by place, under an imperative title."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety = Safety.SAFE


class Diagnostic(Record):
    """One problem: `message` names the thing and what is wrong with it, `help` says what to do.

    `primary` is None only for what has no place in a file (a missing argument, a locked state).
    `tags` holds LSP tags: "unnecessary", "deprecated".
    """

    code: str
    severity: Severity
    message: str
    primary: Label | None = None
    related: tuple[Label, ...] = ()
    help: str = ""
    fix: Fix | None = None
    tags: tuple[str, ...] = ()

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        """Source by source, from top to bottom."""
        if self.primary is None:
            return ("", 0, 0, self.code)
        return (self.primary.source.name, self.primary.span.start, self.primary.span.end, self.code)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells it from others: a module is read once for every file that uses it, and wrong once."""
        place = self.primary
        where = (place.source.name, place.span.start, place.span.end) if place is not None else ()
        return (self.code, self.severity, self.message, *where)


def has_errors(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic]) -> bool:
    """Whether any of them is an error."""
    return any(d.severity is Severity.ERROR for d in diagnostics)


class UlnaError(Exception):
    """The outside world said no: carries diagnostics for people, never a traceback.

    `exit_code` is 1 for what went wrong, 2 for a wrong call.
    """

    def __init__(self, *diagnostics: Diagnostic, exit_code: int = 1) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = diagnostics
        self.exit_code = exit_code

    @classmethod
    def of(cls, code: str, message: str, help: str = "", *, exit_code: int = 1) -> UlnaError:
        """An error without a place in a file."""
        return cls(Diagnostic(code, Severity.ERROR, message, help=help), exit_code=exit_code)
