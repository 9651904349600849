"""The place where a pass puts its findings on one file."""

from __future__ import annotations

from engine.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

Place = tree.Node | Span


class Report:
    """Collects diagnostics on one source; each (code, place) once."""

    __slots__ = ("_seen", "diagnostics", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int]] = set()

    def error(self, code: str, place: Place, message: str, help: str = "", **more: Any) -> None:
        """Something that keeps the file from being built."""
        self.add(code, Severity.ERROR, place, message, help, **more)

    def warning(self, code: str, place: Place, message: str, help: str = "", **more: Any) -> None:
        """Something that is likely a mistake."""
        self.add(code, Severity.WARNING, place, message, help, **more)

    def info(self, code: str, place: Place, message: str, help: str = "", **more: Any) -> None:
        """Something worth knowing."""
        self.add(code, Severity.INFO, place, message, help, **more)

    def says(self, place: Place, *codes: str) -> bool:
        """Whether one of the codes was reported at exactly this place."""
        return any((code, place.start, place.end) in self._seen for code in codes)

    def withdraw(self, place: Place, *codes: str) -> None:
        """Takes back what was reported inside a place: what is reported of the whole says it."""
        self.diagnostics = [
            d
            for d in self.diagnostics
            if d.code not in codes
            or d.primary is None
            or not (place.start <= d.primary.span.start and d.primary.span.end <= place.end)
        ]

    def add(
        self,
        code: str,
        severity: Severity,
        place: Place,
        message: str,
        help: str = "",
        *,
        fix: Fix | None = None,
        related: tuple[Label, ...] = (),
        tags: tuple[str, ...] = (),
    ) -> None:
        """A finding of any severity."""
        key = (code, place.start, place.end)
        if key not in self._seen:
            self._seen.add(key)
            label = Label(self.source, Span(place.start, place.end))
            self.diagnostics.append(Diagnostic(code, severity, message, label, related, help, fix, tags))
